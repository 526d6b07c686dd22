"""What every repository has one of its own of, so that two may say different things of theirs."""

from __future__ import annotations

# Subjects, in the form that facts have them in: one word each, or a phrase.
SUBJECTS = (
    "app", "application", "api", "application programming interface", "backend", "back end",
    "cache", "cli", "client", "code", "codebase", "command", "config", "configuration", "console",
    "container", "daemon", "dashboard", "database", "db", "default", "deployment", "dev server",
    "development", "development server", "docs", "documentation", "environment", "frontend",
    "front end", "host", "http server", "image", "language", "library", "local server", "note",
    "overview", "package", "page", "platform", "port", "process", "product", "program", "project",
    "repo", "repository", "rule", "runtime", "script", "server", "service", "setting", "setup",
    "site", "stack", "storybook", "system", "test", "tool", "ui", "web", "web app", "web server",
    "website", "worker",
)  # fmt: skip
# What each repository chooses for itself, of whatever it is said.
SLOTS = "version runtime"
