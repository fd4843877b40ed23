"""What a study searches, as Python has it: read into the fields of a study file.

    {"sugar": (0, 5)}                     a number, both ends included
    {"grind": (0.1, 10, "log")}           searched in ratios
    {"hue": (0, 360, "circular")}         on a circle: 360 is 0 again
    {"cups": range(1, 9)}                 1, 2, … 8; range(0, 21, 2) is 0, 2, … 20
    {"bean": ["arabica", "robusta"]}      one of these, no two more alike than others
    {"shots": [0, 1, 2, 4, 8]}            one of these numbers, in order
    {"milk": bool}                        yes or no
    {"size": {"type": "ordinal", "choices": ["S", "M", "L"]}}    a parameter of a study file, without its name

    ["a cat", "a dog", "a fish"]          a list to choose from, by their names; long texts are numbered from 1 on
    [{"id": "a17", "media": "img/a17.png", "features": {"hue": 0.31}}, …]
    [{"name": "sugar", "low": 0, "high": 5}, …]
    {"params": […], "constraints": […]}   a whole study file; so is anything with "params", "items" or "space"
    "study.json", "./renders"             one that is written down; a folder of pictures, sounds or texts
"""

from __future__ import annotations

import json
import math
import numbers
import os
from typing import Any, Dict, List, Mapping, Sequence, Union

from .errors import PreferError

SpaceLike = Union[Mapping[str, Any], Sequence[Any], str, "os.PathLike[str]"]

_WHOLE = ("params", "items", "space")  # what makes a mapping a study file
_WORDS = ("log", "circular", "int", "context")
_LONGEST_ID = 80  # characters of a text that is its own name


def config(space: SpaceLike) -> Dict[str, Any]:
    """The fields of a study file."""
    if isinstance(space, (str, os.PathLike)):
        return _read(os.fspath(space))
    if isinstance(space, Mapping):
        if any(key in space for key in _WHOLE):
            return _whole(space)
        return {"params": [_parameter(name, value) for name, value in space.items()]}
    if isinstance(space, Sequence) and not isinstance(space, (bytes, bytearray)):
        return _list(space)
    raise PreferError(f'space = {space!r}, want parameters like {{"sugar": (0, 5), "milk": bool}}, a list of items, a study file or a folder')


def _whole(space: Mapping[str, Any]) -> Dict[str, Any]:
    fields = dict(space)
    if isinstance(fields.get("params"), Mapping):
        fields["params"] = [_parameter(name, value) for name, value in fields["params"].items()]
    if isinstance(fields.get("items"), (list, tuple)):
        fields["items"] = _items(fields["items"])
    return fields


def _read(path: str) -> Dict[str, Any]:
    if not path.lower().endswith(".json"):
        raise PreferError(f"space = {path!r}, want a study file that ends in .json, or a folder that there is; file={path!r} opens a file of studies")
    with open(path, encoding="utf-8") as file:
        try:
            fields = json.load(file)
        except ValueError as e:
            raise PreferError(f"{path} is not JSON: {e}") from e
    if not isinstance(fields, dict):
        raise PreferError(f"{path} holds a {type(fields).__name__}, want an object with params or items")
    return fields


def _list(space: Sequence[Any]) -> Dict[str, Any]:
    if space and all(isinstance(one, Mapping) and "name" in one for one in space):
        return {"params": [dict(one) for one in space]}
    return {"items": _items(space)}


def _items(items: Sequence[Any]) -> List[Dict[str, Any]]:
    if items and all(isinstance(one, str) for one in items):
        if all(len(one) <= _LONGEST_ID and one.isprintable() for one in items):
            return [{"id": one} for one in items]
        return [{"id": str(n), "text": one} for n, one in enumerate(items, 1)]
    for n, one in enumerate(items):
        if not isinstance(one, Mapping):
            raise PreferError(f"item {n} = {one!r}, want texts for all, or mappings with id, text, media and features for all")
    return [dict(one) for one in items]


def _parameter(name: Any, value: Any) -> Dict[str, Any]:
    if not isinstance(name, str):
        raise PreferError(f"a parameter is called {name!r}, want a text")
    if isinstance(value, Mapping):
        return {"name": name, **value}
    if value is bool:
        return {"name": name, "type": "bool"}
    if isinstance(value, range):
        return _whole_numbers(name, value)
    if isinstance(value, tuple):
        return _number(name, value)
    if isinstance(value, list):
        return _choices(name, value)
    raise PreferError(
        f'parameter {name!r} = {value!r}, want (low, high), (low, high, "log"), range(1, 9), ["one", "of", "these"], bool, or its fields in a study file'
    )


def _number(name: str, value: Sequence[Any]) -> Dict[str, Any]:
    ends, words = value[:2], value[2:]
    if len(ends) < 2 or any(isinstance(end, bool) or not isinstance(end, numbers.Real) for end in ends):
        raise PreferError(f'parameter {name!r} = {value!r}, want two numbers, low and high; one of several values is a list, and in order {{"type": "ordinal", "choices": […]}}')
    if not all(math.isfinite(end) for end in ends):
        raise PreferError(f"parameter {name!r} = {value!r}, want two numbers that are finite")
    out: Dict[str, Any] = {"name": name, "type": "float", "low": _plain(ends[0]), "high": _plain(ends[1])}
    for word in words:
        if word not in _WORDS:
            raise PreferError(f"parameter {name!r} = {value!r}: {word!r} says nothing, want one of {', '.join(_WORDS)}")
        if word == "int":
            out["type"] = "int"
        else:
            out[word] = True
    return out


def _whole_numbers(name: str, value: range) -> Dict[str, Any]:
    if len(value) < 2 or value.step < 0:
        raise PreferError(f"parameter {name!r} = {value!r}, want at least two numbers, the lowest first")
    out: Dict[str, Any] = {"name": name, "type": "int", "low": value[0], "high": value[-1]}
    if value.step > 1:
        out["step"] = value.step
    return out


def _choices(name: str, value: List[Any]) -> Dict[str, Any]:
    if value and all(isinstance(one, numbers.Real) and not isinstance(one, bool) for one in value):
        plain = [_plain(one) for one in value]
        if sorted(plain) != plain:
            raise PreferError(f'parameter {name!r} = {value!r}: numbers of a list are in order, want the lowest first; where order means nothing {{"type": "categorical", "choices": […]}}')
        return {"name": name, "type": "ordinal", "choices": plain}
    return {"name": name, "type": "categorical", "choices": value}


def _plain(number: Any) -> Union[int, float]:
    """A number as JSON has it, whatever library it is from."""
    return int(number) if isinstance(number, numbers.Integral) else float(number)
