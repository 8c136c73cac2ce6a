"""The Python lines that give what a page shows; those of Boolean are in ``boolean_code``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polythetic.explore.pictures import PicturesView
    from polythetic.explore.results import ResultsView
    from polythetic.explore.table_view import TableView


METHODS = ("PN", "NN", "MN", "FS+MN", "R+MN")  # that answer for pictures
ATTENDING = ("MN", "FS+MN", "R+MN")  # of these
MOST_ATTENDED = 6  # pictures shown of each


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
        'print(*sentences(scores, more_permutations=False), sep="\\n")',
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
    """Write the lines for results; they leave ``section``, or of all experiments ``verdicts`` by their names."""
    place = f"place = place_of({view.budget!r})  # what this page shows, if run where the explorer was started"
    if view.experiment:
        lines = [
            "from polythetic.explore.results import place_of, section_of",
            "",
            place,
            f"section = section_of({view.experiment!r}, place.folder)",
            "section.text, section.table, section.picture  # what is shown",
            "for line in section.comparison:",
            '    print(line.name, line.setting, line.paper, line.ours, line.verdict, sep=" | ")',
        ]
    else:
        lines = [
            "from polythetic.experiments import EXPERIMENTS",
            "from polythetic.explore.results import place_of",
            "from polythetic.report.comparison import verdict_counts",
            "from polythetic.results import load",
            "",
            place,
            'verdicts = {name: verdict_counts(load(place.folder / f"{name}.json").rows) for name in place.there}',
            "for name, found in verdicts.items():",
            '    print(EXPERIMENTS[name].where, EXPERIMENTS[name].question, "; ".join(found), sep=" | ")',
        ]
    return "\n".join(lines) + "\n"


def pictures_lines(view: PicturesView) -> str:
    """Write the lines for a task of pictures.

    They leave ``truth`` and, by the names of methods, ``answers``, how ``sure`` they are, ``attention`` and the
    ``strongest`` of it.
    """
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
    lines += [
        f"methods = {{name: method_named(name) for name in {METHODS!r}}}",
        "p = {name: method(support, labels, query).exp() for name, method in methods.items()}",
        "answers = {name: found.argmax(1) for name, found in p.items()}",
        "sure = {name: found.max(1).values for name, found in p.items()}",
        f"attention = {{name: attended(methods[name], support, labels, query) for name in {ATTENDING!r}}}",
        f"strongest = {{name: weights.topk({MOST_ATTENDED}) for name, weights in attention.items()}}"
        "  # line k: of query k + 1, how far and to which labelled pictures",
    ]
    here = ["from polythetic import method_named", "from polythetic.explore.pictures import attended"]
    return "\n".join([*here, *lines]) + "\n"
