"""What in a knowledge base is settled enough to be contradicted: slots, and signs that it is not.

`check` works by these tables, `verify` does not: there both texts are about the same thing.
"""

# Of these a project has one: they count without a subject.
OF_A_PROJECT = "database cache search_engine message_queue runtime frontend_framework mobile_framework backend_framework web_server cloud_provider ci_cd iac_tool payments testing orm package_manager secret_store feature_flags email_service vcs registry license default_branch region"
# Each thing has its own: they count where it is said of what, or of the whole.
OF_A_THING = "framework port timeout expiry retention interval retries rate_limit size_limit version owner maintainer deadline encryption budget"
# Slots of the text's own (`log_level`) that count: they end in one of these.
OF_THEIR_OWN = "level mode name version size count encoding timezone"
# Slots that only count where these words are in the sentence.
SAID = {
    "language": r"(?:written|implemented|coded|developed) in|language (?:of .+ )?is\b",
    "version": r"\b(?:requires?|needs?|runs? (?:on|with)|uses?|pinned|version|is|targets?)\b",
    "format": r"format (?:of .+ )?is\b",
    "auth": r"auth\w* (?:method|provider|scheme|mechanism) (?:of .+ )?is\b|(?:identity|sso) provider (?:of .+ )?is\b",
    "encryption": r"\b(?:encrypted|hashed|signed) (?:with|using|by)\b|algorithm (?:of .+ )?is\b",
    "owner": r"\bowned by\b|\bowners?\b|\bowns\b",
    "maintainer": r"\bmaintained by\b|\bmaintainers?\b",
    "protocol": r"protocol (?:of .+ )?is\b|talks?\b|speaks?\b",
}  # fmt: skip
# Values have to be measured.
MEASURED = "port timeout expiry retention interval retries rate_limit size_limit budget version"
# Kinds of things rather than one of them.
GENERIC = "sql nosql git rdbms sso idp http rest api cloud local file memory pre-commit json text"
# Their values are names of somebody.
SOMEBODY = "owner maintainer"
# What stands for the whole project.
WHOLE = r"\b(?:we|our|us|(?:the|this) (?:service|server|app|application|project|system|api|backend|repository|repo|daemon|platform|product|site|website|codebase))\b|^the (?:[\w-]+ ){1,3}is\b[^,;]{1,24}$"

# Sentences that hold in some case, of an example, of several values or not yet.
IN_SOME_CASE = (
    r"(?i)\b(?:if|when|whenever|unless|while|until|once|in case|assuming|suppose|otherwise|depend(?:s|ing) on|support(?:s|ed|ing)?"
    r"|compatib\w+|works? (?:with|on)|tested (?:on|with|against)|e\.g\.?|i\.e\.?|for example|such as|for instance|alternatively"
    r"|optional(?:ly)?|either|or|any|could|would|might|may|can(?! be reached)|than|vs\.?|versus|compared|instead of|like|similar|except"
    r"|some|(?<!at )most|every other|various|different|override[ns]?|configurable|customi[sz]\w+|previously|formerly|originally|initially"
    r"|legacy|deprecated|removed|fixed|added|bumped?|upgraded?|changed|migrat(?:e[sd]?|ing)|proposed|planned|future|recommended|suggest\w*"
    r"|error|fatal|fails?|failed|crash\w*|bug|historical\w*|attempted|observed|measured|took|about (?:\d|an? |half|one|two|three|ten)"
    r"|roughly|approximately|average|typical(?:ly)?|estimated?)\b|^(?:before|after|with|without|for|note)\b|[<>≤≥?→]|~(?=\s?\d)|\bas of\b"
)
# Headings over what is weighed, shown, past or about others.
UNSETTLED_SECTIONS = (
    r"(?i)\b(?:examples?|alternatives?|options?|considered|trade-?offs?|risks?|troubleshooting|history|change ?log|release notes"
    r"|what'?s new|background|problems?|issues?|migrat\w+|upgrad\w+|before|after|previous|legacy|deprecat\w+|old|future|roadmap|plans?"
    r"|planned|phases?|milestones?|proposals?|proposed|comparisons?|vs|versus|benchmarks?|results?|evaluations?|experiments?|measurements?"
    r"|check-?lists?|scenarios?|recipes?|faq|incidents?|post-?mortems?|reviews?|rejected|questions?|lessons?|todo|next steps|tutorials?"
    r"|session|log|timeline|sprint|week|case study|consequences|negative|positive|use cases?|v\d+(?:\.\d+)*)\b|\d{4}-\d\d"
)
# Places for documents of other times, other languages or other purposes.
UNSETTLED_PATHS = (
    r"(?i)(?:^|[/_.-])(?:archived?|legacy|deprecated|remov(?:ed|al)|history|change-?log|changes|releases?|"
    r"release[_-]notes|news|blog|posts|plans?|plan|planning|roadmap|proposals?|rfcs?|reports?|research|evaluations?|"
    r"benchmarks?|examples?|tests?|fixtures|testdata|templates?|post-?mortems?|meetings?|logs?|journal|sessions?|"
    r"i18n|locales?|translations?|versioned_docs|migrat(?:ions?|ing)|tutorials?|learn|audit|todo|tasks?)(?:[/_.-]|$)|\d{4}-\d\d"
)
