"""Finds what people, or models, like best by asking "A or B?". A client for prefer serve.

    with Client("http://127.0.0.1:8080") as client:
        study = client.create("coffee", {"params": [{"name": "sugar", "low": 0, "high": 5}]})
        for question in study.questions(rater="anna"):
            study.tell(question, "first")
        print(study.verdict().sentence)
"""

from .belief import Belief, Best, Importance, Point, Ranked, Verdict
from .check import BlindCheck, BlindShare
from .client import Client
from .job import Budget, Job, Level, Share, Simulation
from .errors import BusyError, ConflictError, DeniedError, FieldError, InvalidError, NotFoundError, NotOverError, PreferError, ProblemError, UnreachableError
from .link import Link
from .question import Answer, Choice, Foretold, Item, Option, OptionLike, Question, Status, Value, Why
from .results import Cell, Results, Row
from .study import Study

__all__ = [
    "Answer", "Belief", "Best", "BlindCheck", "BlindShare", "Budget", "BusyError", "Cell", "Choice", "Client", "ConflictError", "DeniedError", "Job", "FieldError", "Foretold",
    "Importance", "InvalidError", "Item", "Level", "Link", "NotFoundError", "NotOverError", "Option", "OptionLike", "Point", "PreferError",
    "ProblemError", "Question", "Ranked", "Results", "Row", "Share", "Simulation", "Status", "Study", "UnreachableError", "Value", "Verdict", "Why",
]  # fmt: skip
