"""Finds what people, or models, like best by asking "A or B?".

    study = prefer.Study({"sugar": (0, 5), "milk": bool})
    for question in study.questions(rater="anna"):
        study.tell(question, "first")
    print(study.verdict().sentence)

It needs no server: private.py keeps one for this interpreter. connect(url) is for one that others share.
"""

from .belief import Belief, Best, Importance, Point, Ranked, Verdict
from .check import BlindCheck, BlindShare
from .client import Client, connect
from .job import Budget, Job, Level, Share, Simulation
from .errors import BusyError, ConflictError, DeniedError, FieldError, InvalidError, NotFoundError, NotOverError, PreferError, ProblemError, UnreachableError
from .judge import Judged, JudgeError, JudgeTally
from .link import Link
from .question import Answer, Choice, Foretold, Item, Option, OptionLike, Question, Status, Value, Why
from .results import Cell, Results, Row
from .space import SpaceLike
from .study import Study

__all__ = [
    "Answer", "Belief", "Best", "BlindCheck", "BlindShare", "Budget", "BusyError", "Cell", "Choice", "Client", "ConflictError", "DeniedError", "Job", "Judged", "JudgeError", "JudgeTally", "FieldError", "Foretold",
    "Importance", "InvalidError", "Item", "Level", "Link", "NotFoundError", "NotOverError", "Option", "OptionLike", "Point", "PreferError",
    "ProblemError", "Question", "Ranked", "Results", "Row", "Share", "Simulation", "SpaceLike", "Status", "Study", "UnreachableError", "Value", "Verdict", "Why", "connect",
]  # fmt: skip
