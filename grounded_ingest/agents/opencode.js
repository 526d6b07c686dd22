// Hands what OpenCode's agent does to grounded-ingest, and what that says to the agent's model.
// Written by `grounded-ingest init --agent opencode`; delete the file to take it out.
import { spawn } from "node:child_process"

const COMMAND = "PROGRAM"

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
    for (const text of [said, told.text]) if (text) output.output += `\n\n${text}`
  },
})
