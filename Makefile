# Every target sets up what it needs: a virtual environment with the versions that constraints.txt pins.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# torch is pinned too: without the constraints pip would take a newer build with gigabytes of CUDA libraries.
PIP    := $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt
# The order is random; pytest-randomly prints its seed. Repeat a run with: make test TESTS=--randomly-seed=SEED
PYTEST := $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder
TESTS  ?=

.PHONY: help setup setup-locked sbom demo serve test test-fast test-browser test-cluster lint docs bench faults clean
help: ## show this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

setup: $(READY) ## create the virtual environment and install lexgear into it
$(READY): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) (about a minute, once) ..."
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "lexgear needs Python 3.11 or newer: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) -e '.[dev]'
	@touch $@

# On Linux pip would prefer the official wheel of torch, whose CUDA libraries are not locked, to the CPU build.
setup-locked: ## the same from requirements.lock: pip refuses every file whose hash is not listed
	@$(PYTHON) -m venv $(VENV)
	@if [ "$$(uname)" = Linux ]; then sed -n 's/^torch==.*/&+cpu/p' constraints.txt; fi > $(VENV)/torch.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock -c $(VENV)/torch.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

sbom: $(READY) ## list the installed packages (CycloneDX); writes build/sbom.cdx.json
	@$(BIN)/python -m tools.sbom build/sbom.cdx.json

demo: $(READY) ## index, evaluate and search the built-in sample
	@$(BIN)/lexgear demo

serve: $(READY) ## serve the built-in sample (indexes it first if make demo has not)
	@$(BIN)/lexgear serve build/sample-index --sample

test: $(READY) ## run all tests and doctests, in random order
	@sh tools/browser.sh
	@$(PYTEST) $(TESTS)

test-fast: $(READY) ## run the tests that neither train, serve nor open a browser (under 2 minutes)
	@$(PYTEST) -m "not slow" $(TESTS)

test-browser: $(READY) ## test the page in a browser, in every language at every width
	@sh tools/browser.sh
	@$(PYTEST) tests/serve/browser -m "matrix or not matrix" $(TESTS)

test-cluster: $(READY) ## test training on a Ray cluster and the loss of a node
	@$(PYTEST) tests/api tests/engine -m cluster $(TESTS)

lint: $(READY) ## ruff and mypy --strict
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

docs: $(READY) ## build the documentation site into build/site; broken links are errors
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(READY) ## run the benchmarks; writes build/bench.json
	@$(BIN)/python -m bench

SEED  ?= 0
TIMES ?= 100
faults: $(READY) ## try faults and attacks: kills, full disks, flipped bytes, hostile input (SEED=0 TIMES=100; minutes)
	@PYTHONPATH=tests $(BIN)/python -m faults.campaign --seed $(SEED) --times $(TIMES)

clean: ## remove everything that was built
	rm -rf $(VENV) build
