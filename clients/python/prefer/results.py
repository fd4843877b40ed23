"""What a study has found out, as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Union

from .record import Record

Cell = Union[str, float, int, bool, None]
Row = Dict[str, Cell]  # by column; None where there is nothing


@dataclass(frozen=True)
class Results(Record):
    """Tables whose rows pandas takes as they are: pandas.DataFrame(results.people). docs/reference/formats.md has the codebook."""

    study: str
    config_sha256: str  # of the configuration, as `prefer init` and Study.info tell it
    log_sha256: str  # of the log that the tables were made from
    people: List[Row]  # one per rater: rater, pick.<parameter>, utility, sd, confidence, verdict, answers, noise, left, agreed, …
    group: List[Row]  # one, of all together: people, pick.<parameter>, score or utility, …
    agreement: List[Row]  # one per two raters of a study per rater: rater_a, rater_b, agreement, low, high
