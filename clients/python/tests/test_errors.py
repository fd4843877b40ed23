import json
import pickle
import random
import unittest

from prefer import BusyError, ConflictError, DeniedError, FieldError, InvalidError, NotFoundError, ProblemError
from prefer.errors import problem


class ProblemTest(unittest.TestCase):
    def test_fields(self) -> None:
        body = {
            "type": "urn:prefer:answer",
            "title": "Unprocessable Entity",
            "status": 422,
            "detail": "choice is \"both\"",
            "errors": [{"location": "body.choice", "message": "want first", "value": "both"}],
        }
        e = problem(422, "x", json.dumps(body).encode())
        self.assertIs(type(e), InvalidError)
        self.assertEqual((e.status, e.title, e.detail, e.kind), (422, "Unprocessable Entity", "choice is \"both\"", "answer"))
        self.assertEqual(e.errors, (FieldError("body.choice", "want first", "both"),))
        self.assertEqual(str(e), '422 Unprocessable Entity: choice is "both"; body.choice: want first')

    def test_every_status_has_its_exception(self) -> None:
        for status, kind in ((400, InvalidError), (401, DeniedError), (403, DeniedError), (404, NotFoundError), (409, ConflictError),
                             (413, InvalidError), (422, InvalidError), (429, BusyError), (503, BusyError), (500, ProblemError)):  # fmt: skip
            self.assertIs(type(problem(status, "", b"{}")), kind, status)

    def test_request(self) -> None:
        body = b'{"detail":"not now","instance":"urn:prefer:request:a:1"}'
        for status, text in ((503, "503 x: not now; request a:1"), (404, "404 x: not now")):
            e = pickle.loads(pickle.dumps(problem(status, "x", body)))
            self.assertEqual((e.request, str(e)), ("a:1", text))
        self.assertEqual(problem(404, "x", b"{}").request, "")

    def test_not_json(self) -> None:
        e = problem(502, "Bad Gateway", b"<h1>gone</h1>")
        self.assertEqual(str(e), "502 Bad Gateway: <h1>gone</h1>")

    def test_survives_pickling(self) -> None:
        e = problem(404, "Not Found", b'{"detail":"no study","errors":[{"location":"path","message":"m"}]}')
        back = pickle.loads(pickle.dumps(e))
        self.assertIs(type(back), NotFoundError)
        self.assertEqual((str(back), back.errors), (str(e), e.errors))

    def test_any_bytes_make_an_exception(self) -> None:
        rng = random.Random(1)
        seeds = [b'{"type":"t","title":null,"status":"x","detail":[1],"errors":[{"location":1},2,null]}', b'{"errors":{"a":1}}', b"[]", b"null", b"\xff\xfe"]
        for _ in range(3000):
            body = bytearray(rng.choice(seeds))
            for _ in range(rng.randrange(4)):
                body[rng.randrange(len(body))] = rng.randrange(256)
            e = problem(422, "r", bytes(body))
            self.assertTrue(str(e).startswith("422 "), body)
            self.assertTrue(all(isinstance(f, FieldError) for f in e.errors), body)
