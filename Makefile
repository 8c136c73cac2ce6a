# Two commands do everything: `make reproduce` and `make test`. Both set up .venv first, once.
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
MINIMUM := $(VENV)-minimum

# torch's threads sleep at their barriers instead of spinning, which on a busy machine costs tenfold.
export OMP_WAIT_POLICY := PASSIVE

.PHONY: help setup reproduce test test-all test-minimum smoke lint format readme docs bench learn clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

setup: $(INSTALLED)  ## create .venv and install everything into it

$(INSTALLED): pyproject.toml constraints.txt tools/setup.sh
	@sh tools/setup.sh $(VENV)

reproduce: setup  ## run the experiments at the quick budget: tables, figures, results/quick/report.html
	@$(BIN)/polythetic reproduce --budget quick

test: lint  ## check style and types, then run the tests
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m "not slow and not network"

test-all: lint  ## the same, with the slow tests and those that need the network
	@$(BIN)/python -m pytest

# Deprecations are left to the newest versions: an old library with a new one beside it has some that are not ours.
test-minimum: $(MINIMUM)/.installed  ## the tests with the lowest versions that pyproject.toml allows
	@OMP_NUM_THREADS=1 $(MINIMUM)/bin/python -m pytest -n auto -m "not slow and not network" -W ignore::DeprecationWarning

$(MINIMUM)/.installed: pyproject.toml tools/setup.sh tools/minimum.py | setup
	@sh tools/setup.sh $(MINIMUM) -e . $$($(BIN)/python tools/minimum.py)

smoke: setup  ## build wheel and sdist, install each in an empty environment, try it there
	@$(or $(PYTHON),$(BIN)/python) tools/smoke.py

lint: setup  ## check style and types
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy

format: setup  ## put the code in shape
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format --quiet .

readme: setup  ## write the README's tables from results/
	@$(BIN)/python -m tools.readme_table

# Not --quiet: it hides warnings before --strict counts them.
docs: setup  ## build the documentation: site/index.html
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict >$(VENV)/docs.log 2>&1 || { cat $(VENV)/docs.log >&2; exit 1; }
	@echo "site/index.html"

bench: setup  ## measure speed and memory, and how the defaults were chosen: results/benchmarks/
	@$(BIN)/python -m benchmarks.algorithm1
	@$(BIN)/python -m benchmarks.defaults
	@$(BIN)/python -m benchmarks.own_tables
	@$(BIN)/python -m benchmarks.functions_of_bits
	@$(BIN)/python -m benchmarks.relief_speed
	@$(BIN)/python -m benchmarks.explorer
	@$(BIN)/python -m benchmarks.sampling
	@$(BIN)/python -m benchmarks.training_step

learn: setup  ## train the learners on real data for an hour or two, resumable: results/benchmarks/learning.json
	@$(BIN)/python -m benchmarks.learning

clean:  ## remove the environments and everything that can be made again
	rm -rf $(VENV) $(MINIMUM) site results/quick .mypy_cache .ruff_cache .pytest_cache .hypothesis
