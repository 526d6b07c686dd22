"""Programs and local servers that can be a judge, as `init` offers them."""

ENVIRONMENT = (
    "HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME "
    "XDG_STATE_HOME XDG_RUNTIME_DIR SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS "
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA "
    "TEMP TMP"
)
"""Variables that a judge's program gets besides PATH and the granted ones. None is a secret."""

PROGRAMS = {
    "claude": (
        "claude", "-p", "--safe-mode", "--tools", "", "--strict-mcp-config",
        "--no-session-persistence",
    ),
    "codex": (
        "codex", "exec", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral",
        "--disable", "shell_tool", "--disable", "unified_exec", "--disable", "multi_agent",
        "--disable", "goals", "--disable", "view_image", "-c", 'web_search="disabled"', "-",
    ),
    "gemini": ("gemini", "--approval-mode", "default", "--extensions", "none", "-p", ""),
}  # fmt: skip
"""How an agent's program answers one question on its input, by the name `init` knows it by: without
tools, or where it cannot do without, without leave to write and run. OpenCode is not among them:
it has neither."""

SERVERS = {"llama.cpp": 8080, "ollama": 11434, "lmstudio": 1234, "vllm": 8000}
"""Default ports of model servers on this machine."""
