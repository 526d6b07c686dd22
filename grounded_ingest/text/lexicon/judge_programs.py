"""Programs and local servers that `init` offers as judge model."""

ENVIRONMENT = (
    "HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME "
    "XDG_STATE_HOME XDG_RUNTIME_DIR SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS "
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA "
    "TEMP TMP"
)
"""Environment variables that the program gets besides PATH and the granted variables. No variable
in this list is a secret."""

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
"""Maps the name of an agent in `init` to the command that answers one question from standard input.
The command turns off the agent's tools, or at least the permissions to write files and run
commands. OpenCode is not in the list, because it cannot do this."""

SERVERS = {"llama.cpp": 8080, "ollama": 11434, "lmstudio": 1234, "vllm": 8000}
"""Maps model servers to the default port that they use on this machine."""
