"""What feature selection does, and what it does not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import torch
from torch import Tensor

from polythetic.attention import auto_temperature, log_attention
from polythetic.classifiers import Selection, method_named
from polythetic.episodes import BooleanTasks
from polythetic.evaluation import evaluate
from polythetic.experiments.table3_lines import unselected_on
from polythetic.learners.heads import SELF_ATTENTION_SHARPNESS
from polythetic.report.evidence import VARIANTS, Evidence, Setting
from polythetic.report.findings import Finding
from polythetic.report.numbers import percentage
from polythetic.report.traps.gradients import passed
from polythetic.standardisation import Statistics


def no_rounds(evidence: Evidence) -> str:
    """Take the gain of FS+MN* over MN* apart, by settings, similarity and rounds of attention."""
    parts = []
    for variant, words in VARIANTS.items():
        cell: Setting = {"tasks": "alphabets", "replacement": False, "variant": variant}
        told = []
        for similarity in ("cosine", "euclidean"):
            (plain,) = (
                entry
                for entry in evidence.rows("table3", "MN*", **cell, similarity=similarity)
                if "standardised" not in entry["label"]
            )
            selected = {
                entry["setting"]["R"]: entry["mean"]
                for entry in evidence.rows("table3", "FS+MN*", **cell, similarity=similarity)
            }
            rounds = ", ".join(f"{percentage(mean)} at R = {R}" for R, mean in sorted(selected.items()))
            alike = evidence.mean("table3", unselected_on("PN", similarity), **cell)
            told.append(
                f"{similarity}: MN* {percentage(plain['mean'])}, as FS+MN* but with no scores {percentage(alike)}, "
                f"FS+MN* {rounds}"
            )
        parts.append(f"With {words} ({plain['train_tasks']:,} training tasks), {'; '.join(told)}")
    return f"Alphabets without replacement, the same encoder, in per cent. {'. '.join(parts)}."


def saturation(evidence: Evidence) -> str:
    """Say what rows of two groups pay themselves at both temperatures, and what was learned at them."""
    theirs, ours = _kept()
    said = (
        "Of two groups of 24 rows with 64 features, half of whose variance is the group's, each row gives itself "
        f"{percentage(theirs)} % of its attention at τ = 2, {percentage(ours)} % at the "
        f"{SELF_ATTENTION_SHARPNESS:.0f}/F of ours. {_gradients()}"
    )
    cell: Setting = {"dataset": "colourless", "tasks": "polythetic"}
    try:
        trained = [
            evidence.the("table2", "FS+MN", **cell, variant="authors"),
            evidence.the("figure8", "FS+MN", **cell, variant="ours", proportion=0.0),
            evidence.the("table2", "FS+MN", **cell, variant="ours"),
        ]
    except LookupError:
        return said
    told = ", ".join(
        f"{percentage(e['mean'])} % after {e['train_tasks']:,} tasks with {VARIANTS[e['setting']['variant']]}"
        for e in trained
    )
    return f"{said} Trained on colourless digits, FS+MN has on polythetic tasks {told}."


def _gradients() -> str:
    """Say what the clipped loss passes on."""
    theirs, ours = passed("authors"), passed("ours")
    return (
        f"On noise, of which nothing can be known, FS+MN is sure of {percentage(theirs.beyond)} % of the queries with "
        f"the authors' settings, beyond the clip, and of {percentage(ours.beyond)} % with ours. The gradient's norm "
        f"is {theirs.clipped:.2f} with their clipped loss, {theirs.exact:.2f} with the exact one: "
        f"{percentage(100 * theirs.clipped / theirs.exact)} % are left."
    )


@cache
def _kept() -> tuple[float, float]:
    """Return what rows pay themselves, in per cent, at the authors' temperature and at ours."""
    draw = torch.Generator().manual_seed(0)
    groups = torch.randn(200, 2, 1, 64, generator=draw).expand(-1, -1, 24, -1)
    rows = (groups + torch.randn(200, 2, 24, 64, generator=draw)).flatten(1, 2)
    rows = Statistics.of(rows, eps=1e-7).standardise(rows)

    def kept(temperature: float | Tensor) -> float:
        weights = log_attention(rows, rows, temperature=temperature).exp()
        return 100 * float(weights.diagonal(dim1=-2, dim2=-1).mean())

    return kept(0.5), kept(auto_temperature(rows, sharpness=SELF_ATTENTION_SHARPNESS))


def ties(evidence: Evidence) -> str:
    """Say what stretching tied scores does, and scores that are nearly tied."""
    plain, ours = _stretching_ties()
    said = (
        f"XOR₄ of 4 bits, none irrelevant: {percentage(plain)} % with plain min–max, {percentage(ours)} % where a "
        "spread below 10⁻⁴ of the maximum counts as a tie (100 tasks)."
    )
    cell: Setting = {"beta": 0, "r": 5, "design": "iid"}
    try:
        authors, none = (evidence.mean("figure6", name, **cell, variant="authors") for name in ("FS+MN", "MN"))
    except LookupError:
        return said
    return (
        f"{said} On i.i.d. supports the scores are not quite tied, and the lowest is stretched to 0 all the same: "
        f"{percentage(authors)} % with the authors' settings, {percentage(none)} % with no selection (r = 5)."
    )


@cache
def _stretching_ties() -> tuple[float, float]:
    """Return the accuracy where no bit is irrelevant, ties stretched like any scores, and ties recognised."""
    chosen = method_named("FS+MN")
    assert isinstance(chosen.selection, Selection)
    plain = replace(chosen, selection=replace(chosen.selection, rescale=_stretched))
    found = evaluate({"plain": plain, "ours": chosen}, BooleanTasks(n=4, alpha=4, repetitions=5), tasks=100)
    return found["plain"].mean, found["ours"].mean


def _stretched(scores: Tensor) -> Tensor:
    low, high = scores.amin(-1, keepdim=True), scores.amax(-1, keepdim=True)
    return ((scores - low) / (high - low).clamp(min=torch.finfo(scores.dtype).tiny)) ** 2


FINDINGS = [
    Finding(
        "Omniglot's FS+MN was probably made with no rounds of attention",
        "The notebook is configured with R = 0 when it trains and evaluates these rows, and its stored outputs equal "
        "the printed table. What gains over MN is then not rounds of attention. With their settings it is Euclidean "
        "attention, on features as they are or standardised; with ours, standardising alone gains the cosine as much, "
        "and rounds on top of it harm.",
        no_rounds,
    ),
    Finding(
        "Temperatures must know the number of features",
        "At τ = 2, right for a handful of bits, both softmaxes saturate on 64 features: each row attends to itself, "
        "nothing is selected. The clipped loss passes no gradient for a query that is told with such confidence, "
        "rightly or wrongly.",
        saturation,
    ),
    Finding(
        "Min–max makes noise of ties",
        "With no irrelevant feature all scores are equal up to rounding, and min–max stretches the rounding over the "
        "whole range.",
        ties,
    ),
]
