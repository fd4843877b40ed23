"""Replies of the server as dataclasses: what is there is read by the types of the fields, what the server leaves out is left out."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import typing
from typing import Any, Callable, ClassVar, Dict, Mapping, NamedTuple, Sequence, Tuple, Type, TypeVar, Union

from .errors import PreferError

T = TypeVar("T", bound="Record")


class Record:
    """A reply, or a part of one. Its fields have the names of the reply's, but for those in JSON. What a later server may add is not read."""

    JSON: ClassVar[Mapping[str, str]] = {}  # by field: what the reply calls it

    @classmethod
    def read(cls: Type[T], o: Mapping[str, Any]) -> T:
        if not isinstance(o, Mapping):
            raise PreferError(f"the server's reply has {o!r}, want the fields of {cls.__name__}")
        values: Dict[str, Any] = {}
        for field in fields(cls):
            value = o.get(field.key)
            if value is not None:
                values[field.name] = field.read(value)
            elif not field.default:
                values[field.name] = field.none(cls.__name__, field.key)
        return cls(**values)


class Field(NamedTuple):
    name: str
    key: str
    type: Any
    default: bool  # whether the dataclass has one
    read: Callable[[Any], Any]

    def none(self, record: str, key: str) -> Any:
        """What stands for a field that is not there."""
        if optional(self.type):
            return None
        if typing.get_origin(self.type) in (list, typing.get_origin(Sequence[int])):
            return []  # null, of a server that has none
        raise PreferError(f"the server's reply has no {key!r}, which belongs to {record}; is the server an older prefer?")


def fields(record: Type[Record]) -> Tuple[Field, ...]:
    """The fields of a record."""
    hashable: Any = record
    return _fields(hashable)


@functools.lru_cache(maxsize=None)
def _fields(record: Any) -> Tuple[Field, ...]:
    types = typing.get_type_hints(record)
    out = []
    for f in dataclasses.fields(record):
        default = f.default is not dataclasses.MISSING or f.default_factory is not dataclasses.MISSING
        out.append(Field(f.name, record.JSON.get(f.name, f.name), types[f.name], default, _reader(types[f.name])))
    return tuple(out)


def optional(type: Any) -> bool:
    """Whether None is one of its values."""
    return typing.get_origin(type) is Union and None.__class__ in typing.get_args(type)


def _reader(type: Any) -> Callable[[Any], Any]:
    origin, args = typing.get_origin(type), typing.get_args(type)
    if inspect.isclass(type) and issubclass(type, Record):
        return type.read
    if optional(type):
        rest = [a for a in args if a is not None.__class__]
        read = _reader(rest[0]) if len(rest) == 1 else _same
        return lambda v: None if v is None else read(v)
    if origin in (list, typing.get_origin(Sequence[int])):
        one = _reader(args[0])
        return lambda v: [one(x) for x in v or ()]
    if origin is tuple:
        each = [_reader(a) for a in args]
        return lambda v: tuple(read(x) for read, x in zip(each, v))
    if origin in (dict, typing.get_origin(Mapping[str, int])):
        value = _reader(args[1])
        return lambda v: {k: value(x) for k, x in v.items()}
    return float if type is float else _same


def _same(v: Any) -> Any:
    return v
