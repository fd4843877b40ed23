"""A pair in a notebook: two options side by side, with buttons and keys, in the kernel of the notebook that asks.

Everything goes through the kernel: the browser needs to reach nothing else, so it works with a private process, on a machine far away and in VS Code. Pictures
and sounds go along as data, pages in a frame of an origin of their own.
"""

from __future__ import annotations

import base64
import re
import urllib.parse
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, cast, get_args

from .answering import Answering
from .errors import ConflictError, DeniedError, PreferError, ProblemError
from .question import Answer, Choice, Option, Question, Status, Value

MOST = 30_000_000  # bytes of one picture, sound or film: more would choke the notebook


class Pair:
    """What the widget knows: the question, what can be said to it, and where the study stands. `view` is all that a browser is told."""

    def __init__(self, study: Answering, rater: str = "", fixed: Optional[Mapping[str, Value]] = None):
        self._study, self._rater, self._fixed = study, rater, dict(fixed or {})
        self._question: Optional[Question] = None
        self._answers: List[Answer] = []
        self._media: Dict[str, Dict[str, Any]] = {}
        self._seen: Dict[str, Option] = {}  # items, by their ids
        self.view: Dict[str, Any] = {}
        info = study.info()
        self._template: Mapping[str, Any] = ((info.get("settings") or {}).get("page") or {}).get("template") or {}
        self._markdown = bool(((info.get("settings") or {}).get("page") or {}).get("markdown"))
        self._forced, self._grades = bool(info["answers"].get("forced")), int(info["answers"].get("grades", 0))
        self._ask()

    @property
    def question(self) -> Optional[Question]:
        """The question that is open; None at the end."""
        return self._question

    def hear(self, message: Mapping[str, Any]) -> None:
        """Does what somebody has pressed. What goes wrong is in the view, and the question stays."""
        try:
            if message.get("kind") == "tell":
                self._tell(message)
            elif message.get("kind") == "undo":
                self._undo()
            elif message.get("kind") == "again":
                self._ask()
        except PreferError as e:
            self.view = {**self.view, "trouble": e.detail if isinstance(e, ProblemError) and e.detail else str(e)}

    def _tell(self, message: Mapping[str, Any]) -> None:
        if self._question is None or message.get("question") != self._question.id:
            return  # pressed twice, or in another copy of the widget
        rt = message.get("rt_ms")
        answer = self._study.tell(
            self._question,
            cast(Choice, message.get("choice")),
            int(message.get("strength") or 0),
            int(rt) if isinstance(rt, (int, float)) else None,
            next=True,
        )
        self._answers.append(answer)
        self._show(answer.next, answer.status)

    def _undo(self) -> None:
        if self._answers:
            self._study.undo(self._answers[-1])
            self._answers.pop()
        else:
            self._study.undo(rater=self._rater)
        self._ask(again=True)

    def _ask(self, again: bool = False) -> None:
        try:
            question = self._study.ask(self._rater, self._fixed or None)
        except ConflictError as e:
            self.view = {"state": "ended", "sentence": e.detail, "undo": bool(self._answers)}
            return
        ended = question.status.done and not question.blind and not again
        self._show(None if ended else question, question.status)

    def _show(self, question: Optional[Question], status: Status) -> None:
        self._question = question
        if question is None:
            self.view = {"state": "ended", "sentence": status.sentence, "undo": True, "progress": self._progress(status), **self._best()}
            return
        self._seen.update({o.item.id: o for o in question.options if o.item})
        self.view = {
            "state": "asking",
            "question": question.id,
            "prompt": question.prompt,
            "sides": [self._side(o) for o in question.options],
            "choices": [c for c in get_args(Choice) if c != "tie" or not self._forced],
            "grades": self._grades,
            "undo": bool(self._answers) or status.given > 0,
            "practice": question.practice,
            "rest": status.rest,
            "progress": self._progress(status),
        }

    @staticmethod
    def _progress(status: Status) -> Dict[str, Any]:
        return {"given": status.given, "budget": status.budget, "left": list(status.left), "confidence": status.confidence, "sentence": status.sentence}

    def _best(self) -> Dict[str, Any]:
        try:
            verdict = self._study.verdict(self._rater, self._fixed or None)
        except (DeniedError, ConflictError):
            return {}
        option = verdict.best.option
        if "item" not in option:
            return {"sentence": verdict.sentence, "best": self._side(Option("best", option))}
        item = str(option["item"])
        best = self._side(self._seen[item]) if item in self._seen else {"kind": "text", "text": item, "name": item}
        return {"sentence": verdict.sentence, "best": best}

    def _side(self, option: Option) -> Dict[str, Any]:
        """How an option is shown: {"kind": image, audio, video, page, frame, text or params, …}."""
        params = {name: _short(value) for name, value in option.params.items()}
        kind = self._template.get("kind")
        name = option.item.id if option.item else ""
        if kind in ("image", "page"):
            filled = _fill(str(self._template.get("text", "")), {**option.params, "item": name})
            return {"kind": "image" if kind == "image" else "frame", "url": filled, "name": name, "params": params}
        if kind in ("svg", "html"):
            query = {"item": name} if option.item else {k: _word(v) for k, v in option.params.items()}
            path = "/s/" + urllib.parse.quote(self._study.name, safe="") + "/draw"
            try:
                drawn = self._study._transport.request("GET", path, query=query, headers={"Accept": "*/*"}).body
            except DeniedError:  # a rater's token: drawings are the owner's here
                return {"kind": "params", "params": params, "name": name}
            if kind == "svg":
                return {"kind": "image", "url": _data("image/svg+xml", drawn), "name": name, "params": params}
            return {"kind": "page", "html": drawn.decode("utf-8", "replace"), "name": name, "params": params, **self._window()}
        if option.media is not None:
            return {**self._media_of(option), "name": name, "text": option.item.text if option.item else ""}
        if option.item is not None:
            return {"kind": "text", "text": option.item.text or option.item.id, "name": name}
        return {"kind": "params", "params": params, "name": ""}

    def _window(self) -> Dict[str, Any]:
        return {"width": self._template.get("width") or 640, "height": self._template.get("height") or 480}

    def _media_of(self, option: Option) -> Dict[str, Any]:
        assert option.media is not None
        url, kind = option.media.url, option.media.type
        if url in self._media:
            return self._media[url]
        if not url.startswith("/"):
            shown: Dict[str, Any] = {"kind": kind if kind in ("image", "audio", "video") else "frame", "url": url}
        else:
            reply = self._study._transport.request("GET", url, headers={"Accept": "*/*"})
            mime = (reply.headers.get("Content-Type") or "application/octet-stream").partition(";")[0].strip()
            if len(reply.body) > MOST:
                shown = {"kind": "text", "text": f"{option.item.id if option.item else url} has {len(reply.body) / 1e6:.0f} MB, too much for a notebook: open the study's page"}
            elif kind in ("image", "audio", "video"):
                shown = {"kind": kind, "url": _data(mime, reply.body)}
            elif mime == "text/html" or url.lower().endswith((".html", ".htm")):
                shown = {"kind": "page", "html": reply.body.decode("utf-8", "replace"), "width": 640, "height": 480}
            elif kind == "text":
                shown = {"kind": "text", "text": reply.body.decode("utf-8", "replace")}
            else:
                shown = {"kind": "text", "text": option.item.id if option.item else url}
        self._media[url] = shown
        while len(self._media) > 32:
            self._media.pop(next(iter(self._media)))
        return shown


def _data(mime: str, body: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(body).decode()}"


def _fill(template: str, values: Mapping[str, Value]) -> str:
    """An address with {{parameter}} wherever a value goes."""
    return re.sub(r"\{\{\s*([^{}]+?)\s*\}\}", lambda m: urllib.parse.quote(_word(values.get(m.group(1), "")), safe=""), template)


def _word(value: Value) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _short(value: Value) -> Any:
    """A number as people read it."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def show(study: Answering, rater: str = "", fixed: Optional[Mapping[str, Value]] = None) -> Any:
    """The widget of a study, an anywidget.AnyWidget. Its `view` is that of Pair, its `done` whether there is an ending."""
    try:
        import anywidget
        import traitlets
    except ImportError as e:
        raise PreferError("Study.widget needs anywidget: pip install 'prefer-bo[notebook]'; Study.questions() asks without it") from e
    folder = Path(__file__).resolve().parent
    pair = Pair(study, rater, fixed)

    class PairWidget(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
        _esm = (folder / "widget.js").read_text(encoding="utf-8")
        _css = (folder / "widget.css").read_text(encoding="utf-8")
        view = traitlets.Dict().tag(sync=True)
        done = traitlets.Bool(False).tag(sync=True)

        def __init__(self) -> None:
            super().__init__()
            self.pair = pair
            self._revision = 0
            self._look()
            self.on_msg(self._hear)

        def _hear(self, _: Any, message: Any, buffers: Any = None) -> None:
            if isinstance(message, dict):
                self.pair.hear(message)
                self._look()

        def _look(self) -> None:
            self._revision += 1  # a browser that has sent something waits for a change
            self.view = {**self.pair.view, "turn": self._revision}
            self.done = self.pair.question is None

    return PairWidget()
