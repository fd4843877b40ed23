"""What a judge returned, read to the letter: nothing is guessed."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple, get_args

from .question import Choice, Value

COUNTED = ("cost", "attempts", "failed")  # names in meta under which a run keeps what it counts
_MAX_NOTE, _MAX_META, _MAX_NAME, _MAX_WORD, _MAX_REPLY = 10_000, 32, 64, 4_000, 1 << 20
_WORDS = {"A": "first", "a": "first", "1": "first", "B": "second", "b": "second", "2": "second"}
_CHOICES = get_args(Choice)


class Failure(Exception):
    """A failed call: why, in a word (rubbish, nothing, too_long, timeout, error), and in words."""

    def __init__(self, reason: str, words: str, cost: Optional[float] = None):
        super().__init__(words)
        self.reason = reason
        self.cost = cost


@dataclass(frozen=True)
class Said:
    """A reply that is an answer."""

    choice: str
    strength: int = 0
    note: str = ""
    meta: Mapping[str, Value] = field(default_factory=dict)
    cost: Optional[float] = None


def read(reply: Any, forced: bool = False, grades: int = 0) -> Said:
    """Reads what a judge returned: one word, a JSON object, or a mapping, to the letter. Anything else raises Failure; nothing is guessed."""
    if isinstance(reply, Said):
        reply = vars(reply)
    if isinstance(reply, str):
        text = reply.strip()
        if not text:
            raise Failure("nothing", "nothing was said, want a choice")
        if len(reply) > _MAX_REPLY:
            raise Failure("too_long", f"{len(reply)} characters were said, want at most {_MAX_REPLY}")
        if text.startswith("{"):
            try:
                reply = json.loads(text, object_pairs_hook=_once)
            except ValueError as e:
                raise Failure("rubbish", f"{text[:80]!r} is not an answer: {e}") from None
        else:
            reply = {"choice": _WORDS.get(text, text)}
            if reply["choice"] not in _CHOICES:
                raise Failure("rubbish", f"{text[:80]!r} is not an answer, want first, second, tie, both_bad, skip, A, B, 1, 2 or a choice by that name, and nothing else")
    if reply is None:
        raise Failure("nothing", "nothing was said, want a choice")
    if not isinstance(reply, Mapping):
        raise Failure("rubbish", f"a {type(reply).__name__} was returned, want a word or a mapping with a choice")
    cost = reply.get("cost")
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, (int, float)) or not (0 <= cost < math.inf)):
        raise Failure("rubbish", f"cost {cost!r}, want a number from 0 on")
    said = Said(reply.get("choice", ""), reply.get("strength") or 0, reply.get("note") or "", reply.get("meta") or {}, cost)
    wrong = _wrong(reply, said, forced, grades)
    if wrong:
        raise Failure("rubbish", wrong, None if cost is None else float(cost))
    return said


def _once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    out = dict(pairs)
    if len(out) < len(pairs):
        raise ValueError("a name is given twice")
    return out


def _wrong(reply: Mapping[str, Any], said: Said, forced: bool, grades: int) -> str:
    """What is wrong with a reply, "" for nothing."""
    unknown = [str(k) for k in reply if k not in ("choice", "strength", "note", "meta", "cost")]
    if unknown:
        return f"unknown field {unknown[0]!r}"
    if said.choice not in _CHOICES:
        return f"choice is {said.choice!r}, want {', '.join(_CHOICES)}"
    if said.choice == "tie" and forced:
        return "choice is 'tie', but this study offers no ties"
    if isinstance(said.strength, bool) or not isinstance(said.strength, int) or not 0 <= said.strength <= grades or (said.strength and said.choice not in ("first", "second")):
        return f"strength is {said.strength!r} with {said.choice!r}, want 0 to {grades}, of a preference"
    if not isinstance(said.note, str) or len(said.note) > _MAX_NOTE:
        return f"the note is not a text of at most {_MAX_NOTE} characters"
    if not isinstance(said.meta, Mapping) or len(said.meta) > _MAX_META - 2:
        return f"meta is not a mapping of at most {_MAX_META - 2} names"
    for name, value in said.meta.items():
        if not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME or name in COUNTED:
            return f"meta has the name {name!r}, want a text of 1 to {_MAX_NAME} characters that is not one of {', '.join(COUNTED)}"
        if not isinstance(value, (str, bool, int, float)) or isinstance(value, float) and not math.isfinite(value) or isinstance(value, str) and len(value) > _MAX_WORD:
            return f"meta {name!r} is {str(value)[:80]!r}, want a finite number, true, false or a text of at most {_MAX_WORD} characters"
    return ""
