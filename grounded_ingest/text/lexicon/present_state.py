"""Signs that a sentence, a section or a document is not about what holds now."""

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
