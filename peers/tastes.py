"""Tastes of package problem, asked by any peer: the same people, the same noise, the same measure for everybody.

`prefer bench rater` answers questions over lines of JSON and judges picks. A peer is a class: ask() returns two points of
the unit cube, tell(first) takes the answer, pick() returns the option it recommends, end() is the end. This program asks
with prefer and with nothing but random pairs and prints what all rows of --out say; optuna.py and qeubo.py add theirs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Protocol

import numpy as np

from answers import logit, serving
from people import Axis, Prefer, interval, variants


class Peer(Protocol):
    def ask(self) -> tuple[np.ndarray, np.ndarray]: ...
    def tell(self, first: bool) -> None: ...
    def pick(self) -> np.ndarray: ...
    def end(self) -> None: ...


class Rater:
    """A taste's rater, who is a process."""

    def __init__(self, program: Path, taste: str, dim: int, kind: str) -> None:
        command = [str(program.resolve()), "bench", "rater", "--taste", taste, "--dim", str(dim), "--rater", kind]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.hello = self.heard()

    def heard(self) -> dict[str, Any]:
        reply = json.loads(self.process.stdout.readline() or '{"error": "the rater is gone"}')
        if "error" in reply:
            raise SystemExit(f"prefer bench rater: {reply['error']}")
        return reply

    def says(self, **request: np.ndarray) -> dict[str, Any]:
        self.process.stdin.write(json.dumps({k: np.clip(v, 0, 1).tolist() for k, v in request.items()}) + "\n")
        self.process.stdin.flush()
        return self.heard()

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


class RandomPairs:
    """Random pairs and the pick of a logit with squares; its ridge lies between those that are best on the hilly people of
    people.py, 0.03 and 0.3."""

    def __init__(self, dim: int, seed: int) -> None:
        self.dice, self.gaps = np.random.default_rng(seed), np.zeros((0, 2 * dim))

    def ask(self) -> tuple[np.ndarray, np.ndarray]:
        self.pair = self.dice.random((2, self.gaps.shape[1] // 2))
        return self.pair[0], self.pair[1]

    def tell(self, first: bool) -> None:
        z = 2 * self.pair - 1
        a, b = np.concatenate([z, z**2], 1)
        self.gaps = np.vstack([self.gaps, a - b if first else b - a])

    def pick(self) -> np.ndarray:
        line, square = logit(self.gaps, np.array([0.1]))[0].reshape(2, -1)
        z = np.linspace(-1, 1, 2001)[:, None]
        return (z[np.argmax(line * z + square * z**2, 0), 0] + 1) / 2

    def end(self) -> None:
        pass


def arguments(about: str) -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(description=about)
    p.add_argument("--program", type=Path, required=True, help="prefer")
    p.add_argument("--tastes", default="1000:0-4", metavar="SEED:A-B", help="of that seed, by number")
    p.add_argument("--dims", default="2,4,6")
    p.add_argument("--rater", default="ordinary", help="one who always chooses: exact, ordinary or careless")
    p.add_argument("--answers", default="10,20,30", help="after how many answers to look")
    p.add_argument("--out", type=Path, required=True, help="rows are appended; finished ones are skipped")
    return p


def old(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def play(args: argparse.Namespace, name: str, make: Callable[[int, int], Peer], config: dict[str, Any] = {}, jobs: int = 1) -> None:
    """Has a peer, made for a dimension and a seed, ask everybody whose row is missing."""
    seed, _, span = args.tastes.partition(":")
    first, _, last = span.partition("-")
    answers = sorted({int(k) for k in args.answers.split(",")})

    def cell(taste: str, dim: int) -> dict[str, Any]:
        return {"peer": name, "config": config, "taste": taste, "dim": dim, "rater": args.rater, "answers": answers}

    have = [{k: row[k] for k in cell("", 0)} for row in old(args.out)]

    def one(index: int, dim: int) -> None:
        row = cell(f"{seed}:{index}", dim)
        if row in have:
            return
        rater = Rater(args.program, row["taste"], dim, args.rater)
        start, used = time.perf_counter(), time.process_time()
        peer, found = make(dim, index), {}
        for k in range(1, max(answers) + 1):
            a, b = peer.ask()
            peer.tell(rater.says(a=a, b=b)["reply"] == "first")
            if k in answers:
                found[str(k)] = rater.says(pick=peer.pick())
        peer.end()
        row |= {"family": rater.hello["family"]} | {what: {k: v[what] for k, v in found.items()} for what in ("missed", "noticed")}
        row |= {"seconds": round(time.perf_counter() - start, 2), "cpu": round(time.process_time() - used, 2)}
        rater.end()
        with args.out.open("a") as out:
            out.write(json.dumps(row) + "\n")

    with ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(one, i, int(d)) for i in range(int(first), int(last or first) + 1) for d in args.dims.split(",")]:
            done.result()


def report(rows: list[dict[str, Any]], answers: list[str]) -> None:
    found: dict[tuple[int, str], dict[str, list[Any]]] = defaultdict(dict)
    for row in rows:
        for dim in row["dim"], 0:
            found[dim, row["peer"]][f"{row['taste']} {row['dim']}"] = [[row[what][k] for k in answers] for what in ("missed", "noticed")]
    print(f"| parameters | asked by | tastes | {' | '.join('missed ' + k for k in answers)} | {' | '.join('noticed ' + k for k in answers)} |")
    print("|---" * (3 + 2 * len(answers)) + "|")
    for dim, peer in sorted(found, key=lambda key: key[0] or 99):
        v = np.array([found[dim, peer][k] for k in sorted(found[dim, peer])])  # tastes × 2 × answers
        missed = ["{:.3f} ({:.3f}–{:.3f})".format(*interval(v[:, 0, i])) for i in range(len(answers))]
        noticed = [f"{v[:, 1, i].mean():.2f}" for i in range(len(answers))]
        print(f"| {dim or 'all'} | {peer} | {len(v)} | {' | '.join(missed)} | {' | '.join(noticed)} |")


def main() -> None:
    p = arguments("Ask the tastes of package problem: with prefer and with random pairs; and compare all peers' rows.")
    p.add_argument("--variants", type=variants, default={"prefer": {}}, metavar="JSON|FILE", help="as of people.py")
    p.add_argument("--jobs", type=int, default=2, help="tastes asked at once")
    args = p.parse_args()
    play(args, "random pairs, logit with squares", RandomPairs)
    with serving(args.program) as client:
        for name, config in args.variants.items():
            def study(dim: int, seed: int) -> Prefer:
                return Prefer(client, f"{name} {dim} {seed}", config, [Axis(f"x{j}", 0, 1, 0) for j in range(dim)], seed)

            play(args, name, study, config, args.jobs)
    answers = sorted({int(k) for k in args.answers.split(",")})
    report([row for row in old(args.out) if row["answers"] == answers and row["rater"] == args.rater], [str(k) for k in answers])


if __name__ == "__main__":
    main()
