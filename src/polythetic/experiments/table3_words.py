"""What Table 3 shows, in words that its rows decide."""

from __future__ import annotations

from polythetic.experiments.counted import alike, fewer
from polythetic.experiments.scored import many, outcome, points
from polythetic.experiments.table3_decomposition import decomposition
from polythetic.experiments.table3_layout import (
    ALPHABETS,
    CHARACTERS,
    COLUMNS,
    WITH_REPLACEMENT,
    Lines,
    by_line,
)
from polythetic.experiments.table3_lines import KINDS, PAPER, Tasks, unselected_on
from polythetic.learners.heads import VARIANTS
from polythetic.results import Result, Row


def text(result: Result) -> list[str]:
    """Say what was done, who leads, what replacement costs, what selection adds, and how IMP and MAML do."""
    at, duels = by_line(result.rows), by_line(result.rows, "wins")
    return [
        _effort(at),
        _leaders(at, duels),
        _end_to_end(duels),
        _replacement(result.rows, at),
        decomposition(at, duels),
        _others(at, duels),
        _refined(at, duels),
    ]


def _effort(at: Lines) -> str:
    """Say how much work this is, and how it differs from the paper's."""
    ours = at["PN", "ours", CHARACTERS]
    trained = {
        variant: alike(
            (method, f"{at[method, variant, CHARACTERS]['train_tasks']:,}")
            for method in PAPER
            if not method.endswith("*") and (method, variant, CHARACTERS) in at
        )
        for variant in VARIANTS
    }
    return (
        f"Accuracy in per cent, mean ± standard error over {ours['tasks']:,} tasks{fewer(at.values(), ours['tasks'])}, the first of the same "
        "tasks for every method. All learners have learned from characters of the 30 background alphabets, 20-way "
        f"5-shot, and from nothing else, ours at a learning rate that falls to zero, from so many tasks: {trained['ours']}; "
        f"{many(ours['train_seeds'], 'training')} of prototypes{_spread(ours)}, one of each other. With the authors' settings it is "
        f"{trained['authors']}, and the paper's have learned from 10,000: who has learned longer has an advantage that is not the method's. "
        "MAML with the authors' settings has their rate of adaptation, and in all else ours. "
        "All are evaluated on the 20 alphabets that no training has seen, as the paper says. The authors' code takes held-out "
        "characters of the background alphabets for its first column: the paper's figures there are of other characters. "
        "A star: on the encoder of PN, frozen."
    )


def _spread(entry: Row) -> str:
    return "" if entry["spread"] is None else f" (± {entry['spread']:.1f} points between them on characters)"


def _leaders(at: Lines, duels: Lines) -> str:
    """Say which line leads in each column, and whether what the paper says of the frozen encoder holds."""
    said = []
    for kind, name in COLUMNS.items():
        ranked = sorted((at[method, "ours", kind] for method in PAPER), key=lambda entry: -entry["mean"])
        said.append(f"{_figure(ranked[0])}, then {_figure(ranked[1])}, on {name}")
    starred = ("FS+MN*", "FS+NN*")
    lost, gained, with_replacement = (
        " and ".join(points(duels[f"{name} against PN", "ours", kind]["difference"]) for name in starred)
        for kind in KINDS
    )
    printed = " and ".join(
        points(duels[f"{name} against PN", "ours", ALPHABETS]["paper_difference"]) for name in starred
    )
    return (
        f"The best of ours are {'; '.join(said)}. The paper says that FS+MN* and FS+NN* lose at most 0.5 points to PN on characters "
        f"and gain 12.6 on alphabets (its table: {printed}). Here they have {lost} on characters, {gained} on alphabets "
        f"and {with_replacement} on alphabets with replacement."
    )


def _figure(entry: Row) -> str:
    return f"{entry['label']} ({entry['mean']:.1f})"


def _end_to_end(duels: Lines) -> str:
    """Say whether FS+MN, trained from end to end, stands to the others as the paper says."""

    def against(kind: Tasks) -> str:
        parts = []
        for other in ("MN", "MAML", "PN", "IMP"):
            duel = duels[f"FS+MN against {other}", "ours", kind]
            parts.append(
                f"{points(duel['difference'])} over {other} (paper {points(duel['paper_difference'])}; {outcome(duel)})"
            )
        return ", ".join(parts)

    starred = {kind: duels["FS+MN* against MN*", "ours", kind] for kind in (CHARACTERS, ALPHABETS)}
    improved = ", ".join(
        f"{points(duel['difference'])} on {kind.tasks} (paper {points(duel['paper_difference'])}; {outcome(duel)})"
        for kind, duel in starred.items()
    )
    return (
        "The paper has FS+MN, trained from end to end, ahead of MN and MAML and about level with PN and IMP on "
        "characters, and ahead of all but IMP on alphabets. Ours, in points, with the outcome of Wilcoxon's signed-rank "
        f"test over the tasks at 5 %: on characters {against(CHARACTERS)}; on alphabets {against(ALPHABETS)}. And it has "
        f"FS+MN* ahead of MN* on both: {improved}; ours has the same similarity in both, the paper has not."
    )


def _replacement(rows: list[Row], at: Lines) -> str:
    """Say how often alphabets repeat, and what that costs."""
    (share,) = [entry for entry in rows if entry["metric"] == "repeated alphabets"]
    repeated, distinct = (by_line(rows, f"accuracy, {which} alphabets") for which in ("repeated", "distinct"))
    cost = {
        method: at[method, "ours", ALPHABETS]["mean"] - at[method, "ours", WITH_REPLACEMENT]["mean"] for method in PAPER
    }
    least, most = min(cost, key=lambda m: cost[m]), max(cost, key=lambda m: cost[m])
    key = "NN*", "ours", WITH_REPLACEMENT
    apart = (
        f" On these NN* has {repeated[key]['mean']:.1f} %, on the others {distinct[key]['mean']:.1f} %."
        if key in repeated and key in distinct
        else ""
    )
    return (
        "The authors draw the three alphabets with replacement: two classes of a task may be one alphabet, which "
        f"nothing can tell apart. That is so in {share['mean']:.1f} % of the {share['tasks']:,} tasks counted here.{apart} "
        f"Of the paper's nine lines it costs {least} the least, {cost[least]:.1f} points, and {most} the most, "
        f"{cost[most]:.1f}; NN* {cost['NN*']:.1f}, FS+MN* {cost['FS+MN*']:.1f}, FS+NN* {cost['FS+NN*']:.1f}. The paper's "
        "figures stand beside both columns; it is the one with replacement that they are to be compared with."
    )


def _others(at: Lines, duels: Lines) -> str:
    """Say how IMP and MAML do."""

    def means(name: str, variant: str = "ours") -> str:
        return " / ".join(f"{at[name, variant, kind]['mean']:.1f}" for kind in KINDS)

    lead = ", ".join(
        f"{name} {points(duels[f'{name} against IMP', 'ours', kind]['difference'])} on {kind.tasks}"
        for name in ("FS+MN*", "FS+NN*")
        for kind in (CHARACTERS, ALPHABETS)
    )
    maml = "; ".join(f"{means('MAML', who)} with {_adaptation(at['MAML', who, CHARACTERS])}" for who in VARIANTS)
    printed = {name: " / ".join(f"{mean:.1f}" for mean, _ in PAPER[name].values()) for name in ("IMP", "MAML")}
    return (
        f"Infinite mixture prototypes have {means('IMP')} on characters / alphabets / alphabets with replacement (paper "
        f"{printed['IMP']}); against them {lead}. The paper calls FS on the frozen encoder similar to them and simpler. "
        f"MAML has {maml}, the authors' (paper {printed['MAML']}); for three alphabets its head starts from zero with a row for "
        f"each, and chance has {100 / 3:.1f}. It has learned from {many(at['MAML', 'ours', CHARACTERS]['train_tasks'], 'task')} here, in the paper from 10,000."
    )


def _adaptation(entry: Row) -> str:
    setting = entry["setting"]
    return f"rate {setting['rate']:g} and {setting['steps']} steps in training, {setting['test_steps']} at test"


def _refined(at: Lines, duels: Lines) -> str:
    """Say how refined scores stand to the best of the other lines, column by column, and what the scores themselves add."""

    def means(name: str) -> str:
        return " / ".join(f"{at[name, 'ours', kind]['mean']:.1f}" for kind in KINDS)

    said = []
    for kind, column in COLUMNS.items():
        best = max(PAPER, key=lambda method: at[method, "ours", kind]["mean"])
        ours, duel = at["R+MN*", "ours", kind], duels[f"R+MN* against {best}", "ours", kind]
        error = ours["stderr"] or 0.0
        within = "above or within" if ours["mean"] >= at[best, "ours", kind]["mean"] - error else "not within"
        said.append(
            f"on {column} {points(duel['difference'])} against {best} ({outcome(duel)}; {within} one standard error, ±{error:.1f})"
        )
    plain = unselected_on("PN")
    gains = ", ".join(
        f"{points(duel['difference'])} on {column} ({outcome(duel)})"
        for kind, column in COLUMNS.items()
        for duel in [duels[f"R+MN* against {plain}", "ours", kind]]
    )
    return (
        f"Refined scores, ours, on PN's encoder: R+MN* {means('R+MN*')}, R+NN* {means('R+NN*')} on characters / alphabets / "
        f"alphabets with replacement; FS+MN* {means('FS+MN*')}. R+MN* against the best of the paper's lines in each column: "
        f"{'; '.join(said)}. Against Euclidean attention on standardised features, with nothing scored: {gains}."
    )
