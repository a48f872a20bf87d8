"""A real llama-server behind a proxy that harms what a real one cannot be made to harm.

Started as `harmful_proxy.py SERVER HARM ARGS...`: the third request to /completion (the first is
the warm-up) is harmed, all else passes.
"""

import json
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from speculoos.measure.server import free_port

THIRD = 3


def hang(_: BaseHTTPRequestHandler, __: bytes) -> None:
    """Never answer, while /health stays green."""
    time.sleep(3600)


def cut(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """Half the answer, then a clean end of file."""
    _begin(handler)
    handler.wfile.write(body[: len(body) // 2])


def endless(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """A few bytes now and then, for ever: no pause is long enough for a timeout."""
    _begin(handler)
    while True:
        handler.wfile.write(b": still here\n" if body.startswith(b"data") else b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def fail(handler: BaseHTTPRequestHandler, _: bytes) -> None:
    """HTTP 500."""
    handler.send_error(500)


def lie(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """One draft token more in the timings than in the counters."""
    answer = json.loads(body)
    answer["timings"]["draft_n"] += 1
    _send(handler, answer)


def truncate(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """The context was cut."""
    _send(handler, json.loads(body) | {"truncated": True})


def shorten(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """Fewer tokens than the steps must have given."""
    answer = json.loads(body)
    answer["timings"]["predicted_n"] -= 7
    _send(handler, answer)


def end(handler: BaseHTTPRequestHandler, body: bytes) -> None:
    """The text ended by itself, where the baseline's was stopped."""
    _send(handler, json.loads(body) | {"stop_type": "eos"})


HARMS = {each.__name__: each for each in (hang, cut, endless, fail, lie, truncate, shorten, end)}


def _send(handler: BaseHTTPRequestHandler, answer: dict[str, object]) -> None:
    _begin(handler)
    handler.wfile.write(json.dumps(answer).encode())


def _begin(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()


class Proxy(BaseHTTPRequestHandler):
    """Passes every request on, and counts those to /completion."""

    target, harm, asked = "", None, 0

    def do_GET(self) -> None:
        """Pass it on."""
        self._pass(b"")

    def do_POST(self) -> None:
        """Pass it on, or harm it."""
        self._pass(self.rfile.read(int(self.headers["Content-Length"])))

    def _pass(self, body: bytes) -> None:
        kept = {name: self.headers[name] for name in ("Authorization", "Content-Type")}
        headers = {name: value for name, value in kept.items() if value}
        try:
            answer = httpx.request(
                self.command, self.target + self.path, content=body, headers=headers, timeout=60
            )
        except httpx.HTTPError:
            self.send_error(503)
            return
        Proxy.asked += self.path == "/completion"
        if self.path == "/completion" and Proxy.harm and Proxy.asked == THIRD:
            Proxy.harm(self, answer.content)
            return
        self.send_response(answer.status_code)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_: object) -> None:
        """Say nothing: the log is the server's."""


def main(server: str, harm: str, *args: str) -> None:
    """Start the real server on a port of its own, and listen on the port that was asked for."""
    at = args.index("--port") + 1
    behind = free_port()
    with subprocess.Popen([server, *args[:at], str(behind), *args[at + 1 :]]):
        Proxy.target = f"http://127.0.0.1:{behind}"
        Proxy.harm = staticmethod(HARMS[harm])
        ThreadingHTTPServer(("127.0.0.1", int(args[at])), Proxy).serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
