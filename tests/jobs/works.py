"""Works for the jobs of tests: functions of a module, so that other processes find them by name."""

import os
import signal
import time
from pathlib import Path

import torch

from polythetic.checkpoints import steps_saved
from polythetic.errors import InputError
from polythetic.jobs import Job, learning
from polythetic.runs import RunSettings
from polythetic.training import Schedule


def number(x, log=None):
    """The number, as a row; and a line in a log, if there is one."""
    if log is not None:
        with Path(log).open("a") as file:
            file.write(f"{x}\n")
    return [{"x": x, "root": x**0.5}]


def total(**parts):
    return [{"x": sum(rows[0]["x"] for rows in parts.values())}]


def tensors(x):
    """In an order that is not the alphabet's, and one that is a part of another."""
    table = torch.arange(6.0).reshape(2, 3) * x
    return {"z": table.T, "a": table[:, 1], "b": torch.tensor([x], dtype=torch.float64).sqrt()}


def whereabouts():
    return {"process": str(os.getpid())}


def threads():
    return [{"threads": torch.get_num_threads()}]


def refusing(x):
    raise InputError("x", x, "another")


def interrupted():
    raise KeyboardInterrupt


def sleeping(x, seconds, log=None):
    time.sleep(seconds)
    return number(x, log)


def dying(x, marks, times):
    """Die, so many times: each leaves a mark."""
    deaths = len(list(Path(marks).iterdir()))
    if deaths < times:
        (Path(marks) / str(deaths)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number(x)


def chance(x):
    """What comes of the process's generator if another thread meddles with it meanwhile, and if none does."""
    torch.manual_seed(x)
    time.sleep(0.2)
    return {"drawn": torch.rand(3)}


def training(settings, folder):
    """Train, leaving word of who does it and from where."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "begun").open("a") as file:
        file.write(f"{os.getpid()} {steps_saved(folder)}\n")
    return learning.train(settings, folder)


def begun(folder):
    """Who began the training in a folder, each time, and after which step."""
    path = folder / "begun"
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [tuple(map(int, line.split())) for line in lines if line.endswith("\n")]


def strings(tasks=150, seed=0):
    """Settings of a run that takes a second or two, saved every ten steps."""
    schedule = Schedule(tasks=tasks, checkpoint_every=10, seed=seed)
    return RunSettings("boolean", "FS+MN", schedule, split="training", options={"n": 5})


def table():
    """Jobs of a tiny table: learners of digits and of strings, each trained, and put to tasks in two blocks."""
    digits = RunSettings("mnist-colourless", "FS+MN", Schedule(tasks=2), split="training")
    jobs = []
    for settings, options in ((digits, {"polythetic": 1.0}), (strings(20), {"n": 5})):
        trained = Job("training", learning.train, {"settings": settings}, folder=settings.suite)
        for start, stop in ((0, 2), (2, 3)):
            facts = {"weights": trained, "settings": settings, "suite": settings.suite, "options": options}
            facts |= {"heads": {"own": None, "MN": {"name": "MN"}}, "start": start, "stop": stop}
            jobs.append(Job("measuring", learning.measure, facts))
    return jobs


def same(first, second):
    """Whether two lists of values are the same to the bit, and in the same order."""
    return len(first) == len(second) and all(_same(*pair) for pair in zip(first, second, strict=True))


def _same(first, second):
    if isinstance(first, dict):
        return list(first) == list(second) and all(torch.equal(first[name], second[name]) for name in first)
    return first == second
