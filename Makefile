# Every target sets up what it needs: a virtual environment with the pinned versions of constraints.txt.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: help setup demo serve test lint bench clean
help: ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

setup: $(READY) ## make the virtual environment and install lexgear into it
$(READY): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) (about a minute, once) ..."
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "lexgear needs Python 3.11 or newer: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(READY) ## build, evaluate and search the built-in sample
	@$(BIN)/lexgear demo

serve: $(READY) ## serve the built-in sample, which is indexed first where demo has not
	@$(BIN)/lexgear serve build/sample-index --sample

test: $(READY) ## run the tests
	@sh tools/browser.sh
	@$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

lint: $(READY) ## ruff and mypy --strict
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(READY) ## measure ratios side by side; writes build/bench.json
	@$(BIN)/python -m bench

clean: ## remove what was built
	rm -rf $(VENV) build
