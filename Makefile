# `make demo` and `make test` do all the set-up themselves, in .venv; nothing else is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH := .venv-bench
TESTS ?= tests
MINUTES ?= 60
SEED ?= 0
# Without this, scikit-learn skips one of its checks.
export SCIPY_ARRAY_API := 1

.PHONY: demo test quick test-torch torture lowest lint types docs wheel bench clean

demo: $(READY)
	$(BIN)/unabases demo

test: $(READY)
	$(BIN)/python -m pytest -n 2 $(TESTS)

quick: $(READY)
	$(BIN)/python -m pytest -n 2 -m "not slow" $(TESTS)

# What needs PyTorch, in the environment of the benchmarks: BoTorch, Ax, laplace-torch and vbll.
test-torch: $(BENCH)/.ready
	$(BENCH)/bin/python -m pytest tests/bayesopt/test_botorch_model.py tests/paper/test_torch_rivals.py \
		tests/regressors/test_linearised_laplace.py tests/docs/test_examples.py -k "torch or laplace or ax_study"

# Killed processes, load, simulations and mutated files, for as long as MINUTES says; another SEED tries other files.
torture: $(READY)
	$(BIN)/python -m tests.torture --minutes $(MINUTES) --seed $(SEED)

# A quick part of the tests, or TESTS, with the lowest versions that pyproject.toml allows.
lowest:
	PYTHON=$(PYTHON) .ci/lowest $(filter-out tests,$(TESTS))

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(READY)
	$(BIN)/pyright

# The site, into site/; open site/index.html. Nothing is fetched, neither now nor when it is read.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Build the wheel and use it from a fresh environment outside the clone.
wheel: $(READY)
	PYTHON=$(PYTHON) .ci/check-wheel

bench: $(BENCH)/.ready
	$(BENCH)/bin/python -m benchmarks.run

# skpro comes without what it asks for, which would take pandas back a version; its test passes with the newest.
$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "unabases needs Python 3.11 or later; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable '.[dev,docs]'
	$(BIN)/pip install --quiet --no-deps 'skpro>=2.9' 'scikit-base>=0.12'
	touch $@

# PyTorch comes first, pinned, so that a CPU build is used if there is one and no later package replaces it.
$(BENCH)/.ready: pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/pip install --quiet torch==2.13.0
	echo 'torch==2.13.0' > $(BENCH)/constraints.txt
	$(BENCH)/bin/pip install --quiet --constraint $(BENCH)/constraints.txt --editable '.[bench]'
	$(BENCH)/bin/pip uninstall --quiet --yes torchvision  # built for another PyTorch; nothing here uses it
	touch $@

clean:
	rm -rf $(VENV) $(BENCH) .venv-lowest demo bench-results site
