"""What was found is remembered by what it depends on: a slider has its own part found anew, and no other."""

import warnings
from dataclasses import replace

import pytest

from polythetic import selection
from polythetic.errors import StoppedError
from polythetic.explore.boolean import boolean
from polythetic.explore.boolean_view import BooleanView
from polythetic.explore.remembered import depends_on
from polythetic.progress import Silent
from polythetic.refinement import RefinedScorer


def test__warning__of_what_is_remembered__is_given_again():
    @depends_on("rows")
    def find(view):
        warnings.warn(f"only {view.rows} rows", UserWarning, stacklevel=1)
        return view.rows

    for seed in (1, 2):
        with pytest.warns(UserWarning, match="only 4 rows"):
            assert find(BooleanView(rows=4, seed=seed)) == 4


def test__work__that_was_stopped__is_not_remembered():
    asked = []

    @depends_on("rows")
    def find(view):
        asked.append(view)
        if len(asked) == 1:
            raise StoppedError("stopped")
        return view.rows

    with pytest.raises(StoppedError):
        find(BooleanView(rows=40))
    assert find(BooleanView(rows=40)) == find(BooleanView(rows=40)) == 40
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("changes", "again"),
    [
        ({"temperature": 0.3}, ["self-attention"]),
        ({"classifier_temperature": 0.3}, []),
        ({"classifier": "PN"}, []),
        ({"seed": 6}, ["self-attention", "R"]),
    ],
)
def test__setting__changed__has_its_own_part_found_anew(monkeypatch, changes, again):
    view = BooleanView(rows=8, scorer="R", rounds=1, seed=5)
    before = boolean(view, Silent())
    found = []

    def counted(name, function):
        return lambda *args, **kwargs: (found.append(name), function(*args, **kwargs))[1]

    monkeypatch.setattr(selection, "score_trajectory", counted("self-attention", selection.score_trajectory))
    monkeypatch.setattr(RefinedScorer, "__call__", counted("R", RefinedScorer.__call__))
    after = boolean(replace(view, **changes), Silent())
    assert found == again
    assert (after["rounds"] == before["rounds"]) == ("self-attention" not in again)
