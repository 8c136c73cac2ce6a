"""What the committed results of learned encoders must show."""

from tests.committed import rows


def _accuracies(name, **wanted):
    """Means of the rows with our settings, by the method and the kind of tasks; each on a thousand tasks."""
    found = {}
    for entry in rows(name):
        setting = entry["setting"]
        fits = {**setting, "R": setting.get("R", 2)}.items() >= {"variant": "ours", "R": 2, **wanted}.items()
        if entry["metric"] == "accuracy" and fits and setting.get("similarity") in (None, "euclidean"):
            assert entry["tasks"] == 1000 or entry["method"].startswith(("R+", "MAML")), entry
            found[entry["method"], setting["tasks"]] = entry["mean"]
    return found


def test__committed_table_3__is_above_its_floors():
    at = _accuracies("table3", replacement=False)
    assert at["PN", "characters"] >= 97.5
    assert at["NN*", "alphabets"] >= 98
    assert at["FS+NN*", "alphabets"] >= 98


def test__committed_table_3__refined_scores__are_the_best_on_alphabets():
    at = _accuracies("table3", replacement=False)
    best = max(mean for (method, tasks), mean in at.items() if tasks == "alphabets" and not method.startswith("R+"))
    assert at["R+MN*", "alphabets"] >= best
