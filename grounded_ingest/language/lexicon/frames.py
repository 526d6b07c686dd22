"""What verbs do to the thing they govern: adopt it, leave it, only consider it; and how changes are told.

Phrases are plain words; endings do not count. Longer phrases win.
"""

ADOPT = (
    "use, deploy, run on, run, build with, build on, built on top of, write in, implement in, code in, deploy on, deploy to, host on, host with, host in, host by, choose, choose to use, pick, select, adopt, go with, ended up with, end up going with, settle on, settle for, "
    "rely on, depend on, power by, base on, store in, persist in, persist to, save to, manage, handle, love, happy with, happier with, stick with, standardise on, standardize on, stay on, stay with, stayed with, still on, require, need, leverage, "
    "employ, utilise, utilize, integrate with, integrate, serve by, back by, backed by, support by, test with, monitor with, monitor via, monitor by, ship with, ship on, ship to, decide on, decide to use, agree to use, agree on, commit to, opt for, land on, live on, consist of, comprise, "
    "include, have, work with, code with, develop in, develop with, compile with, compile to, target, authenticate with, authenticate via, authenticate through, authenticate using, secure with, send via, send through, queue in, queue with, cache in, cache with, orchestrate with, orchestrate by, provision with, manage with, manage by, manage through, maintain in, keep in, front by, sit behind, "
    "process with, process by, publish to, consume from, talk to, communicate over, communicate via, speak, expose, return, serialise with, serialize to, log to, track with, track in, run in, run with, run via, package with, package as, license under, release under, distribute under, lint with, format with, bundle with, type check with, should deploy on, prefer, equip with, configure with, set up with, done with, done in, done via, bring in, brought in, introduce, put in, land on, landed on"
)
# `migrate to Y`, `migrate from X to Y`: Y now, X before.
MIGRATE = "migrate, switch, move, move over, transition, convert, change, port, upgrade, shift, go back, went back, roll back, switch over, cut over, jump, swap, rewrite, rewritten, update, bump, raise, increase, lower, reduce, decrease, downgrade, promote, relocate, transfer, rename, extend, shorten, rebrand, cut, drop back, double, halve, flip, turn"
LEAVE = (
    "drop, rip out, remove, abandon, deprecate, retire, sunset, replace, ditch, kill, phase out, get rid of, got rid of, leave, leave behind, moved off, move off, move away from, migrate off, migrate away from, switch away from, stop using, stopped using, quit, discontinue, "
    "decommission, eliminate, scrap, delete, no more, no longer use, no longer, retired from, moved on from, away from, outgrow, outgrew, strip out, tear out, tore out, rid of, shut down, turn off, turned off, discard, withdraw, reject, decide against, rule out, avoid, do without, skip, forbid, ban, disallow, prohibit"
)
CONSIDER = (
    "consider, evaluate, think about, think of, explore, look at, look into, investigate, try, try out, experiment with, prototype, might, maybe, perhaps, propose, discuss, debate, assess, want to, would like to, hope to, plan to, plan on, planning, intend to, "
    "aim to, going to, eventually, someday, learning, not sure, unsure, should we, whether, if, toy with, play with, pilot, spike, possibly, potentially, candidate, wonder, suggest, about to, roadmap, upcoming, in the future"
)
# A plan is stated, though nothing holds yet.
PLANNED = "plan, planned, planning, will, going to, intend, aim, scheduled, upcoming, roadmap, want, wants, would like, hope, next year, next quarter, next month, next week, goal, about to, target, eventually"
PAST = "was, were, previously, formerly, originally, initially, used to, earlier, back then, at first, once, no longer, had been, in the past, historically, prior, ex, before, until recently, until, not anymore, anymore, any more, old, former, previous, prior"
# Verbs whose simple past tells an event and not a state that is over.
EVENTS = "diagnos prescrib admit born found graduat studi attend releas publish start join creat marri win award receiv complet earn pass visit found introduc launch add fix merg own invent complet finish hir promot rais writ write build designed decid choos choose licens nam call set configur develop mad make locat bas employ host deploy agre adopt pick settl select sign approv land ship mention say meet mean"
INSTEAD = "instead of, rather than, in place of, as opposed to, over, not, in lieu of, unlike"
RETRACT = (
    r"(?:i|we)\s+meant\s+(?P<new>[^,;.()]+?)\s*,?\s*(?:and\s+)?not\s+(?P<old>[^,;.()]+)",
    r"\bnot\s+(?P<old>[^,;.()]+?)\s*[,;–—-]+\s*(?:but|it'?s|i\s+meant|rather|actually|make\s+that)\s+(?P<new>[^,;.()]+)",
    r"\bcorrection\s*[:,–—-]\s*(?:it(?:'s| is| was)\s+|(?:i|we)\s+\S+\s+\S+\s+)?(?P<new>[^,;.()]+?)\s*,?\s*(?:and\s+)?(?:not|rather than|instead of)\s+(?P<old>[^,;.()]+)",
    r"\bshould\s+(?:have\s+)?(?:said|read|say|be)\s+(?P<new>[^,;.()]+?)\s*,?\s*(?:not|rather than|instead of)\s+(?P<old>[^,;.()]+)",
    r"\bscratch\s+(?P<old>[^,;.()]+?)\s*[,;–—-]+\s*(?:it(?:'s| is)\s+)?(?P<new>[^,;.()]+)",
    r"\b(?:it(?:'s| is)|that(?:'s| is))\s+(?P<new>[^,;.()]+?)\s*,\s*not\s+(?P<old>[^,;.()]+)",
)
