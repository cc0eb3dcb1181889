# Two commands do everything a newcomer needs: `make demo` and `make test`.
PREFIX ?= /usr/local
# 1 links libgit2 into slip, which then starts in half the time; 0 does not.
SLIPBOX_STATIC_GIT ?= $(shell scripts/static-git)
# Where libgit2 is linked in, so is the C++ library, and nothing in slip has to be moved at its start: a third of that.
LINKING = $(if $(filter 1,$(SLIPBOX_STATIC_GIT)),-Xlinker -L$(CURDIR)/.build/static -Xswiftc -Xclang-linker -Xswiftc -no-pie)
# The commit for slip --version; empty outside of git.
REVISION := $(shell git describe --always --dirty --abbrev=10 --exclude '*' 2>/dev/null)
BUILD = SLIPBOX_STATIC_GIT=$(SLIPBOX_STATIC_GIT) SLIPBOX_REVISION=$(REVISION) swift build -c release --static-swift-stdlib $(LINKING)
RELEASE = $(BUILD) --product slip
PAGE = $(BUILD) --product slip-page
# A debug build of slip alone: it takes a minute and a half, not ten.
DEMO = swift build --product slip
BENCH = $(BUILD) --product slipbox-bench
BENCH_OPTIONS ?=
TEST_OPTIONS ?=
PAGE_OPTIONS ?=
MUTANTS_OPTIONS ?=
SECONDS_EACH ?= 600

.PHONY: help deps build demo try test converge threads editors page screen install uninstall deb package lint map sentences manual examples fuzz faults attack mutants bench

help:
	@echo "make demo      install what is needed, build slip, and show it on a sample box: at most 4 minutes"
	@echo "make try       the same, and open a shell in the sample box"
	@echo "make test      install what is needed, build, and run all tests"
	@echo "make threads   run the tests of several threads under the thread sanitizer"
	@echo "make converge  merge the work of several devices over and over, in memory and in real repositories, and take it back"
	@echo "make editors   ask the language server as nine clients do, from neovim and emacs too, and fuzz it"
	@echo "make page      use the page in Chromium, as four people do and with hostile notes (PAGE_OPTIONS='--browser firefox')"
	@echo "make install   build and install slip, its manual and completion under PREFIX ($(PREFIX))"
	@echo "make uninstall remove what make install installed"
	@echo "make deb       build a Debian package, in .build/deb"
	@echo "make package   build it, check it with lintian, and use it on a fresh system (needs root and debootstrap)"
	@echo "make faults    kill, fail and cut the power at every system call of every writing command"
	@echo "make attack    races with git and editors, damaged files and hostile clones, at full length"
	@echo "make mutants   plant small faults in the code, and count those that the tests notice (MUTANTS_OPTIONS='--seed 2 merge')"
	@echo "make fuzz      fuzz each parser for SECONDS_EACH ($(SECONDS_EACH)) seconds"
	@echo "make bench     measure slip beside git, rg and sqlite on boxes of up to 100,000 notes (BENCH_OPTIONS)"
	@echo "make lint      check layout and the rules between modules and folders"
	@echo "make examples  run the examples of README.md and docs/"
	@echo "make manual    write the help of slip as pages into docs/manual"
	@echo "make sentences write the list of all sentences that users see into Fixtures/sentences.txt"
	@echo "make map       write the map of modules and folders into docs/dev/architecture.md"

deps:
	@scripts/install-dependencies

build: deps
	@mkdir -p .build/static && ln -sf "$$(cc -print-file-name=libstdc++.a 2>/dev/null || clang -print-file-name=libstdc++.a)" .build/static/
	$(RELEASE)
	$(PAGE)

demo: deps
	@echo "demo: building slip without optimisation; this takes about two minutes"
	@$(DEMO)
	@scripts/demo "$$($(DEMO) --show-bin-path)/slip"

try: deps
	@$(DEMO)
	@scripts/demo --try "$$($(DEMO) --show-bin-path)/slip"

test: deps
	@scripts/test $(TEST_OPTIONS)

converge: deps
	SLIPBOX_HISTORIES=100000 SHARED_HISTORIES=3000 SLIPBOX_UNDO_SEQUENCES=10000 \
	  scripts/test --filter '/ConvergenceTests|SharedHistoryTests|UndoPropertyTests'

threads: deps
	scripts/thread-test

editors: build
	Tests/LanguageServer/run "$$($(RELEASE) --show-bin-path)/slip"

page: build
	Tests/Page/run "$$($(RELEASE) --show-bin-path)/slip" $(PAGE_OPTIONS)

screen: build
	Tests/Screen/run "$$($(RELEASE) --show-bin-path)/slip"

install: build
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install "$$($(RELEASE) --show-bin-path)/slip"

uninstall:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/uninstall

deb: build
	@scripts/deb "$$($(RELEASE) --show-bin-path)/slip" .build/deb

package: build
	Tests/Package/run "$$(scripts/deb "$$($(RELEASE) --show-bin-path)/slip" .build/deb)"

faults: build
	Tests/Faults/run "$$($(RELEASE) --show-bin-path)/slip"

attack: build
	Tests/Attack/run "$$($(RELEASE) --show-bin-path)/slip"

mutants: deps
	Tests/Mutants/run $(MUTANTS_OPTIONS)

fuzz: deps
	@for target in FrontMatterFuzz EditingFuzz LinkFuzz QueryFuzz TextIndexFuzz SnapshotFuzz; do Tests/Fuzz/fuzz.sh $$target $(SECONDS_EACH) || exit 1; done

bench: build
	$(BENCH)
	"$$($(BENCH) --show-bin-path)/slipbox-bench" $(BENCH_OPTIONS)

lint:
	@scripts/lint

sentences:
	@scripts/sentences write

map:
	@scripts/house write

manual: build
	scripts/manual-pages "$$($(RELEASE) --show-bin-path)/slip"

examples: build
	scripts/check-examples "$$($(RELEASE) --show-bin-path)/slip"
