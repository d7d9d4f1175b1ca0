"""A model, for chats and for texts, that says what it was told to, and remembers what it was asked.

    python scripted_model.py PORT

`POST /queue {"replies": […]}` sets what it says next, else "Reply N."; `GET /log` gives every
request since the last `POST /clear`. Answers at once or, where asked to, as a stream, with as long
between two pieces as `POST /pace {"ms": …}` said last.
"""

import contextlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from typing_extensions import override

PIECE = 12  # characters that a stream sends at a time


class ScriptedModel(ThreadingHTTPServer):
    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), Answers)
        self.replies: list[str] = []
        self.requests: list[Any] = []
        self.pace_s = 0.0


class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedModel

    @override
    def log_message(self, *_arguments: object) -> None:
        """Say nothing: the console is for the report."""

    def do_GET(self) -> None:
        if self.path.endswith("/models"):
            self._send({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        else:
            self._send(self.server.requests if self.path == "/log" else {})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        model = self.server
        if self.path == "/queue":
            model.replies += body["replies"]
            self._send({"waiting": len(model.replies)})
        elif self.path == "/pace":
            model.pace_s = body["ms"] / 1000
            self._send({})
        elif self.path == "/clear":
            model.replies.clear()
            model.requests.clear()
            self._send({})
        else:
            model.requests.append(body)
            text = model.replies.pop(0) if model.replies else f"Reply {len(model.requests)}."
            is_text = "messages" not in body
            if body.get("stream"):
                self._stream(text, is_text=is_text)
            elif is_text:
                self._send(_answer("text_completion", {"text": text}))
            else:
                said = {"message": {"role": "assistant", "content": text}}
                self._send(_answer("chat.completion", said))

    def _send(self, value: object) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, text: str, *, is_text: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
        pause = threading.Event()
        with contextlib.suppress(ConnectionError):  # who asked may stop listening
            for piece in pieces:
                said = {"text": piece} if is_text else {"delta": {"content": piece}}
                kind = "text_completion" if is_text else "chat.completion.chunk"
                chunk = _answer(kind, said, ended=False)
                self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
                pause.wait(self.server.pace_s)
            self.wfile.write(b"data: [DONE]\n\n")


def _answer(kind: str, said: dict[str, Any], *, ended: bool = True) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop" if ended else None, **said}
    return {"id": "scripted", "object": kind, "model": "scripted", "choices": [choice]}


if __name__ == "__main__":
    ScriptedModel(int(sys.argv[1])).serve_forever()
