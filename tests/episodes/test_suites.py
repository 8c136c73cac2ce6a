"""What every suite promises: tasks that depend on their seed and number alone, wherever and whenever they are made."""

import hashlib
import json
from pathlib import Path

import pytest
import torch

from polythetic.episodes import TaskSuite, batches
from polythetic.episodes.suites import suite_named
from polythetic.errors import InputError
from tests.episodes.named import every_suite, needs_data, suite_of

DIGESTS = Path(__file__).with_name("digests.json")


def tensors(episode):
    found = {
        "support": episode.support,
        "support_labels": episode.support_labels,
        "query": episode.query,
        "query_labels": episode.query_labels,
        **episode.attributes,
    }
    if episode.support_mask is not None:
        found["support_mask"] = episode.support_mask
    if episode.query_mask is not None:
        found["query_mask"] = episode.query_mask
    return found


def digest(episodes):
    found = hashlib.sha256()
    for episode in episodes:
        for name, tensor in sorted(tensors(episode).items()):
            found.update(f"{name} {tuple(tensor.shape[1:])} {tensor.dtype}".encode())
            found.update(tensor.numpy().tobytes())
    return found.hexdigest()


@every_suite
def test__suite__is_one(name):
    assert isinstance(suite_of(name), TaskSuite)


@every_suite
def test__tasks__in_one_batch_or_one_by_one__are_the_same(name):
    suite = suite_of(name)
    together = tensors(suite.batch(seed=4, start=2, stop=5))
    for k in range(3):
        alone = tensors(suite.batch(seed=4, start=2 + k, stop=3 + k))
        for part in alone:
            if part.endswith("_mask") and part not in together:
                assert alone[part].all()
            else:
                assert torch.equal(alone[part][0], together[part][k]), part


@every_suite
def test__tasks__of_other_seeds_or_numbers__are_others(name):
    suite = suite_of(name)
    first = suite.batch(seed=4, start=0, stop=1)
    for other in (suite.batch(seed=5, start=0, stop=1), suite.batch(seed=4, start=1, stop=2)):
        assert not torch.equal(first.support, other.support)


@every_suite
def test__tasks__in_four_workers__are_byte_identical(name):
    suite = suite_of(name)
    here = digest(batches(suite, tasks=6, seed=0, size=1))
    assert digest(batches(suite, tasks=6, seed=0, size=1, workers=4)) == here


@every_suite
def test__tasks__on_another_day__are_byte_identical(name):
    """Digests of the first three tasks, stored; ``digests.json`` changes only when a suite is meant to."""
    assert digest(batches(suite_of(name), tasks=3, seed=0, size=1)) == json.loads(DIGESTS.read_text())[name]


@every_suite
def test__padding__where_there_is_any__is_zero_and_at_the_end(name):
    episode = suite_of(name).batch(seed=1, start=0, stop=5)
    for rows, mask in ((episode.support, episode.support_mask), (episode.query, episode.query_mask)):
        if mask is None:
            assert len(rows) == 5
        else:
            assert (mask[:, :-1] | ~mask[:, 1:]).all()
            assert not rows[~mask].any()


def test__batches__from_the_middle__are_those_of_the_whole():
    suite = suite_of("boolean")
    whole = list(batches(suite, tasks=10, seed=0, size=2))
    rest = list(batches(suite, tasks=10, seed=0, size=2, start=4))
    assert len(rest) == 3
    assert digest(rest) == digest(whole[2:])


def test__suite_named__with_an_option_it_does_not_have__says_so():
    with pytest.raises(InputError, match="colour"):
        suite_named("mnist-full", split="evaluation", options={"colour": 3})


@needs_data
@pytest.mark.parametrize(
    "name", ["omniglot-characters", "omniglot-alphabets", "omniglot-unseen", "tiered", "mnist-full"]
)
def test__suite_named__training_and_evaluation__share_no_example_and_no_category(name):
    parts = [suite_named(name, split=split) for split in ("training", "evaluation")]
    collections = [getattr(part, "collection", getattr(part, "digits", None)) for part in parts]
    numbers = [{int(n) for members in c.members for n in members} for c in collections]
    assert not numbers[0] & numbers[1]
    if name != "mnist-full":
        assert not set(collections[0].category_names) & set(collections[1].category_names)


if __name__ == "__main__":  # python -m tests.episodes.test_suites writes the digests anew
    from tests.episodes.named import REAL, SUITES

    found = {name: digest(batches(suite_of(name), tasks=3, seed=0, size=1)) for name in (*SUITES, *REAL)}
    DIGESTS.write_text(json.dumps(found, indent=1) + "\n")
