import unittest
from contextlib import ExitStack
from datetime import datetime, timedelta, timezone

from prefer import Client, ConflictError, DeniedError, InvalidError, NotFoundError

from .serving import serving

LINE = {"params": [{"name": "x", "low": 0, "high": 1}], "answers": {"forced": True}, "seed": 1}


class ClientTest(unittest.TestCase):
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        stack = ExitStack()
        cls.addClassCleanup(stack.close)
        cls.client = stack.enter_context(Client(stack.enter_context(serving())))

    def test_errors(self) -> None:
        study = self.client.create("errors", LINE)
        with self.assertRaises(ConflictError) as conflict:
            self.client.create("errors", LINE)
        self.assertEqual((conflict.exception.status, conflict.exception.kind), (409, "study_exists"))
        with self.assertRaises(NotFoundError) as missing:
            self.client.study("no such study").ask()
        self.assertEqual(missing.exception.kind, "no_study")
        q = study.ask("anna")
        with self.assertRaises(InvalidError) as invalid:
            study.tell(q, "best")  # type: ignore[arg-type]
        self.assertEqual([(e.location, e.value) for e in invalid.exception.errors], [("body.choice", "best")])
        with self.assertRaises(InvalidError):
            study.tell(q, "tie")  # the study is forced
        with self.assertRaises(InvalidError) as unknown:
            self.client.create("unknown-field", {**LINE, "colour": "red"})
        self.assertEqual([e.location for e in unknown.exception.errors], ["body.colour"])
        study.tell(q, "first")
        with self.assertRaises(ConflictError):
            study.tell(q, "second")

    def test_names_are_quoted(self) -> None:
        study = self.client.create("Ä b?c#d%2e", LINE)
        self.assertEqual(study.info()["name"], "Ä b?c#d%2e")
        with self.assertRaises(InvalidError) as invalid:
            self.client.study("a/../b").info()
        self.assertIn('"a/../b"', invalid.exception.detail)

    def test_studies_and_delete(self) -> None:
        study = self.client.create("one of many", LINE)
        self.assertIn(study.name, [s.name for s in self.client.studies()])
        study.delete()
        self.assertNotIn(study.name, [s.name for s in self.client.studies()])


class TokenTest(unittest.TestCase):
    OWNER = "an owner token that nobody guesses"

    def test_owner_and_rater(self) -> None:
        with serving("--owner-token", self.OWNER) as url, Client(url) as nobody, Client(url, token=self.OWNER) as owner:
            with self.assertRaises(DeniedError) as denied:
                nobody.create("s", LINE)
            self.assertEqual(denied.exception.status, 401)
            study = owner.create("s", LINE)
            link = study.link("P07")
            with Client(url, token=link.token) as rater:
                mine = rater.study("s")
                for q in mine.questions(limit=3):
                    self.assertIsNone(q.why)
                    mine.tell(q, "first")
                with self.assertRaises(DeniedError):
                    mine.best()
                with self.assertRaises(DeniedError):
                    mine.ask("somebody else")
            self.assertEqual(study.info()["answers_count"], 3)

    def test_links(self) -> None:
        with serving("--owner-token", self.OWNER) as url, Client(url, token=self.OWNER) as owner:
            study = owner.create("s", LINE)
            with self.assertRaises(InvalidError):
                study.link()
            until = datetime.now(timezone.utc) + timedelta(days=1)
            first = study.link("P07", expires=until)
            everybody = study.link(everybody=True)
            self.assertEqual([(k.id, k.rater, k.everybody, k.token) for k in study.links()], [(everybody.id, "", True, ""), (first.id, "P07", False, "")])
            self.assertEqual(study.links()[1].expires, first.expires)
            second = study.renew(first)
            self.assertEqual((second.id, second.rater), (first.id, "P07"))
            with Client(url, token=first.token) as old, self.assertRaises(DeniedError) as denied:
                old.study("s").ask()
            self.assertEqual((denied.exception.status, denied.exception.kind), (401, "link_renewed"))
            with Client(url, token=second.token) as rater:
                rater.study("s").ask()
                study.withdraw(second)
                with self.assertRaises(DeniedError) as denied:
                    rater.study("s").ask()
            self.assertEqual(denied.exception.kind, "link_withdrawn")
            with self.assertRaises(NotFoundError):
                study.withdraw(first.id)
