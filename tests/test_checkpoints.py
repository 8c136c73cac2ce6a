"""Checkpoints: whole or not there, and what happens when one is damaged or the disk is full."""

import json
import resource
import subprocess
import sys

import pytest
import torch

from polythetic.checkpoints import Checkpoint, CheckpointError, last_checkpoint, read_checkpoint, write_checkpoint


def checkpoint(step):
    return Checkpoint(step, {"weights/w": torch.full((3,), float(step))}, {"kind": "test"})


def test__checkpoint__written_and_read__is_the_same(tmp_path):
    write_checkpoint(tmp_path, checkpoint(7))
    found = last_checkpoint(tmp_path)
    assert (found.step, found.facts) == (7, {"kind": "test"})
    assert torch.equal(found.tensors["weights/w"], torch.full((3,), 7.0))


def test__checkpoints__after_many__only_the_last_two_are_kept(tmp_path):
    for step in range(1, 6):
        write_checkpoint(tmp_path, checkpoint(step))
    assert sorted(path.name for path in tmp_path.glob("*.safetensors")) == [
        "checkpoint-00000004.safetensors",
        "checkpoint-00000005.safetensors",
    ]


def test__folder__without_checkpoints__has_none(tmp_path):
    assert last_checkpoint(tmp_path) is None


def damaged_by(kind, path):
    content = path.read_bytes()
    if kind == "truncated":
        path.write_bytes(content[: len(content) // 2])
    elif kind == "one bit":
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "no JSON":
        path.with_suffix(".json").write_text("{")
    elif kind == "JSON of another kind":
        path.with_suffix(".json").write_text("[]")


@pytest.mark.parametrize("kind", ["truncated", "one bit", "empty", "no JSON", "JSON of another kind"])
def test__last_checkpoint__damaged__the_one_before_is_used_and_that_is_said(tmp_path, kind):
    for step in (1, 2):
        write_checkpoint(tmp_path, checkpoint(step))
    damaged_by(kind, tmp_path / "checkpoint-00000002.safetensors")
    said = []
    assert last_checkpoint(tmp_path, said.append).step == 1
    assert "checkpoint-00000002.safetensors: damaged" in said[0]


def test__last_checkpoint__never_finished__does_not_count(tmp_path):
    for step in (1, 2):
        write_checkpoint(tmp_path, checkpoint(step))
    (tmp_path / "checkpoint-00000002.json").unlink()
    assert last_checkpoint(tmp_path).step == 1


def test__all_checkpoints__damaged__is_an_error_with_the_remedy(tmp_path):
    write_checkpoint(tmp_path, checkpoint(1))
    damaged_by("truncated", tmp_path / "checkpoint-00000001.safetensors")
    with pytest.raises(CheckpointError, match="remove the folder to begin anew"):
        last_checkpoint(tmp_path)


def test__checkpoint__of_a_pickle__is_refused_and_nothing_runs(tmp_path):
    write_checkpoint(tmp_path, checkpoint(1))
    path = tmp_path / "checkpoint-00000001.safetensors"
    torch.save({"w": torch.ones(1)}, path)
    with pytest.raises(CheckpointError, match="damaged"):
        read_checkpoint(path)


def test__full_disk__is_said_plainly_and_the_checkpoint_before_stays(tmp_path):
    """A limit on the size of files: the system really refuses to write on."""
    write_checkpoint(tmp_path, checkpoint(1))
    code = f"""
import signal, resource, torch
from pathlib import Path
from polythetic.checkpoints import Checkpoint, CheckpointError, write_checkpoint
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    write_checkpoint(Path({str(tmp_path)!r}), Checkpoint(2, {{"w": torch.zeros(100_000)}}, {{}}))
except CheckpointError as error:
    print(error)
"""
    assert resource.RLIMIT_FSIZE is not None
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "cannot be written (File too large): make room" in done.stdout
    assert last_checkpoint(tmp_path).step == 1
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test__json__beside_the_tensors__says_the_step_and_the_checksum(tmp_path):
    write_checkpoint(tmp_path, checkpoint(3))
    facts = json.loads((tmp_path / "checkpoint-00000003.json").read_text())
    assert facts["step"] == 3
    assert len(facts["sha256"]) == 64
