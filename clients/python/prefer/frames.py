"""Tables as pandas.DataFrames, where pandas is installed."""

from __future__ import annotations

import dataclasses
import io
import json
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence

from .belief import Ranked
from .errors import PreferError
from .people import Entry, Rater

if TYPE_CHECKING:
    from pandas import DataFrame


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as e:
        raise PreferError("Study.frame needs pandas: pip install 'prefer-bo[pandas]'; the other methods have the rows without it") from e
    return pandas


def table(csv: bytes) -> "DataFrame":
    """A table of Study.export. Times are times, what is empty is missing, and texts that look like numbers in columns of texts stay texts."""
    pandas = _pandas()
    text = [name for name in _header(csv) if name in _TEXTS or name.endswith("_id")]
    frame = pandas.read_csv(io.BytesIO(csv), dtype={name: "string" for name in text}, keep_default_na=False, na_values=[""])
    return _timed(frame)


_TEXTS = ("study", "rater", "rater_a", "rater_b", "session", "choice", "method", "sentence", "verdict", "is_repeat_of", "key", "called")


def _header(csv: bytes) -> List[str]:
    return csv.split(b"\n", 1)[0].decode("utf-8-sig").strip().split(",")


def history(entries: Sequence[Entry]) -> "DataFrame":
    """One row per answer; parameters are first.<name> and second.<name>."""
    rows = []
    for e in entries:
        row: Dict[str, Any] = {"seq": e.seq, "time": e.time, "id": e.id, "question": e.question, "rater": e.rater, "method": e.method}
        row.update(_spread("first", e.first))
        row.update(_spread("second", e.second))
        said = dataclasses.asdict(e.answer)
        said.pop("rater")
        row.update(said)
        row.update(observed=e.observed, blind=e.blind, undone=e.undone, out=e.out)
        rows.append(row)
    return _timed(_pandas().DataFrame(rows, columns=None if rows else ["seq", "time", "id", "question", "rater", "method", "choice"]))


def raters(people: Sequence[Rater]) -> "DataFrame":
    """One row per rater; counts with intervals are left.count, left.of, left.low, left.high, and so on."""
    rows = []
    for rater in people:
        row: Dict[str, Any] = {}
        for name, value in dataclasses.asdict(rater).items():
            row.update(_spread(name, value) if isinstance(value, dict) else {name: value})
        rows.append(row)
    return _pandas().DataFrame(rows, columns=None if rows else [f.name for f in dataclasses.fields(Rater)])


def ranking(ranked: Sequence[Ranked]) -> "DataFrame":
    """One row per option, the best first."""
    return _ranked(ranked, [f.name for f in dataclasses.fields(Ranked) if f.name != "option"])


def predictions(ranked: Sequence[Ranked]) -> "DataFrame":
    """One row per option, in the order given."""
    return _ranked(ranked, ["mean", "sd"])


def _ranked(ranked: Sequence[Ranked], names: List[str]) -> "DataFrame":
    rows = [{**r.option, **{name: getattr(r, name) for name in names}} for r in ranked]
    return _pandas().DataFrame(rows, columns=None if rows else names)


def log(jsonl: bytes) -> "DataFrame":
    """One row per event: seq, time, kind and the event itself."""
    rows = []
    for line in jsonl.splitlines():
        event = json.loads(line)
        if "seq" not in event:
            continue  # the heading
        kind = next((k for k in event if k not in ("seq", "time", "sum", "kind")), "")
        rows.append({"seq": event["seq"], "time": event.get("time"), "kind": event.get("kind") or kind, "event": event})
    return _timed(_pandas().DataFrame(rows, columns=["seq", "time", "kind", "event"]))


def _spread(name: str, values: Mapping[str, Any]) -> Dict[str, Any]:
    return {f"{name}.{key}": value for key, value in values.items()}


def _timed(frame: "DataFrame") -> "DataFrame":
    if "time" in frame:
        frame["time"] = _pandas().to_datetime(frame["time"], utc=True, format="ISO8601")
    return frame
