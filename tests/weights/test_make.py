"""Making the weights that come along: of finished runs, with all that is to be known of them."""

import json
import os
from dataclasses import replace
from hashlib import sha256
from math import prod

import torch
from safetensors.torch import save as save_tensors

from polythetic.checkpoints import last_checkpoint
from polythetic.experiments import BUDGETS
from polythetic.experiments.learned import folder_name
from polythetic.results import Result, row, save
from polythetic.runs import RunSettings
from polythetic.weights import shipped_weights
from polythetic.weights.make import card, command, make, name_of, wanted
from tests.cli.test_cli import polythetic
from tests.experiments.tiny import TINY
from tests.weights.tiny import NAME, runs, settings_of  # noqa: F401 - a fixture


def test__wanted__are_our_first_learners_of_both_tables__each_under_a_name_of_its_own():
    found = {name_of(settings): table for table, settings in wanted(BUDGETS["standard"])}
    methods = ("pn", "mn", "fs-mn")
    digits = {f"mnist-{dataset}-{method}" for dataset in ("clean", "colourless", "full") for method in methods}
    characters = {f"omniglot-characters-{method}" for method in (*methods, "imp", "maml")}
    with_options = {name for name in found if name.startswith("omniglot-characters-maml-")}
    assert found == dict.fromkeys(digits, "table2") | dict.fromkeys(characters | with_options, "table3")
    assert len(list(wanted(BUDGETS["standard"]))) == len(found)


def test__make__a_finished_run__is_written_in_half_precision_and_the_others_are_left_out(runs, tmp_path):  # noqa: F811
    said = []
    assert make(TINY, runs, tmp_path, tmp_path / "out", say=said.append) == 1
    assert {path.name for path in (tmp_path / "out").iterdir()} == {f"{NAME}.safetensors", f"{NAME}.json"}
    assert sum("left out" in line for line in said) == len(list(wanted(TINY))) - 1
    learned = last_checkpoint(runs / folder_name(settings_of("FS+MN"))).part("weights")
    settings, weights = shipped_weights(NAME, tmp_path / "out")
    assert settings == settings_of("FS+MN")
    assert weights.keys() == learned.keys()
    for name, tensor in weights.items():
        assert tensor.dtype == torch.float32
        assert torch.equal(tensor, learned[name].half().float())


def test__make__an_unfinished_run_or_one_of_other_settings__is_left_out(runs, tmp_path):  # noqa: F811
    said = []
    lessons = {**TINY.lessons, "clean": TINY.lessons["clean"]._replace(tasks=3)}
    there = runs / folder_name(settings_of("FS+MN"))
    longer = replace(settings_of("FS+MN"), schedule=replace(settings_of("FS+MN").schedule, tasks=3))
    (tmp_path / folder_name(longer)).symlink_to(there)
    assert make(replace(TINY, lessons=lessons), tmp_path, tmp_path, tmp_path / "out", say=said.append) == 0
    assert any("is of another run" in line for line in said)


def test__make__without_the_run__leaves_weights_as_they_are_and_writes_the_card_anew(runs, tmp_path):  # noqa: F811
    out = tmp_path / "out"
    make(TINY, runs, tmp_path, out, say=lambda line: None)
    content, before = (out / f"{NAME}.safetensors").read_bytes(), (out / f"{NAME}.json").read_text(encoding="utf-8")
    own = {"dataset": "clean", "variant": "ours", "tasks": "polythetic"}
    found = row("FS+MN", own, "accuracy", 97.0, stderr=0.1, tasks=9, label="FS+MN") | {"train_seeds": 1}
    made_by = "polythetic reproduce table2 --budget standard --from-weights --seed 0"
    save(Result("table2", "standard", made_by, 0, [found]), tmp_path)
    assert make(TINY, tmp_path / "nowhere", tmp_path, out, say=lambda line: None) == 1
    facts = json.loads((out / f"{NAME}.json").read_text(encoding="utf-8"))
    assert (out / f"{NAME}.safetensors").read_bytes() == content
    assert [entry["mean"] for entry in facts["accuracy"]] == [97.0]
    assert facts["accuracy_of"].endswith("table2.json, with these very weights")
    told = ("accuracy", "accuracy_of")
    same = [{k: v for k, v in each.items() if k not in told} for each in (facts, json.loads(before))]
    assert same[0] == same[1]


def test__card__says_all_that_is_to_be_known(runs, tmp_path):  # noqa: F811
    own = {"dataset": "clean", "variant": "ours"}
    found = [
        row("FS+MN", own | {"tasks": kind}, "accuracy", mean, stderr=0.1, tasks=1000, paper=98.3, label="FS+MN")
        | {"train_seeds": 3}
        for kind, mean in (("monothetic", 97.0), ("polythetic", 98.5))
    ]
    other = [row("PN", own | {"tasks": "polythetic"}, "accuracy", 50.0, label="PN")]
    authors = [found[0] | {"setting": {**found[0]["setting"], "variant": "authors"}}]
    save(Result("table2", "standard", "polythetic reproduce table2", 0, [*found, *other, *authors]), tmp_path)
    make(TINY, runs, tmp_path, tmp_path / "out", say=lambda line: None)
    facts = json.loads((tmp_path / "out" / f"{NAME}.json").read_text(encoding="utf-8"))
    content = (tmp_path / "out" / f"{NAME}.safetensors").read_bytes()
    assert facts["sha256"] == sha256(content).hexdigest()
    assert facts["data"].startswith("MNIST")
    assert "of the data: free to use with citation" in facts["licence"]
    assert facts["budget"] == "2 training tasks, seed 0 (quick budget)"
    assert [(e["tasks"], e["mean"], e["learners"]) for e in facts["accuracy"]] == [
        ("monothetic", 97.0, 3),
        ("polythetic", 98.5, 3),
    ]
    assert RunSettings.from_json(json.dumps(facts["settings"])) == settings_of("FS+MN")
    weights = shipped_weights(NAME, tmp_path / "out")[1]
    assert facts["parameters"] == sum(prod(tensor.shape) for tensor in weights.values())


def test__card__of_omniglot__names_its_data_and_licence(tmp_path):
    facts = card("x", settings_of("PN", "omniglot-characters"), TINY, save_tensors({}), tmp_path / "table3.json")
    assert facts["data"].startswith("Omniglot")
    assert "of the data: MIT" in facts["licence"]
    assert facts["accuracy"] == []


def test__command__trains_that_very_learner(tmp_path):
    settings = settings_of("PN")
    words = command(settings, "table2", TINY).split()
    assert words[0] == "polythetic"
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = polythetic(*words[1:], "--out", str(tmp_path), "--json", env=environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["settings"] == json.loads(settings.as_json())


def test__command__of_a_learner_with_options__is_that_of_its_table():
    settings = replace(settings_of("MAML", "omniglot-characters"), method_options={"rate": 0.1})
    assert command(settings, "table3", BUDGETS["standard"]) == "polythetic reproduce table3 --budget standard"
    assert name_of(settings) == "omniglot-characters-maml-rate-0.1"
