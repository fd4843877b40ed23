"""A network that misbehaves on command, between the client and a server."""

from __future__ import annotations

import http.client
import threading
import urllib.parse
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Deque, Dict, List, Optional, Tuple, Type


class Proxy:
    """Forwards requests to a server. `plan` says what happens to the next ones, then all pass:

    lost      the server does it, the reply is dropped
    cut       the server does it, half of the reply arrives
    never     dropped before the server sees it
    twice     the server gets it twice, the second reply arrives
    429, 503, 502: this status instead of the server, with Retry-After where `retry_after` is set

    `seen` lists method, path and headers of what arrived here, `done` counts what the server was given.
    """

    def __init__(self, upstream: str):
        self.plan: Deque[str] = deque()
        self.seen: List[Tuple[str, str, Dict[str, str]]] = []
        self.done = 0
        self.retry_after: Optional[str] = None
        host = urllib.parse.urlsplit(upstream).netloc
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # a reply in one piece

            def log_message(self, format: str, *args: object) -> None:
                pass

            def handle_one(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                proxy.seen.append((self.command, self.path, dict(self.headers)))
                what = proxy.plan.popleft() if proxy.plan else "pass"
                if what == "never":
                    self.close_connection = True
                    return
                if what.isdigit():
                    self.answer(int(what), b"<h1>not now</h1>", "text/html")
                    return
                for _ in range(2 if what == "twice" else 1):
                    status, kind, reply = self.forward(body)
                if what == "lost":
                    self.close_connection = True
                    return
                self.answer(status, reply, kind, len(reply) // 2 if what == "cut" else len(reply))

            do_GET = do_POST = do_DELETE = handle_one

            def forward(self, body: bytes) -> Tuple[int, str, bytes]:
                proxy.done += 1
                upstream = http.client.HTTPConnection(host, timeout=60)
                headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "connection")}
                upstream.request(self.command, self.path, body or None, headers)
                response = upstream.getresponse()
                reply = response.read()
                upstream.close()
                return response.status, response.headers.get("Content-Type", ""), reply

            def answer(self, status: int, body: bytes, kind: str, cut: Optional[int] = None) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                if status in (429, 503) and proxy.retry_after:
                    self.send_header("Retry-After", proxy.retry_after)
                self.end_headers()
                self.wfile.write(body[:cut])
                if cut is not None and cut < len(body):
                    self.close_connection = True

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "Proxy":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self._server.shutdown()
        self._server.server_close()
