"""Episodic training: one loop over tasks that can be stopped at any moment and goes on to the bit."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType

import torch
from torch import Tensor

from polythetic.arguments import whole_number
from polythetic.checkpoints import Checkpoint, last_checkpoint, write_checkpoint
from polythetic.distributed import Team
from polythetic.episodes.episode import Episode, TaskSuite
from polythetic.errors import InputError, PolytheticError, StoppedError
from polythetic.learners.learner import Learner, columns
from polythetic.metrics import Metrics, Nowhere
from polythetic.progress import Progress, Silent


class NotFiniteError(PolytheticError):
    """The loss, or a gradient, is not a number; the message says after which task and where."""


@dataclass(frozen=True)
class Schedule:
    """How long and how to train.

    Attributes:
        tasks: how many tasks in all.
        tasks_per_step: tasks that share a step; their gradients are averaged.
        learning_rate: Adam's.
        decay: let the learning rate fall to zero along half a cosine, instead of staying as it is.
        seed: of the tasks.
        checkpoint_every: steps from one checkpoint to the next.
        validate_every: steps from one validation to the next; the last step is always followed by one.
    """

    tasks: int
    tasks_per_step: int = 1
    learning_rate: float = 1e-3
    decay: bool = False
    seed: int = 0
    checkpoint_every: int = 100
    validate_every: int = 500

    def __post_init__(self) -> None:
        for name in ("tasks", "tasks_per_step", "checkpoint_every", "validate_every"):
            whole_number(name, getattr(self, name), least=1)
        whole_number("seed", self.seed, least=0)
        if not 0 < self.learning_rate < math.inf:
            raise InputError("learning_rate", self.learning_rate, "a number above 0")

    @property
    def steps(self) -> int:
        """Steps in all; the last may have fewer tasks."""
        return -(-self.tasks // self.tasks_per_step)

    def rate_of(self, step: int) -> float:
        """Return the learning rate of a step.

        >>> [round(Schedule(tasks=5, decay=True).rate_of(step), 6) for step in (1, 3, 5)]
        [0.001, 0.000655, 9.5e-05]
        """
        share = (step - 1) / self.steps if self.decay else 0.0
        return self.learning_rate * (1 + math.cos(math.pi * share)) / 2

    def tasks_of(self, step: int) -> range:
        """Return the tasks of a step; the first step is 1."""
        return range((step - 1) * self.tasks_per_step, min(step * self.tasks_per_step, self.tasks))


def train(
    learner: Learner,
    suite: TaskSuite,
    schedule: Schedule,
    *,
    folder: Path | None = None,
    validate: Callable[[Learner], dict[str, float]] | None = None,
    metrics: Callable[[int], Metrics] = lambda step: Nowhere(),
    team: Team | None = None,
    progress: Progress | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Learner:
    """Train a learner on the first tasks of a suite, in place, and return it.

    With a folder, the run is saved there as it goes. Called again with the same arguments it goes on from the last
    checkpoint, and ends with the very weights it would have had without the interruption (on the same machine, with
    as many threads): a task depends on its number alone, and nothing else is left to chance.

    Args:
        learner: what learns.
        suite: what it learns from.
        schedule: how long, and how.
        folder: where checkpoints are kept.
        validate: measures the learner on other tasks, now and then.
        metrics: given the step that the run goes on from, makes what is told loss and accuracy.
        team: the processes that train together.
        progress: is told of every step.
        say: is told in words what a person would want to know.

    Raises:
        NotFiniteError: the loss is not a number any more.
        StoppedError: Ctrl-C; the run is saved.

    >>> from polythetic.classifiers import method_named
    >>> from polythetic.encoders import Pointwise
    >>> from polythetic.episodes import BooleanTasks
    >>> from polythetic.learners import EpisodicLearner
    >>> encoder = Pointwise(torch.nn.Linear(5, 8), example_dims=1)
    >>> learner = train(EpisodicLearner(encoder, method_named("PN")), BooleanTasks(n=5, alpha=1), Schedule(tasks=20))
    """
    team, progress = team or Team(), progress or Silent()
    trained = [p for p in learner.parameters() if p.requires_grad]
    if not trained:
        raise InputError("learner", type(learner).__name__, "something to learn: all of its parameters are frozen")
    optimiser = torch.optim.Adam(trained, lr=schedule.learning_rate)
    state = _State(learner, optimiser)
    done = 0
    if folder is not None and (checkpoint := last_checkpoint(folder, say)) is not None:
        done = state.restore(checkpoint)
        say(f"{folder}: goes on after step {done:,} of {schedule.steps:,}")
    written = metrics(done)
    progress.start("training", schedule.steps)
    progress.advance(done)
    learner.train()
    with _interruptible() as interrupted:
        for step in range(done + 1, schedule.steps + 1):
            for group in optimiser.param_groups:
                group["lr"] = schedule.rate_of(step)
            values = _step(learner, suite, optimiser, schedule.seed, schedule.tasks_of(step), team)
            last = step == schedule.steps
            if validate is not None and (step % schedule.validate_every == 0 or last):
                learner.eval()
                values |= validate(learner)
                learner.train()
            written.write(step, values)
            progress.advance(1, f"loss {values['loss']:.3f}, accuracy {values['accuracy']:.1f} %")
            stop = team.any(interrupted())
            if folder is not None and team.leads and (step % schedule.checkpoint_every == 0 or last or stop):
                write_checkpoint(folder, state.checkpoint(step))
            if stop and not last:
                where = "; the same command goes on from there" if folder is not None else ", and nothing kept it"
                raise StoppedError(f"stopped after step {step:,} of {schedule.steps:,}{where}")
    learner.eval()
    return learner


def _step(
    learner: Learner,
    suite: TaskSuite,
    optimiser: torch.optim.Optimizer,
    seed: int,
    tasks: range,
    team: Team,
) -> dict[str, float]:
    """Learn from some tasks, of which this process takes its share; return the mean loss and accuracy of them all."""
    mine = team.share(tasks.start, tasks.stop)
    weight = len(mine) / len(tasks)
    optimiser.zero_grad()
    found = torch.zeros(2)  # loss, accuracy
    if mine:
        episode = suite.batch(seed, mine.start, mine.stop)
        try:
            loss, log_p = learner.loss(episode)
        except InputError as error:  # features that are not finite
            raise NotFiniteError(f"task {mine.start:,}: {error}; {_REMEDY}") from error
        if not torch.isfinite(loss):
            raise NotFiniteError(f"task {mine.start:,}: the loss is {loss.item()}; {_REMEDY}")
        loss.backward()
        found = weight * torch.stack([loss.detach(), accuracy(log_p.detach(), episode)])
    team.average_gradients(learner.parameters(), weight)
    for name, parameter in learner.named_parameters():
        if parameter.grad is not None and not torch.isfinite(parameter.grad).all():
            raise NotFiniteError(f"task {tasks.start:,}: the gradient of {name} is not finite; {_REMEDY}")
    optimiser.step()
    loss_, accuracy_ = team.total(found).tolist()
    return {"loss": loss_, "accuracy": accuracy_}


_REMEDY = "try a smaller learning rate, or a softer temperature (a lower sharpness)"


def accuracy(log_p: Tensor, episode: Episode) -> Tensor:
    """Return the share of queries whose most probable class is the true one, in per cent."""
    right = (log_p.argmax(-1) == columns(episode)).float()
    if episode.query_mask is None:
        return 100 * right.mean()
    return 100 * (right * episode.query_mask).sum() / episode.query_mask.sum()


class _State:
    """What a run consists of at any moment: the weights, and what Adam remembers of their gradients."""

    def __init__(self, learner: Learner, optimiser: torch.optim.Adam):
        self._learner, self._optimiser = learner, optimiser

    def checkpoint(self, step: int) -> Checkpoint:
        tensors = {f"weights/{name}": value for name, value in self._learner.state_dict().items()}
        for number, memory in self._optimiser.state_dict()["state"].items():
            tensors |= {f"adam/{number}/{name}": value for name, value in memory.items()}
        return Checkpoint(step, tensors, {"kind": type(self._learner).__name__})

    def restore(self, checkpoint: Checkpoint) -> int:
        self._learner.load_state_dict(checkpoint.part("weights"))
        memory: dict[int, dict[str, Tensor]] = {}
        for name, tensor in checkpoint.part("adam").items():
            number, what = name.split("/")
            memory.setdefault(int(number), {})[what] = tensor
        self._optimiser.load_state_dict({**self._optimiser.state_dict(), "state": memory})
        return checkpoint.step


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C wait for the end of a step; a second one does not wait."""
    if current_thread() is not main_thread():  # only there can signals be caught
        yield lambda: False
        return
    asked = False
    before = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)
