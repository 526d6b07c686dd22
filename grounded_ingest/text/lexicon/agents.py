"""Signs that a coding agent wrote a commit. An agent can also commit without any of them."""

ENVIRONMENT = (
    "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CURSOR_AGENT", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI", "OPENCODE", "AIDER_MODEL",
    "AMP_THREAD_ID", "AMP_CURRENT_THREAD_ID", "REPLIT_AGENT", "COPILOT_AGENT_SESSION_ID", "JULES_SESSION_ID", "AUGMENT_AGENT",
    "CLINE_ACTIVE", "QWEN_CODE", "GOOSE_TERMINAL", "AGENT_SESSION_ID",
)  # fmt: skip

AUTHORS = (
    "noreply@anthropic.com", "+copilot@users.noreply.github.com", "amp@ampcode.com", "cursoragent@cursor.com", "gemini-code-assist[bot]",
    "factory-droid[bot]", "cline-agent@users.noreply.github.com", "claude[bot]", "google-labs-jules[bot]", "devin-ai-integration[bot]",
    "copilot-swe-agent[bot]", "codex@openai.com",
)  # fmt: skip
TRAILERS = ("claude-session:", "agent-logs-url:", "agent-signature:", "executed-by:")
BODY = ("generated with [claude code]", "generated with claude code")
BOTS = ("[bot]@", "[bot]>", "[bot] <", "_bot_")
"""Parts of `name <address>` that only the bots of a hosting service have."""
