"""What the rows of `discovery` say: a table of the rows that it takes, and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from statistics import median
from typing import TypeAlias

from polythetic.experiments.discovery_rows import MEASURES, Place, is_relief
from polythetic.experiments.scored import SIGNIFICANT, outcome
from polythetic.report.numbers import signed
from polythetic.report.section import Table
from polythetic.results import Result, Row

FOUND = 95.0  # per cent, to count as found
MARGIN = 10.0  # points above chance, for a method to count as on the way

Shares: TypeAlias = dict[tuple[str, Place], float]

LINES: dict[str, Callable[[str], bool]] = {  # of the table: the best of these methods
    "R": lambda label: label == "R",
    "Algorithm 1": lambda label: label == "FS",
    "best Relief": is_relief,
    "NCFS": lambda label: label == "NCFS",
    "best of trees and mutual information": lambda label: (
        label in ("random forest", "gradient boosting", "mutual information")
    ),
    "exhaustive search": lambda label: label == "exhaustive",
}


def _shares(rows: Iterable[Row]) -> Shares:
    return {(e["label"], Place.of(e)): e["mean"] for e in rows if e["metric"] == "active share"}


def _best(shares: Shares, line: str) -> dict[Place, float]:
    """The best share of a line's methods in each place."""
    found: dict[Place, float] = {}
    for (label, place), share in shares.items():
        if LINES[line](label):
            found[place] = max(share, found.get(place, 0.0))
    return found


def table(rows: list[Row]) -> Table:
    """Lay out how many rows it takes to find what matters: the fewest of the ladder."""
    shares = _shares(rows)
    places = {place for _, place in shares}
    kinds = sorted({(place.features, place.noise) for place in places})
    sizes = sorted({(place.alpha, place.n) for place in places})
    body = []
    for features, noise in kinds:
        for line in LINES:
            best = _best(shares, line)
            cells = []
            for size in sizes:
                here = {p.rows: s for p, s in best.items() if p[:4] == (features, noise, *size)}
                enough = [count for count, share in here.items() if share >= FOUND]
                cells.append(f"{min(enough):,}" if enough else f"> {max(here):,}" if here else "not run")
            if best:
                body.append([line, features, f"{noise} %", *cells])
    return Table(["rows to find 95 %", "features", "noise", *(f"α={alpha} n={n}" for alpha, n in sizes)], body)


def text(result: Result) -> list[str]:
    """Say who finds what, who is ahead, and how long it takes."""
    return [
        _measured(result.rows),
        _who_finds(result.rows),
        _duels(result.rows),
        *_time(result.rows),
        *_left_out(result.rows),
    ]


def _measured(rows: list[Row]) -> str:
    tasks = max(e["tasks"] for e in rows if e["metric"] == "active share")
    return (
        f"The class is the XOR of α of n features: of fair bits, or of whether a genotype is 1, genotypes being 0, 1 or 2 copies of an "
        "allele of frequency ½ (Hardy–Weinberg). No α − 1 of them say anything of the class, and rows are drawn i.i.d. Shown is the share of the "
        f"active features among the α best-scored ones, over {tasks} tasks a cell, the same for every method; the picture has bits with all "
        "labels right, the table also genotypes and 10 % of wrong labels. Genotypes are categories to every method but trees: attention "
        "gets an indicator for each value. Accuracy, which is compared below (its figures are in results/discovery.json), is that of attention with the scales that R and Algorithm 1 give, and of attention on the α best features of the others, "
        "which are so told what R is not. Relief is scikit-rebate's (ReliefF with 100 neighbours, its default, and with 10; MultiSURF), ranked by "
        "its scores and by their absolute values, as in “Assessing the limitations of relief-based algorithms in detecting higher-order "
        "interactions”, BioData Mining 2024. NCFS is of Yang, Wang & Zuo 2012, after the neighbourhood components analysis of Goldberger et al. 2004, R's nearest relatives. "
        "Exhaustive search, over all sets of α features, is the ceiling."
    )


def _who_finds(rows: list[Row]) -> str:
    """Count the settings in which what matters is found, by α."""
    shares = _shares(rows)
    places = {place for _, place in shares}
    parts = []
    for alpha in sorted({place.alpha for place in places}):
        settings = {place[:4] for place in places if place.alpha == alpha}
        counts = []
        for line in ("R", "NCFS", "best Relief", "Algorithm 1"):
            there = {p[:4] for p, share in _best(shares, line).items() if p.alpha == alpha and share >= FOUND}
            counts.append(f"{line} {len(there)}")
        parts.append(f"α = {alpha}, of {len(settings)}: {', '.join(counts)}")
    most = max(place.rows for place in places)
    return (
        f"In how many settings (features, noise, n) {FOUND:.0f} % of the active features are found with {most:,} rows or fewer: "
        + "; ".join(parts)
        + "."
    )


def _duels(rows: list[Row]) -> str:
    """R against the best Relief: significantly behind, and ahead where it counts; and against NCFS."""
    duels = [e for e in rows if e["metric"] == "wins"]
    of_relief = [e for e in duels if is_relief(e["setting"]["against"])]
    found, accuracies = (_of(of_relief, measure) for measure in MEASURES)
    contested = [e for e in found if Place.of(e).chance + MARGIN < e["best"] < FOUND]
    ahead = sum(e["difference"] > 0 for e in contested)
    said = (
        f"R against the Relief that did best in each of {len(found)} cells, chosen afterwards (Wilcoxon's signed-rank test over "
        f"the tasks, p < {SIGNIFICANT:g}, not corrected for their number: of as many duels between equals, about "
        f"{SIGNIFICANT / 2 * len(found):.0f} would be lost by chance). In what it finds it is {_ended(found)}. In accuracy it is "
        f"{_ended(accuracies)}."
    )
    if contested:
        said += f" Where the best Relief finds between chance + {MARGIN:.0f} points and {FOUND:.0f} %, R finds more in {ahead} of {len(contested)} cells."
    if ncfs := [e for e in duels if e["setting"]["against"] == "NCFS"]:
        found, accuracies = (_of(ncfs, measure) for measure in MEASURES)
        said += (
            f" Against NCFS, in the {len(found)} cells that it was run in, R is {_ended(found)} in what it finds; "
            f"in accuracy {_ended(accuracies)}."
        )
    return said


def _of(duels: list[Row], measure: str) -> list[Row]:
    return [e for e in duels if e["setting"]["measure"] == measure]


def _ended(duels: list[Row]) -> str:
    """Count how duels ended, and name those that were lost."""
    ends = [outcome(duel) for duel in duels]
    behind = [_where(duel) for duel, end in zip(duels, ends, strict=True) if end == "behind"]
    lost = f"significantly behind in {len(behind)} ({'; '.join(behind)})" if behind else "never significantly behind"
    return f"significantly ahead in {ends.count('ahead')}, level in {ends.count('level')} and {lost}"


def _where(entry: Row) -> str:
    place = Place.of(entry)
    noise = f", {place.noise} % noise" if place.noise else ""
    return f"{place.features}{noise}, α = {place.alpha}, n = {place.n}, {place.rows:,} rows: {signed(entry['difference'], '{:.0f}'.format)} points"


def _time(rows: list[Row]) -> list[str]:
    """R beside scikit-rebate's MultiSURF on the same number of rows and features."""
    seconds = [e for e in rows if e["metric"] == "seconds"]
    theirs = {
        (e["setting"]["features"], e["setting"]["n"], e["setting"]["rows"]): e["mean"]
        for e in seconds
        if e["method"] == "MultiSURF" and e["setting"]["by"] == "scikit-rebate"
    }
    times: dict[bool, list[tuple[float, Place]]] = {True: [], False: []}
    for e in seconds:
        size = e["setting"]["features"], e["setting"]["n"], e["setting"]["rows"]
        if e["method"] == "R" and size in theirs:
            times[e["setting"]["batched"]].append((theirs[size] / max(e["mean"], 1e-9), Place.of(e)))
    if not theirs:
        return [
            "Relief was not timed, since scikit-rebate is not installed (pip install skrebate); its scores are matrix products here."
        ]
    alone = {Place.of(e): e["mean"] for e in seconds if e["method"] == "R" and not e["setting"]["batched"]}
    as_matrices = {
        Place.of(e): e["mean"]
        for e in seconds
        if (e["method"], e["setting"].get("by")) == ("MultiSURF", "matrix products") and Place.of(e) in alone
    }
    in_matrices = [
        theirs[place.features, place.n, place.rows] / max(mean, 1e-9)
        for place, mean in as_matrices.items()
        if (place.features, place.n, place.rows) in theirs
    ]
    faster = sum(alone[place] <= mean for place, mean in as_matrices.items())
    single, batched = times[False], times[True]
    sizes = [e["tasks"] for e in seconds if e["method"] == "R" and e["setting"]["batched"]]
    more = f", or of up to {max(sizes)} where they have few rows" if max(sizes) > min(sizes) else ""
    slower = [place for times_faster, place in single if times_faster < 1]
    factor, place = min(batched)
    many = sum(times_faster >= 20 for times_faster, _ in batched)
    return [
        f"Beside scikit-rebate's MultiSURF on as many rows and features, both on one core, R is {_times(single)} as fast on a task alone, and in batches of "
        f"{min(sizes)} tasks{more}, {_times(batched)} (20 times or more in {many} of {len(batched)} cells; least, {factor:.2g}, at α = {place.alpha}, n = {place.n}, {place.rows:,} rows). "
        + (
            f"Alone it is slower in {len(slower)} of {len(single)} cells ({_by_rows(slower)}). "
            if slower
            else "Alone it is never slower. "
        )
        + "Relief's scores are computed here as matrix products, the same to rounding, MultiSURF's "
        f"{median(in_matrices):,.0f} times as fast as scikit-rebate's loops (median); R alone is as fast as these products, or "
        f"faster, in {faster} of {len(as_matrices)} cells."
    ]


def _by_rows(places: list[Place]) -> str:
    counts = Counter(place.rows for place in places)
    return ", ".join(f"{counts[rows]} with {rows:,} rows" for rows in sorted(counts))


def _times(found: list[tuple[float, Place]]) -> str:
    factors = [factor for factor, _ in found]
    return f"{median(factors):.1f} times (median; {min(factors):.2g} to {max(factors):,.0f})"


def _left_out(rows: list[Row]) -> list[str]:
    reasons = [e["reason"] for e in rows if e["metric"] == "not run"]
    if not reasons:
        return []
    words = {
        "solved": "since fewer rows were enough for a slow method to find 99 %",
        "at chance": "since trees found nothing with fewer",
        "over a minute": "since a task would have taken over a minute",
        "too many sets": "since there are too many sets to search",
    }
    parts = [f"{reasons.count(reason)} {why}" for reason, why in words.items() if reason in reasons]
    return [f"Not run, and marked so: {'; '.join(parts)}."]
