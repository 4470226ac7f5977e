# The commands of this project, for developers and for CI. `make` without a target lists them.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The scenario of the default run; `make measure SCENARIO=experiments/other.yaml` selects another.
SCENARIO ?= experiments/nyc-lyft-day.yaml
RESULTS = results/$(notdir $(basename $(SCENARIO)))
FRESHET = $(shell swift build -c release --show-bin-path)/freshet

FORMATTED = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests \
	Realtime/Package.swift Realtime/Examples Realtime/Sources Realtime/Tests \
	Verification/Package.swift Verification/Sources Verification/Tests

.PHONY: help
help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: dependencies
dependencies: ## Install missing dependencies: pkg-config and GSL
	@scripts/install-dependencies

.PHONY: run
run: build ## Run the default scenario (a day of Lyft in New York) and write results/
	$(FRESHET) run $(SCENARIO) --output $(RESULTS)
	@echo "The results are in $(RESULTS); read $(RESULTS)/report.md first."

.PHONY: check
check: ## Run the quick checks: format, imports, build, quick tests of the simulator
	@scripts/loop check

.PHONY: test
test: ## Run all checks for a change: format, imports, purity, all tests including those of verification and the network
	@scripts/loop test

.PHONY: verify
verify: ## Verify the model: exact results, random worlds, planted faults
	@scripts/loop verify

.PHONY: hostile
hostile: ## Run all tests with hostile input, peers and disks (half an hour; docs/hostile.md)
	@scripts/timed hostile scripts/hostile

.PHONY: measure-loop
measure-loop: ## Measure the duration of check, test and verify in clones of this commit (more than an hour)
	@scripts/timed measure-loop scripts/measure-loop

.PHONY: verify-loop
verify-loop: ## Prove that the loops fail when they should: a failing test, a format error and the like, planted
	@scripts/verify loop

.PHONY: build
build: dependencies ## Build the command with optimisation
	@scripts/resolve-packages .
	@scripts/timed build scripts/build . -c release --product freshet

.PHONY: load
load: build ## Build the programs of `freshet load`, `apns`, `monitor` and `studio` (minutes for the first build)
	@scripts/install-dependencies --load
	@scripts/resolve-packages Realtime
	@scripts/timed load scripts/build Realtime -c release

.PHONY: bench-program
bench-program: build ## Build the program of `freshet bench`
	@scripts/resolve-packages Benchmarks
	@scripts/timed bench-program scripts/build Benchmarks -c release

.PHONY: verification
verification: build ## Build the program of `freshet verify`
	@scripts/resolve-packages Verification
	@scripts/timed verification scripts/build Verification -c release

.PHONY: clients
clients: load ## Let other makers' clients push to the stand-in, and schemathesis test the monitor (installs them into .venv-clients)
	@FRESHET=$(FRESHET) scripts/timed clients scripts/verify clients
	@FRESHET=$(FRESHET) scripts/timed openapi scripts/verify openapi

.PHONY: studio-test
studio-test: load ## Test and measure `freshet studio` and the page of a load in headless Chromium (MINUTES=10 runs longer)
	@scripts/timed studio-test scripts/test-studio $(dir $(FRESHET))freshet-studio $(FRESHET)

.PHONY: bench
bench: bench-program ## Compare the speed with other engines on this machine (QUICK=1: in seconds; STRICT=1: fail if a goal is missed)
	@$(dir $(FRESHET))freshet-bench compare --thresholds Benchmarks/thresholds.json \
		$$(Benchmarks/simpy/prepare | sed 's/^/--python=/') $(if $(QUICK),--quick) $(if $(STRICT),--strict)

.PHONY: measure
measure: build ## Measure the speed of a whole run on this machine
	@scripts/measure-run $(FRESHET) $(SCENARIO)

.PHONY: instructions
instructions: dependencies ## Count instructions, allocations and retains per event (needs valgrind; STRICT=1: fail if a push misses its goal)
	@echo "hold, 100,000 pending"
	@Benchmarks/count-instructions hold 100000 200000
	@echo "model, 500 live activities"
	@Benchmarks/count-instructions model 500 600 25
	@echo "card: the same, with everything on that a rider sees beyond freshness"
	@Benchmarks/count-instructions card 500 600

.PHONY: format
format: ## Format the sources in place
	swift format --in-place --parallel --recursive $(FORMATTED)

.PHONY: lint
lint: .build/linted ## Check the format of sources that have changed since the last check

# The stamp has the start time of the check, so that a file edited during the check is checked again.
.build/linted: .swift-format $(shell find $(FORMATTED) -name '*.swift')
	@mkdir -p $(@D) && touch $@.begun
	@swift format lint --strict --parallel $(filter %.swift,$(if $(filter .swift-format,$?),$^,$?))
	@mv $@.begun $@

.PHONY: purity
purity: ## Prove on the objects of the tests' build (make check) that the pure targets only compute
	scripts/verify purity --self-test
	scripts/verify purity

.PHONY: determinism
determinism: build ## Compare the bytes of repeated runs: threads, processors without FMA
	FRESHET=$(FRESHET) scripts/verify determinism $(SCENARIO)

.PHONY: verify-logs
verify-logs: build ## Calibrate to the logs of random worlds and compare with the truth (WORLDS=100)
	@scripts/timed verify-logs scripts/verify-logs $(FRESHET) --worlds $(or $(WORLDS),100)

.PHONY: dask
dask: build ## Prove that a sweep survives the loss of a Dask worker (installs Dask into .venv-dask)
	@FRESHET=$(FRESHET) scripts/timed dask scripts/verify dask

# Python for pictures and notebooks, with the packages of notebooks-export, reinstalled when their list changes.
.venv/installed: notebooks-export/requirements.txt
	@scripts/install-dependencies --python
	python3 -I -m venv --clear .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --requirement $<
	touch $@

.PHONY: pictures
pictures: verification .venv/installed ## Render the pictures of README and docs
	$(FRESHET) run experiments/apns-outage.yaml --quiet --output .build/pictures/run
	FRESHET_PYTHON=.venv/bin/python $(FRESHET) report .build/pictures/run --pictures .build/pictures/apns-outage
	mkdir -p docs/pictures
	cp .build/pictures/apns-outage/freshness.svg docs/pictures/apns-outage-freshness.svg
	.venv/bin/python scripts/render-validation $(FRESHET) .build/pictures/validation
	cp .build/pictures/validation/*.svg docs/pictures/

.PHONY: tour
tour: studio-test ## Take the pictures of docs/tour.md again
	cp .build/studio-pictures/tour-*.png docs/pictures/

.PHONY: notebooks
notebooks: build .venv/installed ## Execute the notebooks of notebooks-export/ on the committed results (JupyterLab is in .venv then)
	@scripts/timed notebooks .venv/bin/python scripts/execute-notebooks --freshet $(FRESHET)

.PHONY: site
site: ## Build the site in .build/site: the pages of docs and the reference of FreshnessCore (SITE_PATH=/freshet for a site below a path)
	@scripts/build-site

.PHONY: api
api: dependencies ## Prove that programs which use the core as of the last release still compile (BASE=COMMIT: as of that)
	@scripts/timed api scripts/verify api $(BASE)

.PHONY: results
results: build ## Run again every experiment with committed results; fail if a byte differs, see `git diff results`
	@scripts/timed results scripts/rerun-results $(FRESHET)

# Built in a separate directory, because libFuzzer provides `main`.
FUZZ_SECONDS ?= 60
FUZZERS = scenarios csv cases settings

.PHONY: fuzz
fuzz: dependencies ## Search for inputs that break a reader, FUZZ_SECONDS for each (Linux)
	FRESHET_FUZZING=1 swift build -c release --package-path Verification --sanitize fuzzer --scratch-path .build-fuzz \
		--product ReaderFuzzer
	@for reader in $(FUZZERS); do \
		mkdir -p .build-fuzz/artifacts .build-fuzz/corpus/$$reader; \
		echo "fuzzing $$reader for $(FUZZ_SECONDS) s"; \
		FRESHET_FUZZ_READER=$$reader .build-fuzz/release/ReaderFuzzer -max_total_time=$(FUZZ_SECONDS) -timeout=20 \
			-rss_limit_mb=1024 -max_len=32768 -verbosity=0 -artifact_prefix=.build-fuzz/artifacts/$$reader- \
			$$(ls -d Tests/FuzzTests/Corpus/$$reader Verification/Tests/VerificationTests/Corpus/$$reader 2> /dev/null) || exit 1; \
	done

# For a night: `make swarm SWARM_FOR=8h SWARM_SEED=1000000`. The other seed avoids the worlds of the default hour.
SWARM_FOR ?= 1h
SWARM_SEED ?= 0
SWARM_EVENTS ?= 1000000

.PHONY: swarm
swarm: verification ## Search for random worlds that break the model, for SWARM_FOR (1h), with a million events on average
	FRESHET=$(FRESHET) scripts/verify swarm --for $(SWARM_FOR) --seed $(SWARM_SEED) --swarm-events $(SWARM_EVENTS) \
		$(patsubst %,--swarm-from %,$(wildcard experiments/*.yaml)) --swarm-keep .build/swarm

.PHONY: dist
dist: ## Build the distribution: an archive and a Debian package that need only glibc (half an hour for the first build)
	@scripts/timed dist scripts/dist

.PHONY: test-dist
test-dist: ## Test the distribution of `make dist` in a minimal Debian root (needs root and mmdebstrap)
	@scripts/timed test-dist scripts/test-dist

# The directory into which `make install` copies the programs, the manual and the completions.
PREFIX ?= /usr/local

.PHONY: install
install: ## Install the distribution of `make dist` below PREFIX (/usr/local)
	@scripts/packaging/install "$(DESTDIR)$(PREFIX)"

.PHONY: uninstall
uninstall: ## Remove the installed files below PREFIX
	@scripts/packaging/install --remove "$(DESTDIR)$(PREFIX)"

.PHONY: clean
clean: ## Remove all build products
	rm -rf .build .build-api .build-fuzz
