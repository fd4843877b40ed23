import os
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Callable, List
from unittest import mock

import prefer
from prefer import ConflictError, InvalidError, PreferError, Study, private, program

from .serving import binary

SPACE = {"sugar": (0, 5), "bean": ["arabica", "robusta"], "milk": bool}


def await_that(what: Callable[[], bool]) -> bool:
    """Whether something comes to be in time."""
    end = time.monotonic() + 30
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not Path(f"/proc/{pid}/stat").exists() or Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"


class PrivateTest(unittest.TestCase):
    folder: str

    @classmethod
    def setUpClass(cls) -> None:
        stack = ExitStack()
        cls.addClassCleanup(stack.close)
        stack.enter_context(mock.patch.dict(os.environ, {"PREFER": binary(), "PREFER_STORE": "/nowhere/of/others.db", "PREFER_LAN": "true"}))
        cls.folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="prefer-python-"))
        stack.callback(private.stop)

    def child(self, file: Any = None) -> "subprocess.Popen[bytes]":
        private.address(file)
        child = private.process(file)._child
        assert child is not None
        return child

    def python(self, code: str, **options: Any) -> "subprocess.Popen[str]":
        """An interpreter of its own, that runs code."""
        here = Path(__file__).resolve().parents[1]
        return subprocess.Popen([sys.executable, "-c", code], cwd=here, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)

    def test_three_lines(self) -> None:
        study = Study(SPACE, budget=3)
        for question in study.questions("anna"):
            study.tell(question, "first")
        self.assertEqual((study.verdict("anna").given, study.verdict("anna").kind), (3, "budget_reached"))
        self.assertEqual(sorted(study.best().option), ["bean", "milk", "sugar"])

    def test_studies_share_one_process(self) -> None:
        child = self.child()
        first, second = Study(SPACE), Study(["cat", "dog", "fish"])
        self.assertNotEqual(first.name, second.name)
        self.assertEqual([i["id"] for i in second.items()], ["cat", "dog", "fish"])
        self.assertIs(self.child(), child)
        with Study(SPACE) as third:
            third.ask()
        self.assertEqual(third.info()["answers_count"], 0)  # leaving it deletes nothing

    def test_a_cell_that_is_run_again(self) -> None:
        study = Study(SPACE, name="cell", seed=4)
        study.tell(study.ask(), "first")
        again = Study(SPACE, name="cell", seed=4)
        self.assertEqual(again.info()["answers_count"], 1)
        with self.assertRaisesRegex(ConflictError, "another seed, space.params: choose another name") as differs:
            Study({"sugar": (0, 6)}, name="cell")
        self.assertEqual(differs.exception.kind, "study_differs")
        with self.assertRaises(InvalidError) as unknown:
            Study(SPACE, name="cell", sead=4)
        self.assertEqual([e.location for e in unknown.exception.errors], ["body.sead"])

    def test_a_file_lasts(self) -> None:
        file = Path(self.folder) / "coffee.db"
        code = f"import prefer; s = prefer.Study({{'sugar': (0, 5)}}, file={str(file)!r}); s.tell(s.ask(), 'first'); print(s.name)"
        for _ in range(2):
            with self.python(code) as other:
                self.assertEqual(other.communicate()[0], "coffee\n")
        self.assertEqual(Study(file=file).info()["answers_count"], 2)
        self.assertEqual(Study({"sugar": (0, 5)}, file=file).info()["answers_count"], 2)
        self.assertIsNot(self.child(file), self.child())
        Study(["a", "b"], "letters", file=file)
        self.assertEqual(Study(file=file).name, "coffee")
        self.assertEqual(len(Study(name="letters", file=file).items()), 2)

    def test_misuse(self) -> None:
        missing = os.path.join(self.folder, "missing.db")
        with self.assertRaisesRegex(PreferError, "missing.db: want a space"):
            Study(file=missing)
        self.assertFalse(os.path.exists(missing))
        with self.assertRaisesRegex(PreferError, "want a space like"):
            Study()
        with self.assertRaisesRegex(PreferError, "seed without a space"):
            Study(file=missing, seed=3)
        with self.assertRaisesRegex(PreferError, "'coffee.txt', want one that ends in .db"):
            Study(SPACE, file="coffee.txt")
        with self.assertRaisesRegex(PreferError, "does not start: .*(no such|unable|cannot)"):
            Study(SPACE, file=os.path.join(self.folder, "no", "where.db"))
        for name in (3, ".", ".."):
            with self.assertRaisesRegex(PreferError, "name = .*want a text"):
                Study(SPACE, name=name)  # type: ignore[arg-type]
        with self.assertRaises(InvalidError) as long:
            Study([f"{n} {'x' * 60}" for n in range(20_000)])
        self.assertEqual(long.exception.status, 413)
        with self.assertRaisesRegex(PreferError, "cannot be written as JSON"):
            Study(SPACE, prompt=object())
        not_one = Path(self.folder, "other.db")
        not_one.write_text("this is not a store " * 99)
        with self.assertRaisesRegex(PreferError, "other.db"):
            Study(SPACE, file=not_one)

    def test_a_folder(self) -> None:
        folder = Path(self.folder, "renders")
        folder.mkdir()
        for name in ("a", "b", "c"):
            (folder / f"{name}.svg").write_text(f"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>{name}</text></svg>")
        study = Study(folder, prompt="Which is warmer?")
        self.assertEqual((study.name, study.ask().prompt, len(study.items())), ("renders", "Which is warmer?", 3))
        self.assertEqual(os.listdir(self.folder).count("renders.db"), 0)
        with self.assertRaisesRegex(PreferError, "has the folder's, 'renders'"):
            Study(folder, name="colder")

    @unittest.skipIf(os.name == "nt", "Windows has no such modes")
    def test_nobody_else_may_use_the_socket(self) -> None:
        at = private.address()
        path = Path(urllib.parse.urlsplit(at.url).path)
        self.assertEqual((at.token, stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)), ("", 0o600, 0o700))

    def test_a_port_needs_the_token(self) -> None:
        process = private.Process(port=True)
        self.addCleanup(process.stop)
        at = process.address()
        self.assertRegex(at.url, r"^http://127\.0\.0\.1:\d+$")
        self.assertEqual(process.transport.request("GET", "/v1/studies").json()["studies"], [])
        with prefer.connect(at.url, patience=0) as stranger, self.assertRaises(prefer.DeniedError):
            stranger.studies()
        with prefer.connect(at.url, at.token) as owner:
            self.assertEqual(owner.studies(), [])

    @unittest.skipIf(os.name == "nt", "Windows has no SIGKILL")
    def test_it_ends_with_the_interpreter(self) -> None:
        code = "import prefer; prefer.Study({'x': (0, 1)}); print(prefer.private.process()._child.pid, prefer.private.address().url, flush=True); input()"
        for killed in (True, False):
            with self.subTest(killed=killed), self.python(code) as other:
                assert other.stdout is not None
                pid, url = other.stdout.readline().split()
                folder = Path(urllib.parse.urlsplit(url).path).parent
                self.assertTrue(runs(int(pid)) and folder.exists())
                if killed:
                    other.kill()
                other.communicate("\n")
                self.assertTrue(await_that(lambda: not runs(int(pid))), f"{pid} still runs")
                self.assertTrue(await_that(lambda: not folder.exists()), f"{folder} is still there")

    @unittest.skipIf(os.name == "nt", "Windows has no groups of processes to interrupt")
    def test_an_interrupt_is_not_its_end(self) -> None:
        code = """if True:
            import prefer, signal, time
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell inherits it ignored
            study = prefer.Study({'x': (0, 1)})
            pid = prefer.private.process()._child.pid
            try:
                print('ready', flush=True)
                time.sleep(60)
            except KeyboardInterrupt:
                print(study.ask().id, pid == prefer.private.process()._child.pid)"""
        with self.python(code, start_new_session=True) as other:
            assert other.stdout is not None
            other.stdout.readline()
            os.killpg(other.pid, signal.SIGINT)
            self.assertEqual(other.communicate()[0], "q1 True\n")

    def test_it_is_killed(self) -> None:
        file = os.path.join(self.folder, "lasting.db")
        lasting, passing = Study(SPACE, file=file), Study(SPACE)
        lasting.tell(lasting.ask("anna"), "first")
        folder = Path(urllib.parse.urlsplit(private.address().url).path).parent
        for child in (self.child(file), self.child()):
            child.kill()
            child.wait()
        with self.assertWarnsRegex(RuntimeWarning, "has ended with -9, and is started again|has ended with 1, and"):
            self.assertEqual(lasting.info()["answers_count"], 1)
        with self.assertRaisesRegex(PreferError, "studies without a file with it"):
            passing.info()
        self.assertFalse(folder.exists() and os.name != "nt", f"{folder} is left behind")
        self.assertEqual(Study(SPACE).info()["answers_count"], 0)  # a new one can be made

    @unittest.skipIf(os.name == "nt", "Windows has no sockets here")
    def test_its_folder_is_removed(self) -> None:
        file = os.path.join(self.folder, "tidy.db")
        lasting, passing = Study(SPACE, file=file), Study(SPACE)
        for at in (private.address(file), private.address()):
            shutil.rmtree(Path(urllib.parse.urlsplit(at.url).path).parent)
        with self.assertWarnsRegex(RuntimeWarning, "has lost its socket .*, and is started again"):
            self.assertEqual(lasting.info()["name"], "tidy")
        with self.assertRaisesRegex(PreferError, "has lost its socket .*, and studies without a file with it"):
            passing.info()
        self.assertEqual(Study(SPACE).ask().id, "q1")

    @unittest.skipUnless(hasattr(os, "fork"), "nothing is forked here")
    def test_forks(self) -> None:
        study = Study(SPACE)
        study.ask("anna")  # leaves a connection open
        address = private.address()
        readers = []
        for n in range(2):
            end, start = os.pipe()
            pid = os.fork()
            if pid == 0:
                said = ""
                try:
                    question = study.ask(f"child {n}")  # of the parent's
                    study.tell(question, "first")
                    said = f"{Study(SPACE).info()['answers_count']} {private.address() != address}"  # one of its own
                    private.stop()
                except BaseException as e:
                    said = repr(e)
                finally:
                    os.write(start, said.encode())
                    os._exit(0)
            os.close(start)
            readers.append((pid, end))
        for pid, end in readers:
            os.waitpid(pid, 0)
            with os.fdopen(end) as pipe:
                self.assertEqual(pipe.read(), "0 True")
        self.assertEqual(study.info()["answers_count"], 2)
        self.assertEqual(private.address(), address)

    def test_pickle(self) -> None:
        study = Study(SPACE)
        with pickle.loads(pickle.dumps(study)) as copy:
            self.assertEqual(copy.ask("anna").id, study.ask("anna").id)

    def test_threads(self) -> None:
        private.stop()
        made: List[str] = []
        failures: List[BaseException] = []

        def work(n: int) -> None:
            try:
                study = Study(SPACE)
                study.tell(study.ask(), "first")
                made.append(study.name)
            except BaseException as e:
                failures.append(e)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual((failures, len(set(made))), ([], 8))


class ProgramTest(unittest.TestCase):
    def test_what_is_named_counts(self) -> None:
        with mock.patch.dict(os.environ, {"PREFER": sys.executable}):
            self.assertEqual(program.find(), sys.executable)
        with mock.patch.dict(os.environ, {"PREFER": "/no/such/program"}), self.assertRaisesRegex(PreferError, "PREFER = '/no/such/program' is not a file: build it with: go build"):
            program.find()

    def test_none_is_here(self) -> None:
        with mock.patch.dict(os.environ, {"PATH": ""}), mock.patch.dict(os.environ):
            os.environ.pop("PREFER", None)
            with self.assertRaisesRegex(PreferError, "the program prefer is not here: build it with: go build"):
                program.find()

    def test_another_program(self) -> None:
        with mock.patch.dict(os.environ, {"PREFER": sys.executable}), self.assertRaisesRegex(PreferError, "does not start.*is it a prefer of this version"):
            private.Process().address()
