# `make help` lists what can be made. Everything is installed into environments inside this folder,
# by pip as the machine configures it, in the releases that .ci/constraints.txt names.

PYTHON ?= python3
CONSTRAINTS := .ci/constraints.txt
DEMO := .venv
TESTED := .venv-test
RESULTS := runs/quickstart
# Options for pytest (`make test ARGS=tests/ranking`) or for the benchmarks.
ARGS ?=
# Tests are handed out anew as processes become free, since a few take a hundred times as long as most.
PARALLEL ?= --numprocesses auto --dist worksteal

# Tests start hundreds of processes, each of which would compile kpframe anew where the machine keeps no
# bytecode.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo schema test acceptance check faults lint format bench screenshots wheel-test clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-12s %s\n", $$1, $$2 }'
	@echo "another interpreter: make demo PYTHON=python3.12"

demo: $(DEMO)/installed  ## install kpframe into .venv and run the quickstart experiment
	@$(DEMO)/bin/kpframe run quickstart --out $(RESULTS)
	@echo
	@echo "Open in a browser: $(RESULTS)/report.html"
	@echo "Results: $(RESULTS)/ (summary.md, summary.csv, per_document.csv, the keyphrases in cells/*/)"
	@echo "The experiment: pipelines/quickstart.yaml; with all its defaults: $(RESULTS)/resolved.yaml"
	@echo "Try next:"
	@echo "  $(DEMO)/bin/kpframe extract --text \"A fair evaluation of keyphrase extraction uses approximate matching.\""
	@echo "  $(DEMO)/bin/kpframe run quickstart --set sweep.ranking.cooccurrence.window=4 --out runs/window-4"

test: $(TESTED)/installed  ## run the tests in random order, a process for each core (ARGS for pytest)
	@$(TESTED)/bin/python -m pytest $(PARALLEL) -m "not acceptance" $(ARGS)

acceptance: $(TESTED)/installed  ## what users run at its full size: README blocks, examples, table 3, browsers, Java, clusters (minutes)
	@$(TESTED)/bin/python -m pytest $(PARALLEL) -m acceptance $(ARGS)

check: $(TESTED)/installed  ## run the quick tests alone, for work in progress
	@$(TESTED)/bin/python -m pytest $(PARALLEL) -m "not slow and not acceptance" --hypothesis-profile=quick $(ARGS)

faults: $(TESTED)/installed  ## put faults in, one at a time, and see which tests notice (minutes; ARGS="--only ranking")
	@$(TESTED)/bin/python tests/faults.py $(ARGS)

lint: $(TESTED)/installed  ## ruff check, ruff format --check, mypy --strict
	$(TESTED)/bin/ruff check .
	$(TESTED)/bin/ruff format --check .
	$(TESTED)/bin/mypy --strict

format: $(TESTED)/installed  ## let ruff repair and format the code
	$(TESTED)/bin/ruff check --fix .
	$(TESTED)/bin/ruff format .

bench: $(TESTED)/installed  ## run the benchmarks (minutes; ARGS="--documents 300" for less)
	@for name in startup speed evaluation integrations memory determinism growth choices; do \
		$(TESTED)/bin/python tests/benchmarks/$$name.py $(ARGS) || exit 1; echo; \
	done

screenshots: $(TESTED)/installed  ## make the pictures of the README from a run on Inspec (needs chromium, the corpora)
	$(TESTED)/bin/kpframe run zesch2009-inspec --limit 400 --out runs/screenshots
	$(TESTED)/bin/python tests/htmlreport/screenshots.py runs/screenshots/report.html .readme --readme

wheel-test: python-is-usable  ## build the wheel and use it from an empty environment elsewhere
	@PYTHON="$(PYTHON)" bash .ci/wheel-test

schema: $(DEMO)/installed  ## write pipelines/schema.json, with which editors complete and check the specs here
	@$(DEMO)/bin/kpframe schema > pipelines/schema.json

clean:  ## remove the environments, results and caches of this folder
	rm -rf $(DEMO) $(TESTED) runs dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find kpframe tests examples -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps: an environment is made anew when what is to be installed has changed.
$(DEMO)/installed: pyproject.toml $(CONSTRAINTS) | python-is-usable
	$(call install,$(DEMO),.[cas$(comma)figures$(comma)models$(comma)pandas])

$(TESTED)/installed: pyproject.toml $(CONSTRAINTS) | python-is-usable
	$(call install,$(TESTED),.[test$(comma)lint])

comma := ,

define install
@echo "installing into $(1) (once; a minute or two) ..."
@$(PYTHON) -m venv --clear $(1)
@$(1)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS) --editable "$(2)"
@touch $@
endef

.PHONY: python-is-usable
python-is-usable:
	@command -v $(PYTHON) >/dev/null || { \
		echo "error: there is no $(PYTHON); install the Debian package python3, or name an interpreter: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "error: $(PYTHON) is $$($(PYTHON) --version 2>&1), and kpframe needs 3.11 or newer; on Debian 12 or newer install python3, or name an interpreter: make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "error: $(PYTHON) cannot make environments; install the Debian package python3-venv" >&2; exit 1; }
