"""How clauses and definitions are written, as regular expressions for `support`."""

FENCE = r"\s*(?:[;]|\s[—–]\s|\s-\s|:\s(?=[A-Za-z`])|,?\s(?:but|while|whereas|although|because|so that|so|which|where|after which|then)\s|,\s(?:and|or|not|plus)\s|\sand\s|\s\((?=[^)]{12,}))\s*"
DEFINES = (
    r"\s*(?:(?:export|public|private|protected|static|async|pub(?:\([a-z]+\))?|abstract|final|unsafe|default|override|inline|const(?=\s+fn)|#\[.*\])\s+)*"
    r"(?:def|class|fn|func|function|impl|struct|enum|trait|interface|type|mod|module|namespace|macro_rules!|object|record|describe|it|test)\b"
    r"|\s*(?:[\w<>\[\],:&*]+\s+)+\w+\([^;]*\)\s*(?:const\s*)?\{\s*$|\s*(?:const|let|var|export const)\s+\w+\s*=\s*(?:async\s*)?\(.*=>\s*\{\s*$"
)
RELATED = r"\b(?:references?|related|relates|links?|see also|supersedes|depends|further reading|changelog|history)\b"
LINKED = r"(?i)\s(by|in|on|at|from|with|as|to|through|via|using|called|named|is|uses|use)(?: the| a| an)?$"

# How git sums up a commit: "43 files changed, 1,535 insertions, 20 deletions", also as cells of a row, and "+1,535/-20".
SIZE = (
    r"(?i)(?P<count>\d[\d,]*) (?:(?P<files>files?)(?P<changed> (?:were )?(?:changed|touched|modified|edited))?|"
    r"(?P<added>insertions?(?:\(\+\))?|additions?|lines? (?:added|inserted))|(?P<removed>deletions?(?:\(-\))?|lines? (?:removed|deleted)))(?![\w-])|"
    r"(?:^|(?<=; ))(?:(?P<of_files>files(?: changed)?)|(?P<of_added>insertions|additions|lines added)|(?P<of_removed>deletions|lines removed)): [+−-]?(?P<cell>\d[\d,]*)(?=;|\s*$)|"
    r"(?<![\w+])\+(?P<plus>\d[\d,]*) ?(?:/|, ?| ) ?[-−–](?P<minus>\d[\d,]*)(?: lines)?(?![\w%])"
)
