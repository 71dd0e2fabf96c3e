# Needs make and Python 3.11 or newer; the rest goes into .venv by itself.

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
READY := $(VENV)/.ready

# The first one that is new enough; `make PYTHON=...` chooses another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check -e '.[codegen,docs,package,provider,seasonings,testing]' --group dev
INSTALL_CORE := $(PY) -m pip install --quiet --disable-pip-version-check --group core
NEWER_PIP := $(PY) -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1' # dependency groups
venv = { rm -rf $(VENV) && $(1) $(VENV) >/dev/null 2>&1; }

SECONDS ?= 60

export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
unexport PYTHONDONTWRITEBYTECODE # tests start providers many times: compiled anew each time, they take twice as long

# $(call step,NAME,COMMAND): one line; what the command printed only if it failed.
step = @if out=$$($(2) 2>&1); then echo "$(1): ok"; else printf '%s\n' "$$out" "$(1): failed"; exit 1; fi

.DEFAULT_GOAL := help
.PHONY: help demo test coverage lint types format golden proto docs build bench fuzz judge counterparts

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(READY)  ## see the library at work
	@$(PY) examples/demo.py

test: lint types  ## check everything: lint, types, tests, documentation
	@$(BIN)/pytest -q -n auto --maxprocesses=4

coverage: $(READY)  ## measure what the tests run
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -q -n auto --maxprocesses=4
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

lint: $(READY)  ## check the style of the code
	$(call step,ruff check,$(BIN)/ruff check)
	$(call step,ruff format,$(BIN)/ruff format --check)

types: $(READY)  ## check the types, with mypy and with pyright
	$(call step,mypy,$(BIN)/mypy)
	$(call step,pyright,$(BIN)/pyright)

format: $(READY)  ## put the code into its style
	@$(BIN)/ruff check --quiet --fix-only
	@$(BIN)/ruff format --quiet

golden: $(READY)  ## write the golden files anew
	@$(PY) -m tests.golden

proto: $(READY)  ## write the modules of the protocol's messages anew
	@$(PY) -m grpc_tools.protoc -I. --python_out=. --pyi_out=. tofutypes/provider/proto/*.proto

docs: $(READY)  ## build the documentation into site/
	$(call step,site/index.html,$(BIN)/zensical build --strict --clean)

build: $(READY)  ## make the wheel and the source archive, in dist/
	@rm -rf dist
	$(call step,dist,$(PY) -m hatchling build)

bench: $(READY)  ## measure (`BENCH="codecs --json FILE"`: a part, and the figures)
	@$(PY) -m benchmarks $(BENCH)

fuzz: $(READY)  ## try changed and hostile input, for SECONDS=60
	@$(PY) -m tests.fuzz --seconds $(SECONDS)
	@$(PY) -m tests.fuzz.connections

judge: $(READY)  ## have go-cty judge random payloads (`JUDGE="--seed 7 --count 10000"`)
	@$(PY) -m tests.conformance $(JUDGE)

counterparts: $(READY)  ## get the real programs that tests compare with, as far as they can be had
	@$(PY) -m tests.counterparts

$(READY): pyproject.toml
	$(if $(PYTHON),,$(error Python 3.11 or newer is needed: install it, or name it with PYTHON=/path/to/python))
	@$(PY) -m pip --version >/dev/null 2>&1 \
	|| $(call venv,$(PYTHON) -m venv) \
	|| $(call venv,virtualenv -p $(PYTHON)) \
	|| $(call venv,uv venv --seed -p $(PYTHON)) \
	|| { rm -rf $(VENV); echo "$(PYTHON) cannot make $(VENV): install python3-venv (or virtualenv, or uv)"; exit 1; }
	$(call step,pip,$(NEWER_PIP))
	$(call step,$(VENV),$(INSTALL))
	@$(INSTALL_CORE) >/dev/null 2>&1 || echo "Terraform's core: not to be had; the tests with it are skipped"
	@touch $@
