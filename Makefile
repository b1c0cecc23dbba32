# The facade: what people type. CMake and Ninja do the work; CMakePresets.json has the presets.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
MODULES_SOURCES = find plimsoll tests bench -name '*.h' -o -name '*.cpp' -o -name '*.cu'

.PHONY: all packages-slim packages-dev test test-long fast asan format format-check layers markdown words sizes tidy tidy-all fuzz soak bench bench-advice bench-bpe bench-fit bench-rank ci install python wheel deb clean

all: packages-slim
	@JOBS=$(JOBS) tools/build slim

packages-slim:
	@$(INSTALL_PACKAGES) slim test

packages-dev:
	@$(INSTALL_PACKAGES) slim torch report test

INSTALL_PACKAGES = $(if $(PLIMSOLL_NO_INSTALL),true,tools/install_packages)

# Installs what is missing, builds everything on the CPU, runs the tests that need no GPU, but not those labelled long.
test:
	@JOBS=$(JOBS) tools/test

# Only the tests labelled long.
test-long:
	@JOBS=$(JOBS) tools/test --long

# The daily loop: no torch, nothing slow.
fast: all
	ctest --preset fast -j $(JOBS) --no-tests=error

asan: packages-slim
	@JOBS=$(JOBS) tools/build asan
	ctest --preset asan -j $(JOBS) --no-tests=error

format:
	$(MODULES_SOURCES) | xargs clang-format-19 -i

format-check:
	@$(MODULES_SOURCES) | xargs clang-format-19 --dry-run -Werror && echo "format: clean"

layers:
	@tools/check_layers

markdown:
	@tools/check_markdown

words:
	@tools/check_words

sizes:
	@tools/check_sizes

# Naming and function sizes (clang-tidy): `tidy` on the files changed since BASE (default: the merge base with origin/main,
# else the last commit), `tidy-all` on all modules without torch.
tidy: packages-slim
	@BASE=$(BASE) tools/tidy --changed

tidy-all: packages-slim
	@tools/tidy --all

# Hostile text against the readers, FUZZ_SECONDS each.
FUZZ_SECONDS ?= 60
fuzz: packages-slim
	tools/fuzz $(FUZZ_SECONDS)

# What takes long to show: 200 kills of a sweep.
soak: packages-dev
	@JOBS=$(JOBS) tools/build test
	ctest --preset soak --no-tests=error

bench: packages-dev
	@JOBS=$(JOBS) tools/build test
	@for program in build/test/bench/*_bench; do echo "== $$program"; $$program || exit 1; done

# The ratios the rank instrument promises, each with its answer checked; no torch, 4.2 GB, ten minutes on two cores.
bench-rank: packages-slim
	cmake --preset slim -B build/bench -DPLIMSOLL_BENCH=ON -DPLIMSOLL_TESTS=OFF
	cmake --build build/bench -j $(JOBS) --target construction_bench elimination_bench split_bench
	@for program in construction elimination split; do echo "== $$program"; build/bench/bench/$${program}_bench || exit 1; done

# What the load line and each rival's rule lose on the evidence, our own with each study left out.
bench-advice: packages-slim
	cmake --preset slim -B build/bench -DPLIMSOLL_BENCH=ON -DPLIMSOLL_TESTS=OFF
	cmake --build build/bench -j $(JOBS) --target plimsoll
	build/bench/bin/plimsoll evidence --fit

# What answers of `fit` lose on the truth tables (FITS=..., bench/fit/truth/README.md). REPLAY=1: how often its intervals hold
# the truth, by stored runs drawn again as 1,000 races.
bench-fit: packages-slim
	cmake --preset slim -B build/bench -DPLIMSOLL_BENCH=ON -DPLIMSOLL_TESTS=OFF
	cmake --build build/bench -j $(JOBS) --target $(if $(filter 1,$(REPLAY)),replay_bench,judge_bench)
ifeq ($(REPLAY),1)
	build/bench/bench/replay_bench
else
	@bench/fit/judge "$(TABLE)" $(FITS)
endif

# Our BPE against threads and size, and beside Hugging Face tokenizers where python3 has them.
bench-bpe: packages-slim
	cmake --preset slim -B build/bench -DPLIMSOLL_BENCH=ON -DPLIMSOLL_TESTS=OFF
	cmake --build build/bench -j $(JOBS) --target bpe_bench plimsoll
	build/bench/bench/bpe_bench
	@if python3 -c 'import tokenizers, tiktoken' 2> /dev/null; then \
	    PLIMSOLL_BIN=build/bench/bin/plimsoll tools/bpe_peer_pack && mkdir -p build/bpe_peer_out && \
	    python3 tools/bpe_peer.py build/bpe_peer build/bpe_peer_out; \
	else echo "python3 has no tokenizers and tiktoken: not compared with them"; fi

# `import plimsoll` in build/python/python, and the program beside it; no torch.
python: packages-slim
	@JOBS=$(JOBS) tools/build python -- plimsoll plimsoll_python
	@echo "PYTHONPATH=$(CURDIR)/build/python/python /usr/bin/python3 -c 'import plimsoll'"

# A wheel for this machine's python3 in build/python/wheel, which carries its libraries.
wheel: python
	@tools/wheel build/python build/python/wheel

# Debian packages in build/package/packages: plimsoll, plimsoll-torch, libplimsoll-dev, python3-plimsoll.
deb: packages-dev
	@tools/figure_runtime
	@tools/page_bundle
	@JOBS=$(JOBS) tools/build package
	@cpack --config build/package/CPackConfig.cmake -B build/package/packages

ci:
	.ci/run

# Stripped; the debug symbols lie apart, in PREFIX/lib/debug, where gdb finds them. WITH="torch python" brings training and
# the Python module along.
WITH ?=
install:
	@$(INSTALL_PACKAGES) slim $(filter torch,$(WITH)) $(if $(filter python,$(WITH)),test)
	@JOBS=$(JOBS) tools/build install -DPLIMSOLL_TORCH=$(if $(filter torch,$(WITH)),ON,OFF) \
	    -DPLIMSOLL_PYTHON=$(if $(filter python,$(WITH)),ON,OFF)
	cmake --install build/install --prefix $(PREFIX) --strip
	@mkdir -p $(PREFIX)/lib/debug && for program in plimsoll $(if $(filter torch,$(WITH)),plimsoll-torch); do \
	    objcopy --only-keep-debug build/install/bin/$$program $(PREFIX)/lib/debug/$$program.debug && \
	    objcopy --add-gnu-debuglink=$(PREFIX)/lib/debug/$$program.debug $(PREFIX)/bin/$$program || exit 1; done

clean:
	rm -rf build
