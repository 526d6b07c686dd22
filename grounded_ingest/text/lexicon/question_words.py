"""Words that a search for a question ignores, and synonyms. Each line in `synonyms` and
`support_words` is a group of words for the same thing."""

LITTLE = (
    "many much long often far big come comes came go goes went put get got look looking see tell mean means happen happens kind still now "
    "once only really already else exactly first last new old good bad right any some give gives given take takes taken make makes made "
    "change changes changed work works need needs want use used using uses ever actually possible possibly thing things way ways people "
    "somebody someone anyone place start starts end time times day today currently normal usual usually know find found show shows apply "
    "applies fit let say says said call called become became turn turns part side kept keep both own same other another next even instead "
    "too also again back"
)

GROUPS = (
    "timeout time_out times_out", "login log_in", "setup set_up", "backup back_up", "hostname host_name", "filename file_name",
    "username user_name", "startup start_up", "shutdown shut_down", "hangup hang_up", "lookup look_up", "rollback roll_back",
    "fallback fall_back", "backoff back_off", "opt-in opt_in", "react respond answer return", "write record note document",
    "auth authorization authorisation oauth oauth2", "body payload content", "absent missing without lack", "valid validity expire",
    "copy replica instance", "commit change patch", "introduce add bring come", "cost price fee money", "firewall port",
    "lifetime ttl expiry validity", "lowest minimum floor least", "highest maximum ceiling most", "upper maximum", "lower minimum",
    "exception error raise", "immediately once instantly", "wait delay pause sleep", "silent silence quiet mute", "forbid never not",
    "must required mandatory", "cloud remote hosted", "local offline", "allowlist whitelist", "blocklist denylist blacklist",
    "caller user client", "phone call", "person human operator", "machine server host", "setting variable option flag configuration",
    "disk file storage", "ram memory", "cpu processor", "speed latency performance", "slow latency", "broken fail failing red",
    "green pass passing", "ship release publish deploy", "undo revert rollback", "why because reason rationale",
    "reject refuse decline deny", "drop remove discard delete", "merge land", "pr pull request", "repo repository", "docs documentation",
    "spelling name", "key token secret credential", "sign signature", "step procedure", "hang stuck block freeze", "crash abort panic",
    "restart reboot reload", "upgrade update bump", "downgrade rollback", "log trace record", "alert alarm notify notification",
    "spec specification standard rfc", "abandon drop reject", "postpone defer delay later", "owner maintainer responsible",
    "split divide separate separator", "join combine merge", "approve accept sign-off", "leak expose disclose print", "expire timeout",
    "prevent stop block guard protect", "number count amount", "order sequence", "copying clone duplicate", "encrypted tls ssl encryption",
    "browser frontend ui", "schedule cron interval", "test tests suite pytest", "folder directory path", "install setup", "begin start",
    "guess assume", "transcript transcription asr stt recognition", "speech voice tts audio", "hangup hang disconnect",
    "lane branch worktree",
)  # fmt: skip

VALUES = (
    (r"^(?:which|what)\b.*\bversions?\b",
     r"\d+\.\d|\bv?\d+(?:\+|\.x)|\d+ (?:or|and) (?:later|newer|above|higher|up)|(?:>=?|least) ?v?\d"),
    (r"\bhow (?:long|old|often)\b", r"\b(?:second|minute|hour|day|week|month|year)s?\b|\b(?:hour|dai|week|month|year)ly\b|\d ?(?:ms|s|min|h|d)\b"),
    (r"\b(?:which|what)\b.*\bports?\b", r"\b\d{2,5}\b"),
    (r"^(?:which|what|where)\b.*\b(?:url|address)\b", r"https?://\w|\blocalhost\b|\w\.\w+/|\w@\w"),
)  # fmt: skip
"""Pairs of patterns: a question that asks for a value, and a text with such a value."""
