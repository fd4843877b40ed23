import http.client
import json
import re
import struct
import tempfile
import typing
import unittest
import zlib
from pathlib import Path
from typing import Any, Dict, List, Mapping, Set, Tuple, Type
from unittest import mock

import prefer
from prefer import belief, check, job, link, people, question, upload
from prefer.record import Record, fields, optional

from .serving import serving

Schema = Dict[str, Any]

# By schema of a reply: what it is read into.
RECORDS: Mapping[str, Type[Record]] = {
    "Agreement": people.Agreement, "PositionBias": people.PositionBias, "Answer": people.Said, "Belief": belief.Belief, "Best": belief.Best, "BlindCheck": check.BlindCheck, "BlindShare": check.BlindShare,
    "Budget": job.Budget, "Camp": people.Camp, "CatchCount": people.Catches, "Ending": job.Ending, "Entry": people.Entry, "Foretold": question.Foretold, "Gained": belief.Gains,
    "Group": people.Group, "Importance": belief.Importance, "Job": job.JobRecord, "Link": link.Link, "ListedLink": link.Link, "MeOutputBody": people.Me, "Media": question.Media,
    "Predicted": belief.Prediction, "Question": question.Question, "Ranked": belief.Ranked, "Rater": people.Rater, "RepeatCount": people.Repeats, "Share": people.Share,
    "Shown": question.Option, "ShownItem": question.Item, "Simulation": job.Simulation, "SimulationLevel": job.Level, "SlicePoint": belief.Point, "Standing": belief.Standing,
    "Status": question.Status, "Taken": check.Taken, "Told": question.Answer, "ListedUpload": link.UploadLink, "UploadAddress": link.UploadLink, "Uploaded": link.Uploaded, "UploadedRater": link.UploadedRater, "Upload": upload.Upload, "UtilityMap": belief.UtilityMap, "Verdict": belief.Verdict, "Why": question.Why,
}  # fmt: skip

# Replies that methods take apart, or hand on as they are.
PLAIN = {
    "Standings", "HistoryOutputBody", "RatersOutputBody", "LinksOutputBody", "ListedUploads", "JobsOutputBody", "MediaOutputBody", "Imported", "Undone", "ForgetOutputBody",
    "ItemsOutputBody", "LeaveOutputBody",  # lists of the above, counts and ids
    "Study", "StudySpace", "Settings", "Appearance", "Template", "Checks", "Catch", "Sitting", "Answers",  # Study.info
    "ListOutputBody", "DamagedStudy",  # Client.studies
    "ItemListOutputBody", "ListItem",  # Study.items
    "Quantile",  # Level.questions has it by share
    "ErrorModel", "ErrorDetail",  # errors.py
}  # fmt: skip

# Properties that no field has, or that are read otherwise.
ELSEWHERE = {
    ("Question", "kind"), ("Question", "shown_order"),  # always pairs, and in that order
    ("BlindCheck", "won"), ("BlindCheck", "lost"), ("BlindCheck", "tied"), ("BlindCheck", "of"), ("BlindCheck", "low"), ("BlindCheck", "high"),  # BlindCheck.all
    ("SimulationLevel", "questions"),  # by share
}  # fmt: skip


def resolve(schema: Schema, schemas: Mapping[str, Schema]) -> Tuple[Schema, str, bool]:
    """A schema, the name of what it refers to, and whether it may be null."""
    if "$ref" in schema:
        return schema, schema["$ref"].rpartition("/")[2], False
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return {**schema, "type": next(k for k in kinds if k != "null")}, "", "null" in kinds
    if "oneOf" in schema:
        rest = [s for s in schema["oneOf"] if s.get("type") != "null"]
        if len(rest) == 1:
            inner, name, _ = resolve(rest[0], schemas)
            return inner, name, True
    return schema, "", False


def fits(schema: Schema, type: Any, schemas: Mapping[str, Schema]) -> str:
    """What of a type does not fit its schema, "" if all does."""
    inner, name, null = resolve(schema, schemas)
    listed = typing.get_origin(type) in (list, typing.get_origin(typing.Sequence[int]), tuple)
    if null and not optional(type) and not listed:
        return f"may be null, and {type} may not"
    if optional(type):
        args = [a for a in typing.get_args(type) if a is not None.__class__]
        type = args[0] if len(args) == 1 else typing.Union[tuple(args)]
    if name:
        return "" if RECORDS.get(name) is type else f"is a {name}, which is a {RECORDS.get(name)} and no {type}"
    origin, args_ = typing.get_origin(type), typing.get_args(type)
    if "oneOf" in inner:
        return "" if type == prefer.Value else f"is a value, and no {type}"
    kind = inner.get("type")
    if kind == "array":
        if not listed:
            return f"is an array, and no {type}"
        return "".join(fits(inner["items"], a, schemas) for a in (args_ if origin is tuple else args_[:1]))
    if kind == "object":
        if origin not in (dict, typing.get_origin(Mapping[str, int])) or args_[0] is not str:
            return f"is an object, and no {type}"
        return fits(inner["additionalProperties"], args_[1], schemas) if "additionalProperties" in inner else ""
    want = {"string": str, "integer": int, "number": float, "boolean": bool}.get(str(kind))
    return "" if type is want else f"is a {kind}, and no {type}"


class SchemasTest(unittest.TestCase):
    """Every schema of a reply against the dataclass it is read into: a field that the server may leave out is None or has a default."""

    document: Dict[str, Any]
    schemas: Mapping[str, Schema]

    @classmethod
    def setUpClass(cls) -> None:
        with serving() as url, prefer.connect(url) as client:
            cls.document = json.loads(client._transport.request("GET", "/openapi.json").body)
        cls.schemas = cls.document["components"]["schemas"]

    def replies(self) -> Set[str]:
        """The schemas that replies are made of."""
        found: Set[str] = set()

        def walk(o: Any) -> None:
            if isinstance(o, dict):
                name = str(o.get("$ref", "")).rpartition("/")[2]
                if name and name not in found:
                    found.add(name)
                    walk(self.schemas[name])
                for v in o.values():
                    walk(v)
            elif isinstance(o, list):
                for v in o:
                    walk(v)

        for operations in self.document["paths"].values():
            for operation in operations.values():
                walk(operation["responses"])
        return found

    def test_every_reply_has_its_type(self) -> None:
        self.assertEqual(sorted(self.replies()), sorted(set(RECORDS) | PLAIN), "a schema of a reply has no dataclass, or a dataclass no reply")

    def test_fields(self) -> None:
        checked = 0
        for name, record in RECORDS.items():
            schema = self.schemas[name]
            by_key = {f.key: f for f in fields(record)}
            for key, property in schema["properties"].items():
                with self.subTest(f"{name}.{key}"):
                    if (name, key) in ELSEWHERE:
                        continue
                    self.assertIn(key, by_key, "no field")
                    field = by_key[key]
                    self.assertEqual(fits(property, field.type, self.schemas), "")
                    if key not in schema.get("required", []):
                        listed = typing.get_origin(field.type) in (list, typing.get_origin(typing.Sequence[int]))
                        self.assertTrue(field.default or optional(field.type) or listed or (name, key) in (("Shown", "params"), ("Question", "rater")), "the server may leave it out")
                    checked += 1
        self.assertGreater(checked, 250)

    def test_formats(self) -> None:
        for name, path, method in (("export", "/v1/studies/{study}/export", "get"), ("import_", "/v1/studies/{study}/import", "post")):
            (enum,) = [p["schema"]["enum"] for p in self.document["paths"][path][method]["parameters"] if p["name"] == "format"]
            types = typing.get_type_hints(getattr(prefer.Study, name), localns={"Figure": Any, "DataFrame": Any})
            self.assertEqual(set(typing.get_args(types["format"])), set(enum), name)

    def test_what_is_left_out(self) -> None:
        """A reply with nothing but what is required is read."""
        for name, record in RECORDS.items():
            with self.subTest(name):
                record.read(self.least({"$ref": "/" + name}))

    def least(self, schema: Schema) -> Any:
        inner, name, null = resolve(schema, self.schemas)
        if null:
            return None if "oneOf" in schema or inner.get("type") != "array" or "minItems" not in inner else [0] * inner["minItems"]
        if name:
            full = self.schemas[name]
            out = {key: self.least(full["properties"][key]) for key in full.get("required", [])}
            return {**out, "options": [self.least({"$ref": "/Shown"})] * 2} if name == "Question" else out
        if "oneOf" in inner:
            return 0
        return {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}[inner["type"]]


class OperationsTest(unittest.TestCase):
    """Every operation of openapi.json is called by some method: a new route fails here until there is one."""

    def test_every_operation(self) -> None:
        called: List[Tuple[str, str]] = []
        request = http.client.HTTPConnection.request

        def listen(self: Any, method: str, url: str, *args: Any, **more: Any) -> Any:
            called.append((method, url.partition("?")[0]))
            return request(self, method, url, *args, **more)

        with serving() as url, prefer.connect(url) as client, mock.patch.object(http.client.HTTPConnection, "request", listen):
            everything(self, client)
            document = json.loads(client._transport.request("GET", "/openapi.json").body)
        missing = []
        for path, operations in document["paths"].items():
            pattern = re.compile(re.sub(r"\\{\w+\\}|\{\w+\}", "[^/]+", path) + "$")
            for method, operation in operations.items():
                if not any(m == method.upper() and pattern.match(p) for m, p in called):
                    missing.append(operation["operationId"])
        self.assertEqual(missing, [], "no method calls these operations")


def picture(grey: int = 128) -> bytes:
    """A PNG of one pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes([0, grey]))) + chunk(b"IEND", b"")


def everything(test: unittest.TestCase, client: prefer.Client) -> None:
    """Calls every method of Client, Study and Job, and looks at what they return."""
    test.assertEqual(client.me().role, "owner")
    study = client.create("coffee", {"params": [{"name": "milk", "low": 0, "high": 1}, {"name": "sugar", "low": 0, "high": 5}], "people": "per_rater", "show_result": True})
    test.assertEqual([s.name for s in client.studies()], ["coffee"])
    test.assertEqual(study.info()["name"], "coffee")
    with study.events() as changes:
        test.assertEqual(next(changes).kind, "now")
        question = study.ask("anna")
        test.assertEqual(next(changes).kind, "asked")
    told = study.tell(question, "first", next=True)
    assert told.next is not None
    test.assertNotEqual(told.next.id, question.id)
    test.assertEqual(study.undo(rater="anna"), told.id)
    study.undo(study.tell(study.ask("anna"), "second"))
    options = [{"milk": 1.0, "sugar": 2.0}, {"milk": 0.0, "sugar": 2.0}, {"milk": 0.5, "sugar": 4.0}]
    for rater in ("anna", "ben"):
        for _ in range(3):
            study.observe(options[0], options[1], rater=rater)
    test.assertEqual(study.predict(options, "anna")[0].option, options[0])
    joint = study.joint(options, "anna")
    for i, u in enumerate(study.predict(options, "anna")):
        test.assertAlmostEqual(joint.mean[i], u.mean, 12)
        test.assertAlmostEqual(joint.covariance[i][i], u.sd**2, 10)
    draws = study.samples(options, 70, seed=3, rater="anna")
    test.assertEqual(draws[:5], study.samples(options, 5, seed=3, rater="anna"))
    test.assertNotEqual(draws[:5], study.samples(options, 5, seed=4, rater="anna"))
    pair = (options[0], options[2])
    test.assertAlmostEqual(sum(study.prefers([pair, pair[::-1]], "anna")), 1.0, 9)
    gains = study.gain([pair, pair[::-1]], rater="anna")
    test.assertEqual(gains.method, "kg")
    test.assertAlmostEqual(gains.gains[0], gains.gains[1], 8)
    test.assertEqual(study.gain([pair], "eubo", "anna").method, "eubo")
    asked = study.ask("anna")
    assert asked.why is not None
    if asked.why.method == "kg":
        worth = study.gain([(asked.first, asked.second)], rater="anna").gains[0]
        test.assertAlmostEqual(worth, asked.why.value, delta=1e-4 * max(asked.why.value, 1e-6))
    test.assertEqual(len(study.map("milk", "sugar", 3, "anna").mean), 3)
    test.assertEqual(study.belief(["milk"], 5, "anna").slices["milk"][0].value, 0)
    test.assertEqual(study.best("anna").option.keys(), {"milk", "sugar"})
    test.assertEqual(study.verdict("anna").answers, 3)
    test.assertEqual(study.contexts("anna"), [])
    test.assertEqual(study.check(rater="anna").kind, "unchecked")
    test.assertTrue(study.take(True, "anna").take)
    test.assertEqual([r.name for r in study.raters()], ["anna", "ben"])
    test.assertEqual(study.group().raters, ["anna", "ben"])
    test.assertGreater(study.group().agreement[0][1], 0)
    test.assertEqual([e.answer.choice for e in study.history() if not e.undone], ["first"] * 6)
    study.enqueue(options[2], "ben")
    study.exclude("ben", "was in a hurry")
    test.assertEqual([(r.out, r.out_why) for r in study.raters()], [(False, ""), (True, "was in a hurry")])
    study.exclude("ben", back=True)
    study.rename("ben", "Benjamin")
    test.assertEqual([r.called for r in study.raters()], ["", "Benjamin"])
    study.rename("ben", "")
    test.assertEqual(study.change(prompt="Which?")["prompt"], "Which?")
    link = study.link("anna")
    renewed = study.renew(link)
    test.assertEqual([k.id for k in study.links()], [renewed.id])
    study.withdraw(renewed)
    test.assertGreater(len(study.export()), 0)
    test.assertEqual(len(study.results().people), 2)
    test.assertEqual(study.import_(b'{"winner": {"milk": 1, "sugar": 1}, "loser": {"milk": 0, "sugar": 1}, "rater": "ben"}')[0], 1)
    test.assertGreater(study.forget("ben"), 0)
    test.assertEqual([r.name for r in study.raters()], ["anna"])
    simulated = study.simulate(1, max_questions=1).wait(60)
    assert simulated.result is not None
    test.assertEqual(simulated.result.levels[0].finished, 1)
    report = study.report("anna").wait(60)
    test.assertIn(b"<html", report.page())
    test.assertEqual({j.id for j in study.jobs()}, {simulated.id, report.id})
    report.drop()
    names = client.create("names", {"items": [{"id": "a", "text": "Aurora"}, {"id": "b", "text": "Borealis"}]})
    (uploaded,) = names.upload([("c.png", picture())])
    test.assertEqual(names.join([{"id": "c", "media": uploaded.media}]), 3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "d.png"
        path.write_bytes(picture())
        test.assertEqual(names.join_files([path]), 4)
    names.describe("c", "a point")
    test.assertEqual(names.info()["settings"]["page"]["descriptions"], {"c": "a point"})
    test.assertEqual(names.leave("a"), 3)
    test.assertEqual([i["id"] for i in names.items() if not i.get("left")], ["b", "c", "d.png"])
    test.assertEqual(names.media(uploaded.url), picture())
    shown = {o.item.id: o for q in [names.ask()] for o in q.options if o.item}
    test.assertEqual(len(shown), 2)
    cups = client.ensure("cups", {"milk": (0, 1)})
    test.assertEqual(client.ensure("cups", {"milk": (0, 1)}).info()["config_sha256"], cups.info()["config_sha256"])
    with test.assertRaises(prefer.ConflictError):
        client.ensure("cups", {"milk": (0, 2)})
    way = cups.renew_uploads(cups.allow_uploads())
    test.assertEqual([(w.id, w.token) for w in cups.uploads()], [(way.id, "")])
    cups.tell(cups.ask("anna"), "first")
    with prefer.Client(client._transport.base_url, way.token) as elsewhere:
        test.assertEqual(elsewhere.upload_log(cups.export()), prefer.Uploaded([prefer.UploadedRater("anna", 1, 0)], 1, 0))
        with test.assertRaises(prefer.DeniedError):
            elsewhere.study("cups").info()
    cups.withdraw_uploads(way)
    try:
        test.assertIn(b"<html", cups.pack()[:1000])
    except prefer.ProblemError as e:  # a program that was built without the core for browsers
        test.assertIn(e.status, (409, 501, 503), e)
    test.assertEqual(cups.uploads(), [])
    cups.delete()
    names.delete()
    study.delete()
    test.assertEqual(client.studies(), [])
