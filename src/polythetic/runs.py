"""Runs: what ``polythetic train`` is asked to do, kept in a folder with what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from polythetic.checkpoints import CheckpointError, last_checkpoint
from polythetic.distributed import Team
from polythetic.encoders import Encoder, encoder_for
from polythetic.episodes.suites import Suite, suite_named
from polythetic.errors import InputError, PolytheticError
from polythetic.evaluation import evaluate
from polythetic.files import write_atomically
from polythetic.learners import Learner, learner_named
from polythetic.metrics import Both, JsonLines, Metrics, Nowhere, TensorBoard
from polythetic.progress import Progress
from polythetic.training import Schedule, train

# Far from the seeds that people choose: with the same seed, other digits would be put to the same questions.
VALIDATION_SEED, EVALUATION_SEED = 1_000_000, 2_000_000


@dataclass(frozen=True)
class RunSettings:
    """All that a run depends on.

    Attributes:
        suite: what is learned from, by name.
        method: what learns, by the paper's name.
        variant: ``"ours"`` or ``"authors"``: whose temperatures, statistics and loss.
        split: ``"fitting"`` leaves validation data out; ``"training"`` has all but the evaluation data.
        encoder: by name; ``"auto"`` takes one that suits the examples.
        embedding: features that the encoder gives.
        options: of the suite: ``{"polythetic": 0.5}`` for example.
        method_options: of the method: ``{"rate": 0.1}`` of MAML, ``{"repeats": 0}`` of FS+MN.
        schedule: how long, and how.
    """

    suite: str
    method: str
    schedule: Schedule
    variant: str = "ours"
    split: str = "fitting"
    encoder: str = "auto"
    embedding: int = 64
    options: dict[str, Any] = field(default_factory=dict)
    method_options: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> str:
        """Write them down; without options of the method if there are none, as runs were before there could be."""
        fields = asdict(self)
        if not self.method_options:
            del fields["method_options"]
        return json.dumps(fields, indent=1, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> RunSettings:
        """Read them."""
        fields = json.loads(text)
        return cls(**{**fields, "schedule": Schedule(**fields["schedule"])})

    def learner(self, suite: Suite) -> Learner:
        """Make the learner as it is before training; the seed decides its weights."""
        torch.manual_seed(self.schedule.seed)
        encoder = encoder_for(
            suite.example_shape,
            name=self.encoder,
            embedding=self.embedding,
            statistics="support" if self.variant == "ours" else "joint",
        )
        return learner_named(self.method, encoder, variant=self.variant, suite=self.suite, options=self.method_options)


def validation_suites(settings: RunSettings, data: Path | None = None) -> dict[str, Suite]:
    """Return the tasks to watch a run on: of both kinds for digits, of the same kind otherwise."""
    kinds = {"monothetic": 0.0, "polythetic": 1.0} if settings.suite.startswith("mnist-") else {"same": None}
    return {
        kind: suite_named(
            settings.suite,
            split="validation",
            data=data,
            options=settings.options | ({} if share is None else {"polythetic": share}),
        )
        for kind, share in kinds.items()
    }


def run(
    settings: RunSettings,
    folder: Path,
    *,
    data: Path | None = None,
    validation_tasks: int = 50,
    tensorboard: bool = False,
    team: Team | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Learner:
    """Train as the settings say, in a folder; go on if the folder has the beginning of the same run."""
    team = team or Team()
    suite = suite_named(settings.suite, split=settings.split, data=data, options=settings.options)
    learner = settings.learner(suite)
    _claim(folder, settings, team)  # only now: settings that are none must not keep the folder from those meant
    watched = validation_suites(settings, data) if settings.split == "fitting" and validation_tasks else {}

    def validate(learner: Learner) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, tasks in watched.items():
            accuracy = evaluate({"": learner}, tasks, tasks=validation_tasks, seed=VALIDATION_SEED, batch_size=1)[""]
            found |= {f"validation_{name}": accuracy.mean, f"validation_{name}_stderr": accuracy.stderr}
        return found

    def metrics(step: int) -> Metrics:
        if not team.leads:
            return Nowhere()
        lines = JsonLines(folder / "metrics.jsonl", step=step)
        return Both(lines, TensorBoard(folder, step=step)) if tensorboard else lines

    return train(
        learner,
        suite,
        settings.schedule,
        folder=folder,
        validate=validate if watched else None,
        metrics=metrics,
        team=team,
        progress=progress,
        say=say,
    )


def _claim(folder: Path, settings: RunSettings, team: Team) -> None:
    """Write the settings into a new folder, or see that they are those of the run that is there.

    A run may be made longer, if its learning rate does not depend on its length: only the number of tasks may grow.
    """
    path = folder / "settings.json"
    if path.exists():
        there = read_settings(folder)
        same_but_longer = replace(there, schedule=replace(there.schedule, tasks=settings.schedule.tasks))
        longer = there.schedule.tasks < settings.schedule.tasks and not settings.schedule.decay
        if there != settings and not (longer and same_but_longer == settings):
            differing = [k for k, v in asdict(settings).items() if asdict(there)[k] != v]
            raise InputError(
                "--out", folder, f"a folder of its own: a run with other settings is there ({', '.join(differing)})"
            )
    if team.leads:
        write_atomically(path, settings.as_json().encode())


def read_settings(folder: Path) -> RunSettings:
    """Read the settings of a run."""
    try:
        return RunSettings.from_json((folder / "settings.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise PolytheticError(f"{folder} is not the folder of a run ({error}); `polythetic train` makes one") from None


def load_learner(folder: Path, suite: Suite) -> Learner:
    """Load what a run has learned, as far as it has come."""
    learner = read_settings(folder).learner(suite)
    checkpoint = last_checkpoint(folder)
    if checkpoint is None:
        raise CheckpointError(f"{folder}: has no checkpoint yet; `polythetic train` goes on with it")
    return taught(learner, checkpoint.part("weights"), str(folder))


def taught(learner: Learner, weights: dict[str, Tensor], run: str) -> Learner:
    """Give a learner the weights of a run, ready to be asked.

    Raises:
        InputError: it was made for tasks that the run's encoder does not fit.
    """
    own = learner.state_dict()
    for name in [*own, *sorted(weights.keys() - own.keys())]:
        there, wanted = (tuple(part[name].shape) if name in part else "nothing" for part in (weights, own))
        if there != wanted:
            raise InputError(
                "run", run, f"one whose encoder fits these tasks: of {name} it has {there}, where they need {wanted}"
            )
    learner.load_state_dict(weights)
    return learner.eval()


def encoder_of(learner: Learner) -> Encoder:
    """Return the encoder of a learner, to put another head on it."""
    encoder = getattr(learner, "encoder", None)
    if not isinstance(encoder, Encoder):
        raise InputError("run", type(learner).__name__, "a learner with an encoder")
    return encoder
