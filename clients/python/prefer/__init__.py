"""Finds what people, or models, like best by asking "A or B?".

    study = prefer.Study({"sugar": (0, 5), "milk": bool})
    for question in study.questions(rater="anna"):
        study.tell(question, "first")
    print(study.verdict().sentence)

It needs no server: private.py keeps one for this interpreter. connect(url) is for one that others share.
"""

import importlib

from . import installed as _installed
from .aio import AsyncClient, AsyncJob, AsyncStudy
from .belief import Belief, Best, Gains, Importance, Joint, Point, Ranked, UtilityMap, Verdict
from .changes import Change, Changes
from .check import BlindCheck, BlindShare, Taken
from .client import Client, connect
from .job import Budget, Ending, Job, Level, Simulation
from .errors import BusyError, ConflictError, DeniedError, FieldError, InvalidError, NotFoundError, NotOverError, PreferError, ProblemError, UnreachableError
from .judge import Judged, JudgeError, JudgeTally
from .link import Link, Uploaded, UploadedRater, UploadLink
from .people import Agreement, Camp, Entry, Group, Me, PositionBias, Rater, Said, Share
from .question import Answer, Choice, Foretold, Item, Media, Option, OptionLike, Question, Status, Value, Why
from .results import Cell, Results, Row
from .space import SpaceLike
from .study import Study
from .upload import FileLike, Upload

__all__ = [
    "Agreement", "Answer", "AsyncClient", "AsyncJob", "AsyncStudy", "Belief", "Best", "BlindCheck", "BlindShare", "Budget", "BusyError", "Camp",
    "Cell", "Change", "Changes", "Choice", "Client", "ConflictError", "DeniedError", "Ending", "Entry", "FieldError", "FileLike", "Foretold", "Gains",
    "Group", "Importance", "InvalidError", "Item", "Job", "Joint", "Judged", "JudgeError", "JudgeTally", "Level", "Link", "Me", "Media", "NotFoundError", "NotOverError", "Option",
    "OptionLike", "Point", "PositionBias", "PreferError", "ProblemError", "Question", "Ranked", "Rater", "Results", "Row", "Said", "Share", "Simulation", "SpaceLike",
    "Status", "Study", "Taken", "UnreachableError", "Upload", "UploadLink", "Uploaded", "UploadedRater", "UtilityMap", "Value", "Verdict", "Why",
    "connect",
]  # fmt: skip

_installed.warn_of_others()


def __getattr__(name: str) -> object:
    if name == "__version__":
        return _installed.version()
    if name == "research":  # needs numpy, which nothing else does
        return importlib.import_module(".research", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
