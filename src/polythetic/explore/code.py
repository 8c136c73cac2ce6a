"""The Python lines that give what a page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polythetic.explore.written import written

if TYPE_CHECKING:
    from polythetic.explore.boolean_view import BooleanView
    from polythetic.explore.own_table import TableView
    from polythetic.explore.pictures import PicturesView
    from polythetic.explore.results import ResultsView


METHODS = ("PN", "NN", "MN", "FS+MN", "R+MN")  # that answer for pictures
PUBLIC = ("AttentionScorer", "Matching", "Method", "Prototypes", "Selection")


def boolean_lines(view: BooleanView) -> str:
    """Write the lines for a Boolean view; they leave ``followed`` and ``accuracy``, and with R ``scores``."""
    method, suite = written(view.method), written(view.tasks)
    here = ["BooleanTasks", "score_trajectory"]
    here += [name for name in PUBLIC if f"{name}(" in method]
    lines = [f"from polythetic import {', '.join(sorted(here, key=str.lower))}"]
    if "RefinedScorer(" in method:
        lines.append("from polythetic.refinement import RefinedScorer")
    if "MixturePrototypes(" in method:
        lines.append("from polythetic.classifiers import MixturePrototypes")
    lines += [
        "",
        f"episode = {suite}.batch(seed={view.seed}, start=0, stop=1)",
        "support, labels = episode.support[0], episode.support_labels[0]",
        "query, truth = episode.query[0], episode.query_labels[0]",
    ]
    if view.truth_table is not None:
        lines.insert(0, "import torch")
        lines += [
            f"values = torch.tensor({list(view.truth_table)})  # of the first three bits, from −−− to +++",
            "labels, truth = (values[((x[:, :3] > 0) * torch.tensor([4, 2, 1])).sum(1)] for x in (support, query))",
        ]
    lines += [
        "",
        f"followed = score_trajectory(support, labels, temperature={written(view.temperature)}, repeats={view.rounds}, "
        f"similarity={view.similarity!r})",
        "followed.features, followed.attention, followed.scores  # entry r of each: after r rounds",
        "",
        f"method = {method}",
        "accuracy = 100 * (method.predict(support, labels, query) == truth).double().mean().item()",
    ]
    if view.scorer == "R":
        lines.append("scores = method.selection.scores(support, labels, query)")
    return "\n".join(lines) + "\n"


def table_lines(view: TableView) -> str:
    """Write the lines for a table; they leave ``scores`` and, where rows are held out, ``predicted``."""
    missing = "" if view.missing == "error" else f", missing={view.missing!r}"
    drop = f".drop({', '.join(map(repr, view.drop))})" if view.drop else ""
    lines = [
        "import numpy as np",
        "from polythetic import PolytheticClassifier",
        "from polythetic.report.score_words import sentences",
        "from polythetic.table_scores import score_table",
        "from polythetic.tables import read_table, split_label",
        "",
        f"table = read_table({view.name!r}, as_written=[{view.label!r}]){drop}",
        f"features, labels = split_label(table, {view.label!r})",
        f"scores = score_table(features, labels, method={view.method!r}{missing}, seed={view.seed})",
        'print(*sentences(scores), sep="\\n")',
        "",
        f'words = table[{view.label!r}].cast(str).str.strip_chars().fill_null("").to_numpy()',
        'known = np.flatnonzero(words != "")',
        f"some = np.random.default_rng({view.seed}).permutation(known)[: round({view.held_out} * len(known))]",
        'held = np.union1d(some, np.flatnonzero(words == ""))',
        "kept = np.setdiff1d(known, held)",
        f"features = table.drop({view.label!r}, *scores.left_out)",
        f"fitted = PolytheticClassifier(random_state={view.seed}{missing}).fit(features[kept], words[kept])",
        "if len(held):",
        "    predicted = fitted.predict(features[held])",
        "    why = fitted.explain(features[held])",
        '# fitted.save("classifier.safetensors")',
    ]
    return "\n".join(lines) + "\n"


def results_lines(view: ResultsView) -> str:
    """Write the lines for results; they leave ``section``."""
    name = view.experiment or "table1"
    lines = [
        "from polythetic.experiments import EXPERIMENTS",
        "from polythetic.explore.results import place_of",
        "from polythetic.results import load",
        "",
        f'folder = place_of("{view.budget}").folder  # what this page shows, if run where the explorer was started',
        f'result = load(folder / "{name}.json")',
        f'section = EXPERIMENTS["{name}"].section(result, folder / "figures")',
        "for line in section.comparison:",
        '    print(line.name, line.setting, line.paper, line.ours, line.verdict, sep=" | ")',
    ]
    return "\n".join(lines) + "\n"


def pictures_lines(view: PicturesView) -> str:
    """Write the lines for a task of pictures; they leave ``answers``, by the name of the method, and ``truth``."""
    if view.dataset == "omniglot":
        lines = [
            "from polythetic.datasets import omniglot",
            "from polythetic.episodes import alphabet_tasks",
            "",
            f'tasks = alphabet_tasks(omniglot("evaluation"), ways=3, characters=4, shots={view.shots}, queries=1)',
        ]
    else:
        lines = [
            "from polythetic.datasets import mnist",
            "from polythetic.episodes import DigitTasks",
            "",
            'digits = mnist("evaluation", source="embedded")',
            f"tasks = DigitTasks(digits, {view.dataset!r}, polythetic=1, shots={view.shots}, queries=4)",
        ]
    lines += [
        f"episode = tasks.batch(seed={view.seed}, start=0, stop=1)",
        "labels, truth = episode.support_labels[0], episode.query_labels[0]",
    ]
    if view.features == "network":
        from polythetic.explore.picture_features import network_for

        lines = ["from pathlib import Path", "from polythetic.weights import opened", *lines]
        lines += [
            f"encoder = opened(Path({network_for(view.dataset)!r}))[1](tasks).encoder",
            "support, query = (x[0].detach() for x in encoder(episode.support, episode.query))",
        ]
    elif view.features == "pixels":
        lines.insert(0, "from polythetic.explore.picture_features import averaged")
        lines.append("support, query = averaged(episode.support[0]), averaged(episode.query[0])")
    else:
        lines.insert(0, "from polythetic.explore.picture_features import attributes")
        traits = 'attributes(episode.attributes[f"{side}_traits"][0])'
        lines.append(f'support, query = ({traits} for side in ("support", "query"))')
    lines.append(f"answers = {{name: method_named(name).predict(support, labels, query) for name in {METHODS!r}}}")
    return "\n".join(["from polythetic import method_named", *lines]) + "\n"
