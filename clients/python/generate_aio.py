"""Writes prefer/aio.py: Client, Study and Job for asyncio, from what they are without it.

    python3 generate_aio.py

A method becomes a coroutine if it sends a request, sleeps, or calls one that does; these calls are awaited, and nothing else changes. What is different in
another way is spelled out in OWN. A test holds that the file is what this program writes.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple

HERE = Path(__file__).resolve().parent / "prefer"
CLASSES = (("job", "Job"), ("study", "Study"), ("client", "Client"))
SYNC_ONLY = {"widget", "judge"}  # they have an event loop, or threads, of their own: AsyncStudy.sync has them

HEAD = '''"""prefer for asyncio: AsyncClient, AsyncStudy and AsyncJob. Written by generate_aio.py from client.py, study.py and job.py; do not edit.

    async with AsyncClient("http://127.0.0.1:8080") as client:
        study = client.study("coffee")
        async for question in study.questions(rater="anna"):
            await study.tell(question, "first")

Every method is that of its namesake, awaited. threads.py tells what becomes of requests, and of those whose task is cancelled.
"""
'''

ENTER = '''    async def __aenter__(self) -> "{name}":
        return self
'''
EXIT = '''    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self.close()
'''

# By class and method: what it is in place of what would be made of it.
OWN: Dict[Tuple[str, str], str] = {
    ("Client", "__init__"): '''    def __init__(self, base_url: str, token: Optional[str] = None, timeout: float = 30.0, patience: float = 60.0, parallel: int = 32):
        self._transport = AsyncTransport(Transport(base_url, token, timeout, patience), parallel)
''',
    ("Client", "close"): '''    async def close(self) -> None:
        await self._transport.close()
''',
    ("Study", "__init__"): '''    def __init__(self, *_: Any, **__: Any):
        raise PreferError("making a study takes its time: await AsyncStudy.open(space), or await client.create(name, config)")

    @classmethod
    async def open(cls, space: Optional[SpaceLike] = None, name: str = "", file: Union[str, "os.PathLike[str]", None] = None, parallel: int = 32, **config: Any) -> "AsyncStudy":
        """What Study(space, …) is."""
        loop = asyncio.get_running_loop()
        transport, found = await loop.run_in_executor(None, private.open_study, space, name, file, config)
        return cls.at(AsyncTransport(transport, parallel), found)

    @property
    def sync(self) -> Study:
        """The same study without asyncio."""
        return Study.at(self._transport.sync, self.name)
''',
    ("Study", "close"): '''    async def close(self) -> None:
        """Closes connections that nobody uses, and the threads. The study stays."""
        await self._transport.close()
''',
}


class Edits:
    """Changes of a text by positions of its syntax tree."""

    def __init__(self, text: str):
        self.text = text
        self._starts = [0]
        for line in text.encode().split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._edits: List[Tuple[int, int, int, str]] = []

    def place(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def put(self, at: int, new: str, drop: int = 0) -> None:
        self._edits.append((at, len(self._edits), drop, new))

    def done(self) -> str:
        out = self.text.encode()
        for at, _, drop, new in sorted(self._edits, reverse=True):
            out = out[:at] + new.encode() + out[at + drop :]
        return out.decode()


def attribute(call: ast.Call) -> str:
    """self.x.y of a call of it, "" of other calls."""
    names: List[str] = []
    node: ast.expr = call.func
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def methods(body: List[ast.stmt]) -> Dict[str, ast.FunctionDef]:
    return {n.name: n for n in body if isinstance(n, ast.FunctionDef)}


def waiting(all: Dict[str, ast.FunctionDef]) -> Set[str]:
    """The methods that wait for something."""
    found: Set[str] = set()
    while True:
        calls = {"time.sleep", "self._transport.request", "judge", *("self." + name for name in found)}
        now = {name for name, m in all.items() if any(isinstance(n, ast.Call) and attribute(n) in calls for n in ast.walk(m))}
        if now == found:
            return found
        found = now


def converted(module: str, name: str) -> str:
    text = (HERE / (module + ".py")).read_text(encoding="utf-8")
    tree = ast.parse(text)
    (cls,) = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name]
    all = {k: m for k, m in methods(cls.body).items() if k not in SYNC_ONLY}
    found = waiting(all)
    edits = Edits(text)
    own: Dict[str, str] = {k: v for (c, k), v in OWN.items() if c == name}
    if "__enter__" in all:
        own.update(__enter__=ENTER.format(name="Async" + name), __exit__=EXIT)
    calls = {"time.sleep", "self._transport.request", "judge", *("self." + k for k in found)}
    for key, method in all.items():
        if key not in found or key in own:
            continue
        edits.put(edits.place(method.lineno, method.col_offset), "async ")
        parents: Dict[ast.AST, ast.AST] = {child: node for node in ast.walk(method) for child in ast.iter_child_nodes(node)}
        for call in ast.walk(method):
            if not isinstance(call, ast.Call) or attribute(call) not in calls:
                continue
            assert call.end_lineno is not None and call.end_col_offset is not None
            bare = isinstance(parents[call], (ast.Expr, ast.Return, ast.Assign))
            edits.put(edits.place(call.lineno, call.col_offset), "await " if bare else "(await ")
            if not bare:
                edits.put(edits.place(call.end_lineno, call.end_col_offset), ")")
    for key, method in methods(cls.body).items():
        first = min([method.lineno, *(d.lineno for d in method.decorator_list)])
        assert method.end_lineno is not None
        start, end = edits.place(first, 0), edits.place(method.end_lineno + 1, 0)
        if key in SYNC_ONLY:
            following: Optional[int] = next((min([m.lineno, *(d.lineno for d in m.decorator_list)]) for m in methods(cls.body).values() if m.lineno > method.lineno), None)
            edits.put(start, "", (edits.place(following, 0) if following else end) - start)
        elif key in own:
            edits.put(start, own[key], end - start)
    assert cls.end_lineno is not None
    whole = edits.done()
    out = whole[whole.index(f"class {name}:\n") :]
    following_class = re.search(r"\n(?=def |class |[A-Z_]+ = )", out[1:])
    if following_class:
        out = out[: following_class.start() + 1]
    out = out.replace("time.sleep(", "asyncio.sleep(").replace("Iterator[", "AsyncIterator[").replace("Callable[[Question], Choice]", "Callable[[Question], Awaitable[Choice]]")
    out = out.replace("MAX_QUESTIONS", "_study.MAX_QUESTIONS")
    for one in ("Study", "Job", "Client", "Transport", "Changes"):
        out = re.sub(rf"(?<![\w.\"]){one}\b(?=[\[\](:,.\s]|\")", "Async" + one, out)
        out = out.replace(f'"{one}"', f'"Async{one}"')
    out = out.replace("`AsyncStudy({", "`await AsyncStudy.open({")
    for method in (m for (c, m) in OWN if c == name):  # what is spelled out is spelled as it is
        was = OWN[name, method]
        for one in ("Study", "Transport"):
            was = re.sub(rf"(?<![\w.\"]){one}\b(?=[\[\](:,.\s]|\")", "Async" + one, was)
        out = out.replace(was, OWN[name, method])
    return out.rstrip() + "\n"


def imports(classes: str) -> str:
    """The imports of the modules, and what their classes use of the modules themselves, as far as the text needs them."""
    plain: Set[str] = {"import asyncio"}
    named: Dict[str, Set[str]] = {".threads": {"AsyncChanges", "AsyncTransport"}, ".study": {"Study"}, ".transport": {"Transport"}, "typing": {"AsyncIterator", "Awaitable", "TYPE_CHECKING"}}
    lazy: Set[str] = set()
    for module, _ in CLASSES:
        for node in ast.parse((HERE / (module + ".py")).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import):
                plain.update(f"import {a.name}" for a in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
                named.setdefault("." * node.level + (node.module or ""), set()).update(a.name for a in node.names)
            elif isinstance(node, ast.If):  # TYPE_CHECKING
                lazy.update(ast.unparse(n) for n in node.body)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                named.setdefault("." + module, set()).add(node.name)
            elif isinstance(node, ast.Assign):
                names = {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
                named.setdefault("." + module, set()).update(names - {"MAX_QUESTIONS"})
    named[".job"].discard("Job")
    named[".changes"].discard("Changes")
    named["."].add("study as _study")
    used = {k: sorted(n for n in some if n in ("study as _study", "TYPE_CHECKING") or re.search(rf"(?<![\w.]){n}\b", classes)) for k, some in named.items()}
    lines = ["from __future__ import annotations", ""]
    lines += sorted(i for i in plain if re.search(rf"\b{i.split()[1]}\.", classes))
    lines += [f"from {k} import {', '.join(names)}" for k, names in sorted(used.items()) if names and not k.startswith(".")]
    lines += [""] + [f"from {k} import {', '.join(names)}" for k, names in sorted(used.items()) if names and k.startswith(".")]
    return "\n".join([*lines, "", "if TYPE_CHECKING:", *(f"    {i}" for i in sorted(lazy))]) + "\n"


def generated() -> str:
    classes = "".join("\n\n" + converted(module, name) for module, name in CLASSES)
    return HEAD + "\n" + imports(classes) + classes


if __name__ == "__main__":
    (HERE / "aio.py").write_text(generated(), encoding="utf-8")
