"""OpenCode. https://opencode.ai/docs/plugins"""

from __future__ import annotations

import json
from collections.abc import Mapping

from grounded_ingest.agents.event import (
    AgentEvent,
    HookOutput,
    HookReply,
    InstalledHook,
    Moment,
    Payload,
    edit_of,
    json_output,
    object_of,
    string_of,
)

PLUGIN = """\
// Hands what OpenCode's agent does to grounded-ingest, and what that says to the agent's model.
// Written by `grounded-ingest init --agent opencode`; delete the file to take it out.
import { spawn } from "node:child_process"

const COMMAND = %s

function ask(payload) {
  return new Promise((resolve) => {
    const child = spawn(`${COMMAND} hook --agent opencode`, { shell: true, timeout: 60000 })
    let out = ""
    child.stdout.on("data", (piece) => (out += piece))
    child.on("error", () => resolve({}))
    child.on("close", () => {
      try { resolve(JSON.parse(out)) } catch { resolve({}) }
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(payload))
  })
}

const waiting = new Map()
const begun = new Map()

export const GroundedIngest = async ({ directory }) => ({
  "experimental.chat.system.transform": async (input, output) => {
    const session = input.sessionID ?? ""
    if (!begun.has(session)) begun.set(session, ask({ opencode: "start", directory }))
    const told = await begun.get(session)
    if (told.text) output.system.push(told.text)
  },
  "tool.execute.before": async (input, output) => {
    if (!["bash", "write", "edit"].includes(input.tool)) return
    const told = await ask({ opencode: "before", directory, tool: input.tool, args: output.args })
    if (told.refused) throw new Error(told.text)
    if (told.text) waiting.set(input.callID, told.text)
  },
  "tool.execute.after": async (input, output) => {
    const said = waiting.get(input.callID)
    waiting.delete(input.callID)
    const wrote = ["write", "edit"].includes(input.tool)
    const told = wrote
      ? await ask({ opencode: "after", directory, tool: input.tool, args: input.args })
      : {}
    for (const text of [said, told.text]) if (text) output.output += `\\n\\n${text}`
  },
})
"""


class OpenCode:
    """A plugin of ours in the project, which speaks this protocol: what an agent's tool is given
    before and after it ran; the answer is text for the model, and whether it is refused. OpenCode
    asks nobody before it stops."""

    name = "opencode"
    trust = ""
    files = (".opencode/plugins/grounded-ingest.js",)

    def sent(self, payload: Payload) -> bool:
        return "opencode" in payload

    def event(self, payload: Payload) -> AgentEvent:
        name, tool = string_of(payload, "opencode"), string_of(payload, "tool")
        given = object_of(payload, "args")
        command = string_of(given, "command") if tool == "bash" else ""
        edits = edit_of(given) if tool in ("write", "edit") else ()
        moment: Moment = "session-start" if name == "start" else "other"
        if edits:
            moment = "wrote" if name == "after" else "before-write"
        elif command and name == "before":
            moment = "before-command"
        return AgentEvent(moment, name, string_of(payload, "directory"), edits, command)

    def output(self, event: AgentEvent, reply: HookReply) -> HookOutput:
        del event
        told = {"text": reply.text, "refused": reply.refused}
        return json_output(told)

    def installed(self, program: str, standing: Mapping[str, str]) -> tuple[InstalledHook, ...]:
        del standing
        return (InstalledHook(self.files[0], PLUGIN % json.dumps(program)),)
