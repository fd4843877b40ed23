import random
import socket
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import List
from unittest import mock

from prefer import BusyError, PreferError, ProblemError, UnreachableError
from prefer.transport import Transport, retry_after

from .proxy import Proxy


class Hello(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        pass


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: List[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class TransportTest(unittest.TestCase):
    server: ThreadingHTTPServer
    url: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), Hello)
        cls.server.daemon_threads = True
        threading.Thread(target=cls.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        cls.url = f"http://127.0.0.1:{cls.server.server_address[1]}"

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self) -> None:
        self.proxy = self.enterContextOf(Proxy(self.url))
        self.time = Time()
        self.transport = self.make(self.proxy.url)

    def enterContextOf(self, proxy: Proxy) -> Proxy:  # TestCase.enterContext came with Python 3.11
        self.addCleanup(proxy.__exit__, None, None, None)
        return proxy.__enter__()

    def make(self, url: str, patience: float = 60) -> Transport:
        t = Transport(url, "secret", patience=patience, sleep=self.time.sleep, clock=lambda: self.time.now, rng=random.Random(5))
        self.addCleanup(t.close)
        return t

    def test_repeats_what_is_safe_to_repeat(self) -> None:
        for trouble in ("lost", "cut", "never", "429", "502", "503"):
            with self.subTest(trouble):
                self.proxy.plan.extend([trouble, trouble])
                before = len(self.proxy.seen)
                self.assertEqual(self.transport.request("POST", "/x", b"{}").json(), {})
                self.assertEqual(len(self.proxy.seen) - before, 3)

    def test_does_not_repeat_what_may_have_been_done(self) -> None:
        for trouble, error in (("lost", UnreachableError), ("cut", UnreachableError), ("502", ProblemError), ("503", BusyError)):
            with self.subTest(trouble):
                self.proxy.plan.append(trouble)
                before = len(self.proxy.seen)
                with self.assertRaises(error):
                    self.transport.request("POST", "/x", b"{}", repeatable=False)
                self.assertEqual(len(self.proxy.seen) - before, 1)
        self.proxy.plan.append("429")
        self.transport.request("POST", "/x", b"{}", repeatable=False)

    def test_an_unused_connection_that_died_is_no_excuse(self) -> None:
        self.transport.request("GET", "/x")
        for idle in self.transport._idle:
            idle.sock.shutdown(2)
        self.transport.request("POST", "/x", b"{}", repeatable=False)
        self.assertEqual(self.time.slept, [])

    def test_keeps_its_connection(self) -> None:
        self.transport.request("GET", "/x")
        kept = list(self.transport._idle)
        self.transport.request("GET", "/y")
        self.assertEqual(self.transport._idle, kept)
        self.assertEqual(len(kept), 1)

    def test_timeouts(self) -> None:
        self.transport.request("GET", "/x", extra=12.5)
        self.assertEqual([c.sock.gettimeout() for c in self.transport._idle], [42.5])
        self.transport.request("GET", "/x")
        self.assertEqual([c.sock.gettimeout() for c in self.transport._idle], [30])

    def test_no_reply_in_time(self) -> None:
        release = threading.Event()
        self.addCleanup(release.set)
        with mock.patch.object(Hello, "do_GET", lambda handler: release.wait()):
            impatient = Transport(self.url, timeout=0.1, patience=0)
            self.addCleanup(impatient.close)
            with self.assertRaisesRegex(UnreachableError, "timed out"):
                impatient.request("GET", "/x")

    def test_waits_grow_and_are_random(self) -> None:
        self.proxy.plan.extend(["503"] * 9)
        self.transport.request("GET", "/x")
        bounds = [0.1 * 2**i for i in range(7)] + [8, 8]
        rng = random.Random(5)
        self.assertEqual(self.time.slept, [rng.uniform(0, b) for b in bounds])

    def test_honours_retry_after(self) -> None:
        self.proxy.retry_after = "7"
        self.proxy.plan.extend(["429", "503"])
        self.transport.request("GET", "/x")
        self.assertEqual(len(self.time.slept), 2)
        self.assertTrue(all(7 <= s <= 7.2 for s in self.time.slept), self.time.slept)

    def test_gives_up_when_told_to_wait_too_long(self) -> None:
        self.proxy.retry_after = "61"
        self.proxy.plan.append("503")
        with self.assertRaises(BusyError) as caught:
            self.transport.request("GET", "/x")
        self.assertEqual((caught.exception.status, self.time.slept), (503, []))

    def test_gives_up_in_the_end(self) -> None:
        self.proxy.plan.extend(["503"] * 200)
        with self.assertRaises(BusyError):
            self.transport.request("GET", "/x")
        self.assertLessEqual(self.time.now, 60)
        self.assertGreater(self.time.now, 60 - 8)

    def test_refused_connections_are_repeated_whatever_was_asked(self) -> None:
        taken = socket.socket()  # bound, and nobody listens
        self.addCleanup(taken.close)
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        for repeatable in (True, False):
            self.time.slept.clear()
            with self.assertRaises(UnreachableError) as caught:
                self.make(url, patience=2).request("GET", "/x", repeatable=repeatable)
            self.assertIn(f"GET {url}/x", str(caught.exception))
            self.assertGreater(len(self.time.slept), 2)

    def test_request_line_and_headers(self) -> None:
        self.make(self.proxy.url + "/under/").request("GET", "/x", query={"a": "b c", "none": None, "empty": "", "n": 0})
        method, path, headers = self.proxy.seen[-1]
        self.assertEqual((method, path), ("GET", "/under/x?a=b+c&n=0"))
        self.assertEqual(headers["Authorization"], "Bearer secret")

    def test_threads_share_it(self) -> None:
        failures: List[BaseException] = []

        def work() -> None:
            try:
                for _ in range(20):
                    self.transport.request("GET", "/x")
            except BaseException as e:
                failures.append(e)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failures, [])
        self.assertEqual(len(self.proxy.seen), 80)

    def test_misuse(self) -> None:
        for url in ("127.0.0.1:8080", "ftp://x", "http://", "http://x/?a=b", ""):
            with self.subTest(url), self.assertRaisesRegex(PreferError, "base_url = .*want an address like"):
                Transport(url)
        with self.assertRaisesRegex(PreferError, "timeout = 0"):
            Transport("http://x", timeout=0)


class RetryAfterTest(unittest.TestCase):
    def test_values(self) -> None:
        def now() -> float:
            return 784111777.0  # Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110

        for value, want in ((None, 0), ("", 0), ("120", 120), (" 3 ", 3), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
                            ("soon", 0), ("-5", 0), ("1e9", 0), ("Sun, 99 Nov 1994", 0)):  # fmt: skip
            self.assertEqual(retry_after(value, now), want, value)
