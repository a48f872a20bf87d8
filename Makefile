# Everything runs in .venv, which these targets make themselves; PYTHON says with which Python.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO = $(wildcard demo-results/measurements)
export NO_MKDOCS_2_WARNING := 1
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

.DEFAULT_GOAL := help
.PHONY: help demo test bench site serve check lock clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(VENV)/demo ## measure on this machine with parts from PyPI, check, build the site
	$(BIN)/speculoos demo

test: $(VENV)/test ## run every test; installs what they need
	@sh tests/browser.sh
	@sh tests/validators.sh
	@sh tests/nodejs.sh $(VENV)
	$(BIN)/python -m pytest -n 2 $(ARGS)

bench: $(VENV)/test ## measure the tool's own speed, as ratios within one run
	@for each in tests/*/bench_*.py; do $(BIN)/python $$each; done

site: $(VENV)/demo ## build the site into site/
	SPECULOOS_MEASUREMENTS=$(DEMO) $(BIN)/mkdocs build --strict

serve: $(VENV)/demo ## serve the site, with the demo's results where there are any
	SPECULOOS_MEASUREMENTS=$(DEMO) $(BIN)/mkdocs serve

check: $(VENV)/demo ## name every problem of every file under measurements/
	$(BIN)/speculoos check
	$(BIN)/speculoos schema --check

lock: $(VENV)/test ## pin every dependency anew, with hashes
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-emit-index-url --custom-compile-command "make lock" --extra demo pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-emit-index-url --custom-compile-command "make lock" --extra demo --group dev pyproject.toml \
	  -c requirements.txt -o requirements-dev.txt

clean: ## remove what the targets made, the cache of parts excepted
	rm -rf $(VENV) site demo-results speculoos-logs

$(VENV)/demo: requirements.txt pyproject.toml
	@$(MAKE) -s --no-print-directory install FILE=requirements.txt
	@touch $@

$(VENV)/test: requirements-dev.txt pyproject.toml
	@$(MAKE) -s --no-print-directory install FILE=requirements-dev.txt
	@touch $@ $(VENV)/demo

.PHONY: install
install:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what $(FILE) pins …"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r $(FILE)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
