import asyncio
import importlib.util
import inspect
import os
import threading
import unittest
from pathlib import Path
from typing import Any, List
from unittest import mock

import prefer
from prefer import AsyncClient, AsyncStudy, Client, PreferError, Question, Study
from prefer.aio import AsyncJob
from prefer.job import Job

from .serving import binary, serving

ROOT = Path(__file__).resolve().parents[1]
LINE = {"params": [{"name": "x", "low": 0, "high": 10}], "seed": 1}


def load(name: str) -> Any:
    """Imports a program that stands beside the package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def generator() -> Any:
    return load("generate_aio")


class GeneratedTest(unittest.TestCase):
    def test_the_file_is_what_the_program_writes(self) -> None:
        self.assertEqual((ROOT / "prefer" / "aio.py").read_text(encoding="utf-8"), generator().generated(), "run python3 generate_aio.py")

    def test_the_same_methods(self) -> None:
        sync_only = generator().SYNC_ONLY
        for sync, other in ((Study, AsyncStudy), (Client, AsyncClient), (Job, AsyncJob)):
            here = {n for n in vars(sync) if not n.startswith("_")}
            there = {n for n in vars(other) if not n.startswith("_")}
            self.assertEqual(here - there, here & sync_only, sync.__name__)
            self.assertLessEqual(there - here, {"open", "sync"}, sync.__name__)
            for name in (here & there) - {"close"}:
                a, b = inspect.getattr_static(sync, name), inspect.getattr_static(other, name)
                if not inspect.isfunction(a):
                    continue
                self.assertEqual(list(inspect.signature(a).parameters), list(inspect.signature(b).parameters), name)
                self.assertTrue(inspect.iscoroutinefunction(b) or inspect.isasyncgenfunction(b) or name in ("at", "study", "events"), f"{name} is not a coroutine")


def judge(question: Question) -> prefer.Choice:
    first, second = (abs(float(o["x"]) - 3) for o in question.options)
    return "first" if first < second else "second"


class AioTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_study(self) -> None:
        with serving() as url:
            async with AsyncClient(url) as client:
                study = await client.create("line", LINE)
                self.assertEqual([s.name for s in await client.studies()], ["line"])
                asked = 0
                async for question in study.questions("anna", limit=5):
                    await study.tell(question, judge(question))
                    asked += 1
                self.assertEqual(asked, 5)
                self.assertEqual((await study.verdict()).answers, 5)
                self.assertEqual(study.sync.verdict().answers, 5)
                self.assertEqual([r.name for r in await study.raters()], ["anna"])

                async def blind(question: Question) -> prefer.Choice:
                    await asyncio.sleep(0)
                    return judge(question)

                self.assertEqual((await study.check(blind, 2, "anna")).all.of, 2)
                job = await (await study.simulate(1, max_questions=1)).wait(60)
                assert job.result is not None
                self.assertEqual(job.result.raters, 1)
                with self.assertRaises(prefer.NotFoundError):
                    await client.study("tea").info()

    async def test_events(self) -> None:
        with serving() as url:
            async with AsyncClient(url) as client:
                study = await client.create("line", LINE)
                heard: List[str] = []
                async with study.events() as changes:
                    async for change in changes:
                        heard.append(change.kind)
                        if len(heard) == 1:
                            await study.ask("anna")
                        elif change.kind == "asked":
                            await study.delete()
                self.assertEqual([k for k in heard if k != "verdict"], ["now", "asked", "deleted", "gone"])

                other = await client.create("other", LINE)
                changes = other.events()
                await changes.__anext__()
                waiting = asyncio.ensure_future(changes.__anext__())
                await asyncio.sleep(0.1)
                await changes.aclose()  # ends who waits
                with self.assertRaises(StopAsyncIteration):
                    await asyncio.wait_for(waiting, 20)

    async def test_private(self) -> None:
        with mock.patch.dict(os.environ, {"PREFER": binary()}):
            async with await AsyncStudy.open({"x": (0, 1)}) as study:
                question = await study.ask()
                self.assertEqual((await study.tell(question, "first")).status.answers, 1)

    async def test_made_without_await(self) -> None:
        with self.assertRaisesRegex(PreferError, "await AsyncStudy.open"):
            AsyncStudy({"x": (0, 1)})

    async def test_cancelled(self) -> None:
        """A tell that was cancelled may have been told, and with its key it counts once."""
        with serving() as url:
            async with AsyncClient(url) as client:
                study = await client.create("line", LINE)
                question = await study.ask("anna")
                telling = asyncio.ensure_future(study.tell(question, "first", key="k1"))
                await asyncio.sleep(0)  # it is on its way
                telling.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await telling
                await study.tell(question, "first", key="k1")
                self.assertEqual(len([e for e in await study.history() if not e.undone]), 1)

    async def test_parallel_is_bounded(self) -> None:
        with serving() as url:
            async with AsyncClient(url, parallel=3) as client:
                study = await client.create("line", LINE)
                await asyncio.gather(*(study.ask(f"r{i}") for i in range(12)))
                own = [t for t in threading.enumerate() if t.name.startswith("prefer_")]
                self.assertLessEqual(len(own), 3)
        with self.assertRaisesRegex(PreferError, "parallel = 0"):
            AsyncClient(url, parallel=0)
