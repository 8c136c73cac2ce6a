"""§5 and App. A, F, I: binary strings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import fmean

from polythetic.episodes import TEST_PAIRS, TRAINING_PAIRS, BooleanTasks
from polythetic.report.evidence import VARIANTS, Evidence, NoRowError, Setting, gap
from polythetic.report.ledger import Claim, Point, asking, by_variant
from polythetic.report.numbers import listed, percentage, signed, xor
from polythetic.report.trained import trained
from polythetic.results import Row

CELLS = [(n, alpha) for n in (5, 10) for alpha in (2, 3, 4)]


def _stages(rows: list[Row]) -> list[int]:
    return sorted({entry["train_tasks"] for entry in rows})


@asking("a fall of more than 10 points")
def sharply(evidence: Evidence) -> Iterator[Point]:
    """Follow prototypes of n² dimensions from n = 5 to n = 10."""
    stages = _stages(evidence.rows("table1", "PN"))
    for stage in stages:
        means = [
            evidence.mean("table1", "PN", n=n, alpha=2, design="balanced", embedding=n**2, train_tasks=stage)
            for n in (5, 10)
        ]
        yield Point(
            f"XOR₂, d = n², {stage:,} tasks: {listed(means)} % at n = 5 / 10",
            means[0] - means[1] > 10,
        )


@asking("further with n² than with n, and with neither to the longest")
def units_needed(evidence: Evidence) -> Iterator[Point]:
    """Find up to which length prototypes have ninety per cent, in n and in n² dimensions."""
    rows = evidence.rows("figure3", "PN", design="balanced")
    last = _stages(rows)[-1]
    reached = {}
    for power, name in ((1, "n"), (2, "n²")):
        good = [
            e["setting"]["n"]
            for e in rows
            if e["train_tasks"] == last and e["mean"] >= 90 and e["setting"]["embedding"] == e["setting"]["n"] ** power
        ]
        reached[name] = max(good)
    words = " and ".join(f"up to n = {n} with d = {name}" for name, n in reached.items())
    after = trained([entry for entry in rows if entry["train_tasks"] == last])
    yield Point(f"90 % on XOR₂{after}: {words}", reached["n"] < reached["n²"] < max(e["setting"]["n"] for e in rows))


@asking("ahead in at least five, behind in none")
def best(evidence: Evidence) -> Iterator[Point]:
    """Set FS+MN beside the best prototypes that were trained as long as the paper's figures fit, column by column."""
    settings: dict[str, Setting] = {
        "ours": {"R": 2, "dispersion": "std"},
        "authors": {"R": 5, "statistics": "joint"},
    }
    for variant, name in VARIANTS.items():
        gaps = []
        for n, alpha in CELLS:
            cell: Setting = {"n": n, "alpha": alpha, "design": "balanced"}
            prototypes = evidence.rows("table1", "PN", **cell)
            rival = max((e for e in prototypes if e["train_tasks"] == _stages(prototypes)[0]), key=lambda e: e["mean"])
            gaps.append(gap(evidence.the("table1", "FS+MN", **cell, variant=variant, **settings[variant]), rival))
        ahead, level = sum(lead > error for lead, error in gaps), sum(abs(lead) <= error for lead, error in gaps)
        words = f"{name}, untrained: ahead of PN in {ahead} of {len(CELLS)} columns, level in {level} "
        words += f"(PN{trained([rival]).removeprefix(',')})"
        yield Point(words, ahead >= 5 and ahead + level == len(CELLS))


def support_size(evidence: Evidence) -> Iterator[Point]:
    """Count the rows of tasks that the library makes."""
    sizes = []
    for alpha in (2, 3, 4):
        episode = BooleanTasks(n=5, alpha=alpha, repetitions=5).batch(0, 0, 1)
        sizes.append((episode.support.shape[1], episode.query.shape[1]))
    yield Point(
        f"{listed((s for s, _ in sizes), str)} for α = 2 / 3 / 4", sizes == [(5 * 2**a,) * 2 for a in (2, 3, 4)]
    )


@asking("within a factor of 1.4")
def standard_error(evidence: Evidence) -> Iterator[Point]:
    """Compare the printed standard errors with those that as many tasks give."""
    rows = [
        e
        for e in evidence.rows("table1", "FS+MN", n=10, variant="authors", design="balanced", statistics="joint")
        if e["paper_stderr"]
    ]
    for entry in rows:
        ratio = entry["paper_stderr"] / entry["stderr"]
        words = f"{xor(entry['setting']['alpha'])}: ±{entry['stderr']:.2f} over {entry['tasks']:,} tasks"
        yield Point(f"{words}, printed ±{entry['paper_stderr']}", 1 / 1.4 < ratio < 1.4)


@asking("nearest after 10,000")
def ten_thousand(evidence: Evidence) -> Iterator[Point]:
    """See after how many training tasks prototypes are nearest to the printed figures."""
    rows = [e for e in evidence.rows("table1", "PN") if e["paper"] is not None]
    off = {s: fmean(abs(e["mean"] - e["paper"]) for e in rows if e["train_tasks"] == s) for s in _stages(rows)}
    if len(off) < 2:
        raise NoRowError("prototypes after one number of training tasks alone")
    words = ", ".join(f"{percentage(mean)} points away after {stage:,}" for stage, mean in off.items())
    yield Point(f"Table 1's PN, on average: {words}", min(off, key=off.__getitem__) == 10_000)


def _pairs(evidence: Evidence, pairs: str, stage: int, embedding: int = 100) -> list[Row]:
    cell: Setting = {"embedding": embedding, "pairs": pairs, "train_tasks": stage, "design": "balanced"}
    return [evidence.the("appendix-a", "PN", **cell, beta=beta) for beta in (0, 1, 2)]


@asking("more than 20 points less on unseen ones")
def unseen(evidence: Evidence) -> Iterator[Point]:
    """Compare pairs seen in training with pairs unseen."""
    for stage in _stages(evidence.rows("appendix-a"))[1:]:
        seen, others = (listed(e["mean"] for e in _pairs(evidence, kind, stage)) for kind in ("training", "test"))
        lost = min(
            _pairs(evidence, "training", stage)[i]["mean"] - e["mean"]
            for i, e in enumerate(_pairs(evidence, "test", stage))
        )
        yield Point(
            f"{stage:,} tasks, d = 100, β = 0 / 1 / 2: {others} % on unseen pairs, {seen} % on seen ones",
            lost > 20,
        )


def better_than_chance(evidence: Evidence) -> Iterator[Point]:
    """Test the figures at d = 100 against one half."""
    stage = _stages(evidence.rows("appendix-a"))[1]
    found = _pairs(evidence, "test", stage)
    yield Point(
        f"{listed(e['mean'] for e in found)} %, {stage:,} tasks", all(e["mean"] - 50 > 2 * e["stderr"] for e in found)
    )


@asking("untrained no lower, errors aside")
def by_chance(evidence: Evidence) -> Iterator[Point]:
    """See what an encoder that has learned nothing makes of the same pairs."""
    before, after = (_pairs(evidence, "test", stage) for stage in _stages(evidence.rows("appendix-a"))[:2])
    words = f"untrained: {listed(e['mean'] for e in before)} %, trained: {listed(e['mean'] for e in after)} %"
    yield Point(words, all(b["mean"] >= a["mean"] for b, a in zip(before, after, strict=True)))


def apart(evidence: Evidence) -> Iterator[Point]:
    """Look for pairs on both sides."""
    both = set(TRAINING_PAIRS) & set(TEST_PAIRS)
    words = f"{len(TRAINING_PAIRS)} pairs in training, {len(TEST_PAIRS)} others in tests, {len(both) or 'none'} in both"
    yield Point(words, not both and len(TRAINING_PAIRS) == len(TEST_PAIRS) == 5)


def same_frequency(evidence: Evidence) -> Iterator[Point]:
    """Count how often each bit is active."""
    counts = [set(Counter(bit for pair in pairs for bit in pair).values()) for pairs in (TRAINING_PAIRS, TEST_PAIRS)]
    yield Point(f"each in {counts[0].copy().pop()} of 5 pairs", counts[0] == counts[1] and len(counts[0]) == 1)


@asking("at no n more than 0.5 behind PN")
@by_variant
def no_training(evidence: Evidence, variant: str) -> Point:
    """Compare FS+MN on the bits themselves with the best of the prototypes, over all lengths."""
    ours = {e["setting"]["n"]: e["mean"] for e in evidence.rows("figure3", "FS+MN", variant=variant, design="balanced")}
    found = sorted(evidence.rows("figure3", "PN", design="balanced"), key=lambda entry: entry["mean"])
    prototypes = {entry["setting"]["n"]: entry for entry in found}  # of each n, the last is the best
    best = {n: entry["mean"] for n, entry in prototypes.items()}
    longest = max(ours)
    lead = signed(ours[longest] - best[longest])
    words = f"n = {longest}: {percentage(ours[longest])} %, PN {percentage(best[longest])} % ({lead})"
    words += trained([prototypes[longest]])
    return Point(words, all(ours[n] >= best[n] - 0.5 for n in ours), ", untrained")


CLAIMS = [
    Claim(
        "“linear in the number of features and the classifier generalises to unseen classifications”",
        "§3, Figure 3",
        no_training,
    ),
    Claim("“Each variation … occurs 5 times in the support, |S| = 5·2^α”, “|Q| = 5·2^α”", "§5, App. I", support_size),
    Claim("“PN accuracy decreases sharply with sequence length n”", "§5, Table 1", sharply),
    Claim(
        "“the number of embedding units required to effectively solve this problem grows rapidly with n”",
        "§5",
        units_needed,
    ),
    Claim("(bold figures: FS+MN is best in five columns, and equal in the sixth)", "Table 1", best),
    Claim("“Mean and standard error calculated over 1000 tasks”", "Table 1", standard_error),
    Claim("“We train the models for 10,000 iterations (i.e. tasks) for all experiments”", "App. F", ten_thousand),
    Claim("“the inability of prototypical networks to generalise to unseen combinations”", "App. A", unseen),
    Claim("“better-than-chance performances (i.e. for 100-dimensional embeddings)”", "App. A", better_than_chance),
    Claim(
        "“by chance, large numbers of non-linear features … will include some features that are useful”",
        "App. A",
        by_chance,
    ),
    Claim("“the sets of combinations seen at train and test times are disjoint”", "App. A", apart),
    Claim("“the same expected frequency of being active at train and test times”", "App. A", same_frequency),
]
