"""A model on loopback whose answers are written beforehand, in the four protocols that coding agents
speak: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions, Gemini.

    scripted_model.py PORT SCRIPT LOG COMMAND…

runs COMMAND with the model at http://127.0.0.1:PORT and ends with its exit code. SCRIPT is a list of
steps, a tool's call or a text; every request that offers the tools of the script takes one, and
later ones are answered with a text. LOG gets a line of JSON for each request.
"""

from __future__ import annotations

import fcntl
import gzip
import json
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypedDict

Json = dict[str, Any]
Events = list[Json | str]
MOST = 24
"""Requests that are answered: an agent that goes on asking is ended."""
LAST_WORDS = "Done."
ASIDE = '{"title": "A session", "next_speaker": "user"}'
"""What a request beside the conversation gets, one for a title for instance."""


class Step(TypedDict, total=False):
    """What the model does next. `free`: the tool takes a text and no JSON; `namespace`
    is where Codex keeps it."""

    text: str
    tool: str
    input: Any
    free: bool
    namespace: str


def anthropic(step: Step, number: int) -> Events:
    used = {"input_tokens": 10, "output_tokens": 5}
    if "tool" in step:
        block = {"type": "tool_use", "id": f"toolu_{number:08}", "name": step["tool"], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step["input"])}
    else:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": step["text"]}
    message = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": "scripted",
        "content": [], "stop_reason": None, "stop_sequence": None, "usage": used,
    }  # fmt: skip
    reason = "tool_use" if "tool" in step else "end_turn"
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": used},
        {"type": "message_stop"},
    ]


def responses(step: Step, number: int) -> Events:
    call = {"call_id": f"call_{number}", "name": step.get("tool")}
    if "namespace" in step:
        call["namespace"] = step["namespace"]
    if "tool" not in step:
        said = {"type": "output_text", "text": step["text"], "annotations": []}
        item: Json = {
            "type": "message",
            "id": f"m_{number}",
            "role": "assistant",
            "content": [said],
        }
    elif step.get("free"):
        item = {"type": "custom_tool_call", "id": f"ct_{number}", **call, "input": step["input"]}
    else:
        arguments = json.dumps(step["input"])
        item = {"type": "function_call", "id": f"fc_{number}", **call, "arguments": arguments}
    used = {
        "input_tokens": 10, "input_tokens_details": None, "output_tokens": 5,
        "output_tokens_details": None, "total_tokens": 15,
    }  # fmt: skip
    answer = f"resp_{number}"
    return [
        {"type": "response.created", "response": {"id": answer}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": answer, "usage": used}},
    ]


def chat(step: Step, number: int) -> Events:
    if "tool" in step:
        function = {"name": step["tool"], "arguments": json.dumps(step["input"])}
        call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
        delta: Json = {"role": "assistant", "content": None, "tool_calls": [call]}
    else:
        delta = {"role": "assistant", "content": step["text"]}
    head = {
        "id": f"c{number}", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
    }  # fmt: skip
    reason = "tool_calls" if "tool" in step else "stop"
    used = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": used},
        "[DONE]",
    ]


def gemini(step: Step, number: int) -> Events:
    del number
    part: Json = {"text": step.get("text", "")}
    if "tool" in step:
        part = {"functionCall": {"name": step["tool"], "args": step["input"]}}
    content = {"role": "model", "parts": [part]}
    used = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return [{"candidates": [candidate], "usageMetadata": used}]


PROTOCOLS = {
    "/messages": anthropic, "/responses": responses, "/chat/completions": chat,
    ":streamGenerateContent": gemini, ":generateContent": gemini,
}  # fmt: skip
"""By how the path of a request ends."""


def offered(body: Json) -> Iterator[str]:
    """The names of the tools of a request. Codex has a namespace around some, and gives its newer
    models all of them as an item of the input."""
    for tool in (*(body.get("tools") or ()), *body.get("functionDeclarations", ())):
        if name := tool.get("name") or tool.get("function", {}).get("name"):
            yield name
        yield from offered(tool)
    if isinstance(said := body.get("input"), list):
        for item in said:
            yield from offered({"tools": item.get("tools")})


class Script:
    """The steps, one for each request of the conversation, and the log of all requests."""

    def __init__(self, steps: list[Step], log: str) -> None:
        self._steps, self._log = iter(steps), log
        self._tools = {s["tool"] for s in steps if "tool" in s}
        self._lock, self.requests = threading.Lock(), 0

    def next(self, path: str, body: Json) -> tuple[Step, int]:
        """The answer to a request and its number."""
        names = set(offered(body))
        conversation = bool(names and self._tools <= names)
        with self._lock:
            self.requests += 1
            told = {"path": path, "conversation": conversation, "body": body}
            with open(self._log, "a", encoding="utf-8") as file:
                file.write(json.dumps(told) + "\n")
            if not conversation:
                return {"text": ASIDE}, self.requests
            return next(self._steps, {"text": LAST_WORDS}), self.requests


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Script
    agent: subprocess.Popen[bytes]

    def log_message(self, *_: Any) -> None:
        """Nothing: the log is of bodies."""

    def do_HEAD(self) -> None:
        self._send("{}", "application/json")

    def do_GET(self) -> None:
        self._send('{"object": "list", "data": [], "models": []}', "application/json")

    def do_POST(self) -> None:
        body, path = self._body(), self.path.partition("?")[0]
        form = next((p for end, p in PROTOCOLS.items() if path.endswith(end)), None)
        if form is None:
            self._send('{"input_tokens": 10}', "application/json")
            return
        step, number = self.script.next(path, body)
        if number > MOST:
            self.agent.terminate()
        events = form(step, number)
        if path.endswith(":generateContent"):
            self._send(json.dumps(events[0]), "application/json")
            return
        self._send("".join(map(_sse, events)), "text/event-stream")

    def _body(self) -> Json:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            raw = b""
            while size := int(self.rfile.readline().strip() or b"0", 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        try:
            found = json.loads(raw or b"{}")
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _send(self, text: str, kind: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.close_connection = True


def _sse(event: Json | str) -> str:
    if isinstance(event, str):
        return f"data: {event}\n\n"
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event)}\n\n"


def loopback_up() -> None:
    """In a network namespace of its own, the loopback interface is down: bring it up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        flags = struct.unpack("16sh", fcntl.ioctl(asked, 0x8913, struct.pack("16sh", b"lo", 0)))[1]
        if not flags & 1:
            fcntl.ioctl(asked, 0x8914, struct.pack("16sh", b"lo", flags | 1))


def main(port: str, script: str, log: str, *command: str) -> int:
    loopback_up()
    with open(script, encoding="utf-8") as file:
        Handler.script = Script(json.load(file), log)
    server = ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as agent:
        Handler.agent = agent
        signal.signal(signal.SIGTERM, lambda *_: agent.terminate())
        return agent.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
