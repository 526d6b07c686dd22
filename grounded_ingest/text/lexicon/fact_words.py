"""Words for reading facts from text: words for changes, plans and denials, words that end a value,
and values about people, such as diets.

A pattern matches lower-case text within one sentence. The regex group `gone` of a pattern is a
value that is no longer true, and the group `come` is a value that is true now."""

_MOVE = r"(?:migrat|mov|switch|transition|convert|chang|port|relocat|swap|rewrit|went|go|going|came)\w*(?: over| away| back)?"
_DROP = r"(?:drop|ripp|rip|abandon|ditch|replac|retir|remov|left|leav|quit|stopp|stop|deprecat|sunset|scrapp|eliminat)\w*(?: (?:out|using|with|behind))?"

CHANGES = (
    rf"\b{_MOVE}\b[^,;]{{0,30}}?\bfrom (?P<gone>[^;]{{1,80}}?) (?:to|onto|into) (?P<come>[^,;]+)",
    rf"\b{_MOVE}\b[^,;]{{0,30}}?\b(?:to|onto|into) (?P<come>[^,;]{{1,80}}?) (?:from|after leaving) (?P<gone>[^,;]+)",
    r"\bmoved? (?:off|away from) (?P<gone>[^,;]+)",
    r"(?:^|(?<=[,; ]))(?P<gone>[^,; ][^,;]{0,79}?) (?:was|were|is|got|has been|have been) (?:replaced|superseded) (?:by|with) (?P<come>[^,;]+)",
    rf"\b{_DROP} (?P<gone>[^,;]{{1,80}}?) (?:for|with|by|in favou?r of) (?P<come>[^,;]+)",
    rf"(?<!to )\b{_DROP} (?P<gone>(?!for\b|with\b|by\b|in\b|to\b)[^,;]{{1,80}}?)(?= and (?:switched|moved|went|migrated)\b|[,;]|$)",
    r"\b(?:after|since) the whole (?P<gone>\w+)",
)
"""Match sentences that say that one value replaced another."""

DENIED = (
    r"\b(?:instead of|rather than|no more|as opposed to) (?P<not>[^,;]+)",
    r"(?<![\w.+#-])(?P<not>[\w.+#-]+) (?:is|are)(?: not|n't) (?:used|needed|required|supported)",
)

OVER = (
    r"\b(?:previously|formerly|used to|no longer|back then|at first|originally)\b(?P<gone>[^;]*?)(?=,? (?:but|and) now\b|[;]|$)",
    r"(?<!have )(?<!has )(?<!'ve )(?<!been )\b(?:worked|lived|resided|stayed) (?P<gone>[^;,]+)",
    r"(?<!years )(?<!year )\b(?:old|former|previous) (?P<gone>(?:[\w.'-]+ ){0,3}[\w.-]+)",
    r"\b(?:was|were) (?!born|from|put|set|[a-z]+ed\b|[a-z]+en\b)(?P<gone>[^;,]+)",
)
"""Match sentences that say that a value was true before."""

CONSIDERED = (
    r"\b(?:consider|evaluat|explor|investigat|prototyp|debat|assess|pilot)(?:ing|e|es|s|ed)?\b(?P<maybe>.*?)(?=\bbut\b|;|$)",
    r"\b(?:thinking|think) (?:about|of)\b(?P<maybe>.*?)(?=\bbut\b|;|$)",
    r"\b(?:might|maybe|perhaps|possibly|not sure|unsure|don't know|whether|wonder\w*|tried|trying|try|looking (?:at|into)|should we)\b(?P<maybe>.*?)(?=\bbut\b|;|$)",
    r"\b(?:could|may) (?P<maybe>.*?)(?=\bbut\b|;|$)",
    r"^(?:if|unless)\b(?P<maybe>[^,]*)",
)
"""Match sentences in which a value is only considered and not in use."""

PLANNED = (
    r"\b(?:will|going to|plans? to|planning to|intends? to|wants? to|would like to|hopes? to|aims? to|about to|eventually|someday)\b(?P<planned>.*?)(?=\bbut\b|;|$)",
)

RETRACT = (
    r"(?:i|we)\s+meant\s+(?P<new>[^,;.()]+?)\s*,?\s*(?:and\s+)?not\s+(?P<old>[^,;.()]+)",
    r"\bnot\s+(?P<old>[^,;.()]+?)\s*[,;–—-]+\s*(?:but|it'?s|i\s+meant|rather|actually|make\s+that)\s+(?P<new>[^,;.()]+)",
    r"\bcorrection\s*[:,–—-]\s*(?:it(?:'s| is| was)\s+|(?:i|we)\s+\S+\s+\S+\s+)?(?P<new>[^,;.()]+?)\s*,?\s*(?:and\s+)?(?:not|rather than|instead of)\s+(?P<old>[^,;.()]+)",
    r"\bshould\s+(?:have\s+)?(?:said|read|say|be)\s+(?P<new>[^,;.()]+?)\s*,?\s*(?:not|rather than|instead of)\s+(?P<old>[^,;.()]+)",
    r"\bscratch\s+(?P<old>[^,;.()]+?)\s*[,;–—-]+\s*(?:it(?:'s| is)\s+)?(?P<new>[^,;.()]+)",
    r"\b(?:it(?:'s| is)|that(?:'s| is))\s+(?P<new>[^,;.()]+?)\s*,\s*not\s+(?P<old>[^,;.()]+)",
)
"""Match a memory that corrects a value in other memories. The group `old` is the wrong value, and
the group `new` is the right one."""

CHUNKS_ENDS = "and or but while whereas which who whom that where when because so if since until unless after before than then also though although"
CHUNKS_MODIFIERS = (
    "about approximately around roughly up to at most exactly only over under nearly almost just below above least max min maximum minimum "
    "no more than less within ~ >= <= > < = ≥ ≤ ≈ - set currently now still up every once"
)
LABELS_MARKS = "fact pref preference note todo warning important tip example correction update remember memory key value"
LABELS_NO_LABELS = (
    "note warning caution example tip important todo fixme correction update remember hint "
    "see source reason why summary usage decision rationale context"
)
NO_SLOTS = "thing things problem problems issue issues point points idea ideas reason reasons question questions answer way ways case cases fact facts example examples result results truth goal purpose difference advantage trick rule rules step steps next first last one most some note notes change changes bug bugs fix solution choice decision it this that there what all everything nothing kind sort type part lot rest weather"
ONE_OF_A_KIND = "database ci_cd cloud_provider frontend_framework backend_framework license auth payments message_queue cache web_server orm search_engine runtime vcs feature_flags secret_store email_service mobile_framework registry region"
NAMING_RANKS = "primary main default current maximum max minimum min total overall preferred usual own chosen official"
COPULAS = "is are was were be am been being 's 're 'm"
# Slots of counted nouns, by the stem of the noun.
QUANTITIES_NOUNS = {
    "sibling": "siblings", "brother": "brothers", "sister": "sisters", "kid": "children", "child": "children",
    "language": "languages_spoken", "approval": "approvals", "approvals": "approvals", "reviewer": "approvals",
}  # fmt: skip
MORE_VERBS = (
    "live work enjoy love like know study graduate attend speak drive own earn teach learn play prefer hate dislike weigh grow marry join "
    "report suffer reside cost weigh rotate expire retry deploy host talk communicate authenticate licence license belong store persist "
    "rely depend default bind front proxy cap throttle ship launch run target purge retain hold sign encrypt hash cook travel hike swim "
    "go need diagnose paint mention infer report confirm explain serve remember recall "
)
VALUES_NOISE = "a an the of in and at for to my your our its about exactly"
VALUES_MEMBERS = "university univers universiti college colleg institute institut"

# Last words of occupations.
OCCUPATIONS = (
    "engineer developer programmer coder architect scientist analyst manager director designer consultant researcher teacher professor lecturer doctor physician nurse surgeon dentist pharmacist therapist psychologist psychiatrist lawyer attorney paralegal judge accountant auditor "
    "bookkeeper banker trader broker economist statistician mathematician physicist chemist biologist writer author editor journalist reporter copywriter translator interpreter artist musician singer composer actor actress dancer photographer filmmaker animator illustrator chef cook baker barista bartender waiter waitress "
    "pilot captain sailor driver mechanic electrician plumber carpenter welder builder contractor technician operator administrator admin specialist strategist coordinator officer assistant associate secretary receptionist clerk cashier salesperson salesman recruiter marketer entrepreneur founder cofounder co-founder owner president "
    "chairman ceo cto cfo coo cio ciso cpo vp head lead principal intern apprentice trainee student freelancer contractor veterinarian vet paramedic firefighter soldier detective inspector guard gardener farmer fisherman florist hairdresser tailor librarian archivist curator historian geologist astronomer astronaut ecologist "
    "planner surveyor realtor agent representative evangelist advocate tester sre sde swe qa devops dba sysadmin pm em staff partner fellow postdoc tutor coach trainer instructor counselor counsellor priest pastor politician senator diplomat optometrist radiologist cardiologist pediatrician neurologist oncologist anesthesiologist midwife nutritionist dietitian producer presenter podcaster streamer youtuber blogger investor hacker maker craftsman jeweler potter sculptor painter"
)
DIETS = "vegan vegetarian pescatarian keto paleo flexitarian omnivore carnivore gluten-free halal kosher fruitarian dairy-free lactose-intolerant"
RELATIONSHIPS = "married single divorced engaged widowed separated unmarried dating"
SCHEDULES = "full-time part-time freelance contract remote remotely hybrid on-site onsite"
NATIONALITIES = "american british german french italian spanish portuguese dutch belgian swiss austrian swedish norwegian danish finnish polish czech hungarian romanian greek turkish russian ukrainian indian chinese japanese korean vietnamese thai indonesian filipino australian canadian mexican brazilian argentinian chilean colombian egyptian nigerian kenyan ethiopian moroccan israeli iranian iraqi pakistani bangladeshi irish scottish welsh english icelandic"
STATES_OF_MIND = "good fine ready happy sad tired sure sorry busy glad here there back done sick well okay ok great excited interested able afraid aware new available late early home bored hungry confused worried curious certain unsure looking trying going working currently based using running writing"
BRANCH_NAMES = "main master trunk mainline develop development dev next stable staging production release edge canary nightly latest gh-pages"
ACCOUNTS = "account subscription membership"
STATUSES = (
    "active inactive activated reactivated deactivated suspended closed locked unlocked frozen paused cancelled canceled expired pending disabled enabled "
    "banned blocked restricted terminated verified unverified overdue delinquent open reopened dormant archived"
)
"""Words for the status of an account."""
STATUS_PHRASES = (
    "on hold", "past due", "in good standing", "in arrears", "under review", "in default",
)  # fmt: skip
CONDITIONS = (
    "asthma diabetes diabetic hypertension migraine migraines epilepsy epileptic depression anxiety adhd autism autistic arthritis lupus celiac coeliac cancer insomnia anemia anaemia anemic eczema psoriasis gout crohn's parkinson's "
    "alzheimer's dementia bipolar schizophrenia ptsd ocd dyslexia dyslexic hypothyroidism hyperthyroidism osteoporosis glaucoma tinnitus endometriosis fibromyalgia sclerosis hepatitis bronchitis tuberculosis leukemia scoliosis "
    "disease disorder syndrome apnea pressure"
)
"""Words for medical conditions, and last words of their names."""
PETS = "dog cat puppy kitten fish goldfish hamster rabbit bunny parrot bird budgie canary turtle tortoise snake lizard gecko horse pony ferret retriever labrador poodle beagle bulldog terrier spaniel collie husky corgi dachshund shepherd chihuahua pug siamese persian tabby"
PLACES = (
    "seattle portland boston chicago austin denver dallas houston phoenix atlanta miami detroit minneapolis philadelphia pittsburgh cleveland columbus baltimore nashville memphis orlando tampa charlotte raleigh richmond sacramento oakland berkeley fresno tucson albuquerque omaha milwaukee indianapolis cincinnati louisville buffalo rochester albany honolulu anchorage boise spokane tacoma bellevue redmond kirkland "
    "toronto vancouver montreal ottawa calgary edmonton winnipeg halifax london manchester birmingham liverpool leeds bristol edinburgh glasgow cardiff belfast dublin cork galway paris lyon marseille toulouse nice nantes bordeaux lille berlin hamburg munich cologne frankfurt stuttgart leipzig dresden dortmund bonn vienna graz salzburg zurich geneva basel bern lausanne amsterdam rotterdam utrecht eindhoven brussels antwerp ghent "
    "madrid barcelona valencia seville bilbao malaga lisbon porto rome milan turin naples florence venice bologna athens thessaloniki stockholm gothenburg malmo oslo bergen trondheim copenhagen aarhus helsinki espoo tampere turku reykjavik tallinn riga vilnius warsaw krakow gdansk wroclaw poznan prague brno bratislava budapest bucharest sofia belgrade zagreb ljubljana kyiv lviv odesa moscow minsk istanbul ankara izmir "
    "cairo lagos nairobi accra johannesburg durban pretoria casablanca tunis algiers addis kampala kigali dakar dubai doha riyadh amman beirut baghdad tehran mumbai delhi bengaluru bangalore chennai kolkata hyderabad pune ahmedabad jaipur karachi lahore islamabad dhaka colombo kathmandu beijing shanghai shenzhen guangzhou hangzhou chengdu wuhan taipei seoul busan tokyo osaka kyoto nagoya sapporo fukuoka yokohama bangkok hanoi jakarta manila singapore "
    "sydney melbourne brisbane perth adelaide canberra auckland wellington christchurch lima bogota quito caracas santiago montevideo havana kingston guadalajara monterrey brasilia recife curitiba medellin "
    "california texas washington oregon florida massachusetts colorado illinois georgia ohio michigan virginia nevada arizona utah germany france spain italy portugal netherlands belgium switzerland austria sweden norway denmark finland poland ireland england scotland wales canada mexico brazil argentina chile india china japan korea taiwan vietnam thailand indonesia australia egypt nigeria kenya israel turkey greece ukraine romania hungary"
)
