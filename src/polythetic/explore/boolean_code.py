"""The Python lines that give what the Boolean page shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from polythetic.explore.written import written

if TYPE_CHECKING:
    from polythetic.explore.boolean_view import BooleanView

PUBLIC = ("AttentionScorer", "Matching", "Method", "Prototypes", "Selection")


def boolean_lines(view: BooleanView, theory: Mapping[str, Any]) -> str:
    """Write the lines for a Boolean view and what theory says of it.

    They leave ``followed``, ``accuracy`` and ``decided``; with R ``scores``; and where there is a theory ``foretold``
    and ``drawn``, or ``possible``.
    """
    method, suite = written(view.method), written(view.tasks)
    here = ["BooleanTasks", "score_trajectory"]
    here += [name for name in PUBLIC if f"{name}(" in method]
    lines = [f"from polythetic import {', '.join(sorted(here, key=str.lower))}"]
    if "RefinedScorer(" in method:
        lines.append("from polythetic.refinement import RefinedScorer")
    if "MixturePrototypes(" in method:
        lines.append("from polythetic.classifiers import MixturePrototypes")
    lines += [
        "from polythetic.explore.boolean import decision_map",
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
    lines.append("decided = decision_map(method, support, labels)  # p(true) over the first two bits, the others 0")
    return "\n".join([*lines, *_theory_lines(view, theory)]) + "\n"


def _theory_lines(view: BooleanView, theory: Mapping[str, Any]) -> list[str]:
    """Write the lines for what theory foretells: of prototypes whether they can, of attention how often it is right."""
    if view.classifier == "PN":
        function = list(view.truth_table) if view.truth_table else f"evaluate_function({view.function!r}, inputs)"
        return [
            "",
            "from polythetic.episodes import evaluate_function, sign_vectors",
            "from polythetic.theory import is_threshold",
            "",
            f"inputs = sign_vectors({view.bits})",
            f"possible = is_threshold({function}, inputs)  # by some weighted sum of the bits",
        ]
    if theory["percent"] is None:
        return []
    from polythetic.explore.prediction import TRIALS

    similarity, temperature = repr(view.classifier_similarity), written(view.classifier_temperature)
    bits = f"{view.bits}, {view.irrelevant}"
    lines = [
        "",
        "from polythetic.classifiers.options import SHARPNESS, temperature_on",
        "from polythetic.theory import attention_moments, simulate_attention",
        "",
        f"tau = 1 / float(temperature_on(support, None, {similarity}, {temperature}, SHARPNESS))",
        f'setting = {{"repetitions": len(labels) // {2**view.bits}, "similarity": {similarity}, "tau": tau}}',
        f"foretold = 100 * (1 - attention_moments({bits}, **setting).misclassification)",
    ]
    if theory["drawn"] is not None:
        simulated = f"simulate_attention({bits}, trials={TRIALS}, seed={view.seed}, **setting)"
        lines.append(f"drawn = 100 * (1 - {simulated}.misclassification)")
    return lines
