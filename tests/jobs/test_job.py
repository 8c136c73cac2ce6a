"""A job's key: what its answer depends on, and nothing else."""

import importlib.util
import sys
from dataclasses import replace
from functools import partial

import pytest

from polythetic.errors import InputError
from polythetic.jobs import Job, code
from polythetic.jobs.job import packages
from polythetic.jobs.learning import measure, train
from tests.jobs import works


def key(arguments=None, work=works.number, **facts):
    return Job("a number", work, arguments or {"x": 1}, **facts).key


def test__key__same_work_and_arguments__is_the_same():
    assert key({"x": 1, "log": None}) == key({"log": None, "x": 1})
    assert key({"settings": works.strings()}, train) == key({"settings": works.strings()}, train)


def test__key__words_cost_and_folder__do_not_matter():
    job = Job("a number", works.number, {"x": 1})
    assert key() == replace(job, what="in other words", cost=100.0, folder="elsewhere").key


@pytest.mark.parametrize(
    "other",
    [{"x": 2}, {"x": 1.5}, {"x": "1"}, {"x": [1]}, {"x": None}, {"x": 1, "log": "here"}, {"y": 1}],
)
def test__key__other_arguments__is_another(other):
    assert key(other) != key()


def test__key__other_data__is_another():
    assert key(data="MNIST, all of it") != key(data="MNIST, a part") != key()


def test__key__a_setting_deep_within__is_another():
    settings = works.strings()
    other = replace(settings, schedule=replace(settings.schedule, learning_rate=2e-3))
    assert key({"settings": settings}, train) != key({"settings": other}, train)


def test__key__other_work__is_another():
    assert key(work=works.tensors) != key(work=works.number)
    assert key(work=train) != key(work=measure)


def test__key__what_it_needs_has_other_arguments__is_another():
    def needing(x, **facts):
        return key({"of": Job("needed", works.number, {"x": x}, **facts)}, works.total)

    assert needing(1) == needing(1, cost=9.0)
    assert needing(1) != needing(2)


def test__key__another_release_of_the_same_code__is_the_same():
    assert set(packages()) == {"python", "numpy", "torch"}  # of polythetic, the code counts, not its number


def test__job__without_a_name_of_its_own__is_refused():
    for work in (lambda: [], partial(works.number, x=1)):
        with pytest.raises(InputError, match=r"work = .*: expected a function of a module"):
            Job("anonymous", work, {})


def test__needs__are_jobs_among_the_arguments():
    first, second = (Job(name, works.number, {"x": 1}) for name in "ab")
    assert Job("both", works.total, {"a": first, "n": 3, "b": second}).needs == [first, second]


def test__steps__are_whole_and_never_none():
    assert [Job("", works.number, {}, cost=cost).steps for cost in (0.0, 0.4, 1.6, 90.2)] == [1, 1, 2, 90]


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write files of a package in place of polythetic, and fingerprint one of them."""
    package = tmp_path / "polythetic"
    (package / "report").mkdir(parents=True)
    monkeypatch.setattr(code, "PACKAGE", package)

    def fingerprint(**sources):
        for cached in (code.code_of, code._tree, code._fingerprint, code._imports):
            cached.cache_clear()
        for name, source in sources.items():
            (package / f"{name}.py").write_text(source)
        spec = importlib.util.spec_from_file_location("a_work", package / "work.py")
        monkeypatch.setitem(sys.modules, "a_work", importlib.util.module_from_spec(spec))
        return code.code_of("a_work")

    yield fingerprint
    for cached in (code.code_of, code._tree, code._fingerprint, code._imports):
        cached.cache_clear()


WORK = '''"""Works."""
import json
from polythetic import near
from polythetic.report import drawing

def work(x):
    """Work."""
    return near.twice(x)
'''


def test__code__of_the_work__counts_but_for_its_words(module):
    first = module(work=WORK, near="", drawing="")
    assert module(work=WORK.replace("twice", "thrice")) != first
    assert module(work=WORK.replace("Work", "Do the work").replace("\n\n", "\n\n# A remark.\n")) == first


def test__code__that_is_imported__counts_however_far(module):
    first = module(
        work=WORK, near="def twice(x):\n    from polythetic.far import two\n    return two * x", far="two = 2"
    )
    assert module(far="two = 3") != first
    assert module(far="two = 2") == first


def test__code__that_shows_or_is_not_imported__does_not_count(module):
    first = module(work=WORK, near="")
    assert module(**{"report/drawing": "colour = 1", "unrelated": "x = 1"}) == first


def test__code__of_trainings__is_what_learns_and_not_what_shows():
    files, waiting = set(), [code.PACKAGE / "jobs" / "learning.py"]
    while waiting:
        if (path := waiting.pop()) not in files:
            files.add(path)
            waiting.extend(code._imports(path))
    names = {path.relative_to(code.PACKAGE).as_posix() for path in files}
    assert {"training.py", "runs.py", "encoders/conv4.py", "episodes/digits.py", "selection.py"} <= names
    assert not [name for name in names if name.startswith(("cli/", "report/", "experiments/", "theory/"))]
