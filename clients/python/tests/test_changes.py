import socket
import threading
import time
import unittest
from typing import List

from prefer import Change, Client, DeniedError, NotFoundError, UnreachableError

from .serving import serving


class Wire:
    """A server that sends each of its texts to one connection and hangs up."""

    def __init__(self, *texts: str):
        self.asked: List[str] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._texts = texts
        self._thread = threading.Thread(target=self._serve)

    def _serve(self) -> None:
        for text in self._texts:
            connection, _ = self._socket.accept()
            with connection:
                self.asked.append(connection.recv(65536).decode())
                connection.sendall(text.encode())
        self._socket.close()

    def __enter__(self) -> "Wire":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()


OK = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


class ChangesTest(unittest.TestCase):
    def test_reconnects(self) -> None:
        first = OK + 'retry: 1000\n\nid: 4\nevent: changed\ndata: {"seq": 4, "kind": "now"}\n\n: still here\n\nid: 5\nevent: changed\nda'
        busy = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
        then = OK + 'id: 6\r\nevent: changed\r\ndata: {"seq": 6,\r\ndata:  "kind": "answered"}\r\n\r\n'
        last = OK + 'id: 7\nevent: changed\ndata: {"seq": 7, "kind": "gone"}\n\n'
        with Wire(first, busy, then, last) as wire, Client(wire.url) as client:
            heard = list(client.study("x").events())
        self.assertEqual(heard, [Change(4, "now"), Change(6, "answered"), Change(7, "gone")])
        known = [next((line.split()[1] for line in asked.splitlines() if line.startswith("Last-Event-ID")), None) for asked in wire.asked]
        self.assertEqual(known, [None, "4", "4", "6"])

    def test_gives_up(self) -> None:
        with Wire(OK + 'data: {"seq": 1, "kind": "now"}\n\n') as wire, Client(wire.url, patience=0.3) as client:
            changes = client.study("x").events()
            self.assertEqual(next(changes).seq, 1)
            with self.assertRaises(UnreachableError):
                next(changes)

    def test_a_server(self) -> None:
        with serving("--owner-token", "of-the-owner-of-this-test") as url, Client(url, "of-the-owner-of-this-test") as client, Client(url, "nobody's-token") as stranger:
            with self.assertRaises(NotFoundError):
                next(client.study("line").events())
            study = client.create("line", {"params": [{"name": "x", "low": 0, "high": 1}]})
            with self.assertRaises(DeniedError):
                next(stranger.study("line").events())
            question = study.ask("anna")
            self.assertEqual(next(study.events()).seq, question.seq)
            changes = study.events(question.seq)  # nothing new: it waits
            heard: List[Change] = []
            waiting = threading.Thread(target=lambda: heard.extend(changes))
            waiting.start()
            study.tell(question, "first")
            end = time.monotonic() + 60
            while not any(c.seq > question.seq for c in heard) and time.monotonic() < end:
                time.sleep(0.01)
            changes.close()
            waiting.join()
            self.assertIn([c.kind for c in heard if c.seq > question.seq and c.kind != "verdict"], (["answered"], ["now"]), "now, if the stream began after it")
