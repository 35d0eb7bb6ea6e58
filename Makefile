# Regard. `make help` lists what can be made.
#   V=1             shows the commands
#   BUILD=release   or double (real numbers in double, for the gradient checks), asan, tsan, coverage, arm; each in build/$(BUILD)

SHELL := /bin/sh
BUILD ?= release
B := build/$(BUILD)

MAKEFLAGS += --no-print-directory
# All processors, unless -j says otherwise.
ifeq ($(MAKELEVEL),0)
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN)
endif
endif

# How things are compiled

PKGS := libutf8proc jansson libxxhash zlib expat
# What reads .xz, .zst and Markdown; without one, such files are refused with a message. `make OPTIONAL=` leaves all out.
OPTIONAL := liblzma libzstd libcmark
FOUND := $(shell for p in $(OPTIONAL); do pkg-config --exists $$p && echo $$p; done)
FOUND_FLAGS := $(patsubst %,-DREGARD_%,$(shell echo $(FOUND) | tr a-z A-Z))
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror=vla
FLAGS_release := -O2
FLAGS_double := -O2 -DREGARD_DOUBLE
FLAGS_asan := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FLAGS_coverage := -O1 --coverage -fprofile-update=atomic -DNDEBUG
FLAGS_tsan := -O1 -fsanitize=thread -fno-omit-frame-pointer
FLAGS_arm := -O2
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
FLAGS_aarch64 := -fsigned-char # as everywhere else

# oneDNN multiplies faster, and in bf16 where the processor can; without it OpenBLAS does everything. It has no pkg-config
# file, so its header is looked for; `make ONEDNN=no` leaves it out. It does not multiply double.
ifndef ONEDNN
ONEDNN := $(if $(shell echo 'DNNL_VERSION_MAJOR' | $(CXX) -E -P -include dnnl_version.h -x c++ - 2>/dev/null | grep -x 2),yes,no)
endif
WITH_ONEDNN := $(if $(filter double,$(BUILD)),no,$(ONEDNN))
ONEDNN_LIBS_yes := -ldnnl -lgomp -lstdc++
ONEDNN_FLAGS_yes := -DREGARD_ONEDNN
ONEDNN_SKIPPED_no := src/linalg/backend/onednn%

# Training on several machines needs an MPI library, which only a module knows that is loaded by processes that mpirun has
# started (src/train/cluster/ranks.h). `make MPICC=mpicc.mpich` names another's compiler, `make MPI=no` leaves it out.
MPICC ?= mpicc
MPI ?= $(if $(shell command -v $(MPICC) 2>/dev/null),yes,no)
# of the same library, for the tests: mpirun.mpich for mpicc.mpich
export MPIRUN ?= $(subst mpicc,mpirun,$(MPICC))
MODULE_SOURCE := src/train/cluster/mpi_module.c
MODULE_yes := regard-mpi.so
MODULE := $(MODULE_$(MPI))

# `regard serve` needs libmicrohttpd, which is loaded when it is needed, not linked (src/serve/http/microhttpd_library.h);
# `make HTTP=no` leaves it out.
HTTP ?= $(if $(shell pkg-config --exists libmicrohttpd && echo yes),yes,no)
HTTP_SKIPPED_yes := src/serve/http/no_server.c
HTTP_SKIPPED_no := $(addprefix src/serve/http/,server.c exchange.c)
TESTS_SKIPPED_no := tests/serve/test_exchange.c tests/simulation/test_simulation.c

# OpenBLAS is loaded when it is needed, not linked (src/linalg/backend/openblas.c).
LOADED_PKGS := openblas
# pkg-config is asked once, and only when something is compiled.
ask = $(shell pkg-config $(1))$(if $(filter-out 0,$(.SHELLSTATUS)),$(error run tools/dependencies first: it installs what is missing))
PKG_CFLAGS = $(eval PKG_CFLAGS := $(call ask,--cflags $(LOADED_PKGS) $(PKGS) $(FOUND)) $(FOUND_FLAGS))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $(call ask,--libs $(PKGS) $(FOUND)) $(ONEDNN_LIBS_$(WITH_ONEDNN)))$(PKG_LIBS)
CHECK_CFLAGS = $(eval CHECK_CFLAGS := $(call ask,--cflags check))$(CHECK_CFLAGS)
CHECK_LIBS = $(eval CHECK_LIBS := $(call ask,--libs check))$(CHECK_LIBS)

COMPILE = $(CC) -std=c11 -g $(WARNINGS) $(FLAGS_$(BUILD)) $(FLAGS_$(MACHINE)) $(ONEDNN_FLAGS_$(WITH_ONEDNN)) -fPIC -fvisibility=hidden -Iinclude -Isrc $(PKG_CFLAGS) \
    $(MORE_CFLAGS) -MMD -MP $(CFLAGS)
LINK = $(CC) $(FLAGS_$(BUILD)) $(LDFLAGS) $(MORE_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(MORE_LIBS) $(PKG_LIBS) -lm -lpthread -ldl

# The kernels alone may be vectorised and reassociated where `omp simd` says so, and alone know instruction sets. Nowhere
# -ffast-math: NaN must stay visible. No FMA, which plain C has not: it takes 2 % more time, and all instruction sets give the
# same bits. No peeling for alignment: the order of a sum must not depend on addresses.
KERNEL_FLAGS := -O3 -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off
ifneq ($(findstring clang,$(shell $(CC) --version 2>/dev/null)),clang)
KERNEL_FLAGS += --param vect-max-peeling-for-alignment=0
else ifneq ($(BUILD),release)
KERNEL_FLAGS += -Wno-pass-failed # libm's functions (double) and checked loops (sanitizers) stay loops
endif
ifeq ($(MACHINE),x86_64)
ISA_FLAGS_avx2 := -mavx2 -mfma
ISA_FLAGS_avxvnni = $(shell $(CC) -mavxvnni -E -x c /dev/null >/dev/null 2>&1 && echo -mavx2 -mavxvnni || echo -mavx2)
ISA_FLAGS_avx512vnni := -mavx512f -mavx512vl -mavx512bw -mavx512dq -mavx512vnni -mprefer-vector-width=512
ISA_FLAGS_avx512bf16 := -mavx512f -mavx512vl -mavx512bw -mavx512dq -mavx512bf16 -mprefer-vector-width=512
ISA_FLAGS_avx512 := -mavx512f -mavx512vl -mavx512bw -mavx512dq -mfma -mprefer-vector-width=512
else ifeq ($(MACHINE),aarch64)
ISA_FLAGS_dotprod := -march=armv8.2-a+dotprod
ISA_FLAGS_i8mm := -march=armv8.2-a+dotprod+i8mm
endif

ifeq ($(V),1)
say =
Q :=
else
say = @echo '$(1) $(2)$(if $(filter-out release,$(BUILD)), ($(BUILD)))'
Q := @
endif

# What there is

objects = $(patsubst %.c,$(B)/%.o,$(sort $(1)))
EMBEDDED := $(B)/page.o $(B)/report.o $(B)/serve_page.o $(B)/specification.o $(B)/browser_page.o $(B)/browser_engine.o
SOURCES := $(sort $(filter-out $(MODULE_SOURCE) src/browser/%,$(wildcard src/*/*.c src/*/*/*.c)))
ONEDNN_GUARD_yes := $(B)/src/linalg/backend/onednn_guard.o
OBJECTS := $(call objects,$(filter-out $(ONEDNN_SKIPPED_$(WITH_ONEDNN)) $(HTTP_SKIPPED_$(HTTP)),$(SOURCES))) $(ONEDNN_GUARD_$(WITH_ONEDNN))
LIBRARY := $(B)/libregard.a
LIBRARY_OBJECTS := $(filter-out $(B)/src/cli/%,$(OBJECTS)) $(EMBEDDED)
CLI_OBJECTS := $(filter $(B)/src/cli/%,$(OBJECTS))
CLI_PARTS := $(filter-out %/main.o,$(CLI_OBJECTS))
SPEED_OBJECTS := $(call objects,$(wildcard bench/speed/*.c))
ABLATION_OBJECTS := $(call objects,bench/ablation/ablation.c)
SPEED_PARTS := $(filter-out %/speed.o,$(SPEED_OBJECTS))
GENERATE_OBJECTS := $(call objects,$(filter-out %/check.c,$(wildcard data/generate/*.c)))
CHECK_DATA_OBJECTS := $(call objects,data/generate/check.c data/generate/text_set.c)
SIMULATION_PARTS := $(call objects,$(filter-out %/test_simulation.c,$(wildcard tests/simulation/*.c)))
SUPPORT_OBJECTS := $(call objects,$(wildcard tests/support/*.c))

# Every tests/FOLDER/test_NOUN.c is a program of its own. In double there is only what computes with `real`, under the
# thread sanitizer only what starts threads, for ARM only a sample, which is emulated.
NUMERIC := math/test_* linalg/test_* layers/test_* encoder/test_* attention/test_* decoder/test_* model/test_* train/test_optimiser
THREADED := base/test_threads base/test_parallel model/test_corpus_pass search/test_* train/test_* reading/test_* translate/test_* api/test_* serve/test_*
EMULATED := math/test_* linalg/test_* layers/test_* attention/test_* decoder/test_* model/test_* search/test_* translate/test_*
SOURCES_release := $(filter-out $(TESTS_SKIPPED_$(HTTP)),$(wildcard tests/*/test_*.c tests/*/*/test_*.c))
SOURCES_double := $(wildcard $(NUMERIC:%=tests/%.c))
SOURCES_asan := $(SOURCES_release)
SOURCES_coverage := $(SOURCES_release)
SOURCES_tsan := $(wildcard $(THREADED:%=tests/%.c))
SOURCES_arm := $(filter-out %/test_short_memory.c,$(wildcard $(EMULATED:%=tests/%.c))) # the emulator has no such limit
EMULATOR_arm := qemu-aarch64-static
TESTS := $(patsubst %.c,$(B)/%,$(sort $(SOURCES_$(BUILD))))
TEST_SCRIPTS := tests/structure $(sort $(wildcard tests/*/test_*.sh tests/*/test_*.py))

# The verbs: `make help` shows those with ##

.PHONY: all test check arm deb one-hash programs demo models bench lesson bottleneck clients load load-short corpus coverage browser asan tsan fuzz fuzz-short torture torture-sample properties simulation ranks valgrind lint format clean help
# install, uninstall, manual, libraries: install.mk; wasm: wasm.mk

all: regard ## build ./regard

test: ## install missing packages, build and run all tests
	@tools/dependencies build bottleneck
	@$(MAKE) check

check: programs ## run all tests
ifeq ($(BUILD),release)
	@$(MAKE) BUILD=double programs
	@tests/run $(TEST_SCRIPTS) $(TESTS) $(patsubst %.c,build/double/%,$(sort $(SOURCES_double)))
else
	@EMULATOR=$(EMULATOR_$(BUILD)) REGARD_PROGRAM=$(B)/regard tests/run $(TESTS)
endif

demo: ## install missing packages, train on the corpus in data/, translate, draw alignments
	@tools/dependencies
	@$(MAKE) regard
	@tools/demo

# CORPORA=FOLDER has the corpora, instead of what data/download fetches; GENERAL=FOLDER what tools/corpora wrote.
models: ## train the models that come with Regard again, into build/models: hours
	@tools/dependencies build models
	@$(MAKE) regard
	@tools/train-models $(if $(CORPORA),-c '$(CORPORA)') $(if $(GENERAL),-g '$(GENERAL)')

asan: ## run all tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) BUILD=asan check

tsan: ## run the tests that start threads under ThreadSanitizer
	@$(MAKE) BUILD=tsan check

# TWICE=1 builds them again as somebody else and compares all bytes; TRY=1 installs them in a fresh Debian and tries them there.
deb: ## make Debian's packages, in build/deb
	@tools/dependencies build deb
	@tools/deb $(if $(TWICE),--twice) $(if $(TRY),--try)

ARM := aarch64-linux-gnu
MAKE_ARM = PKG_CONFIG_LIBDIR=/usr/lib/$(ARM)/pkgconfig $(MAKE) BUILD=arm CC=$(ARM)-gcc ONEDNN=no MPI=no
arm: ## build for ARM (64 bits) in build/arm, run a sample of the tests there under qemu
	@tools/dependencies arm
	+@$(MAKE_ARM) programs check
	@for cpu in neoverse-n1 cortex-a72; do QEMU_CPU=$$cpu EMULATOR=$(EMULATOR_arm) tests/run build/arm/tests/math/test_int8 || exit; done

# LINES=10000 are translated, and every 50th (SLOW=50) of them by ARM under qemu; SEED=1 draws them, also from the files of
# CORPORA=FOLDER, if it is given.
one-hash: ## translate on all instruction sets, on ARM and by the engine of pages: all bytes must be the same
	@tools/dependencies build arm wasm
	@$(MAKE) npm
	@$(MAKE) regard $(B)/products $(W)/products.wasm
	+@$(MAKE_ARM) build/arm/regard build/arm/products
	@tests/robustness/one_hash.py $(if $(LINES),--lines $(LINES)) $(if $(SLOW),--slow $(SLOW)) $(if $(SEED),--seed $(SEED)) \
	    $(if $(CORPORA),--corpora '$(CORPORA)')

# How fast this machine trains and translates (docs/notes/speed.md). QUICK=1 takes under a minute and is noisier; CORPUS=A.tsv
# takes lengths and subwords of your own corpus; ONLY=training,decoding runs these sections; JSON=FILE keeps the results.
# LARGE=1 measures a model of 60 million parameters; ISA=avx2 limits everybody to AVX2.
bench: ## measure training and decoding compared with PyTorch; QUICK=1: about a minute
	@tools/dependencies
	@$(MAKE) regard $(B)/speed
	@$(B)/speed $(if $(QUICK),--quick) $(if $(LARGE),--large) $(if $(ISA),--isa '$(ISA)') \
	    $(if $(CORPUS),--corpus '$(CORPUS)') $(if $(ONLY),--only '$(ONLY)') $(if $(JSON),--json '$(JSON)')

lesson: $(if $(MODEL),regard) ## make docs/attention.html, and .fr and .zh, whose example can be moved; MODEL=en-fr: with that model inside
	$(if $(MODEL),@./regard page '$(MODEL)' --overwrite -o build/translator.html)
	@for text in docs/attention*.md; do page=$${text%.md}.html; \
	    tools/lesson $$text $(if $(MODEL),build/translator.html) >$$page.new && mv $$page.new $$page || exit 1; done

# SCORERS="none additive dot" compares these attentions; CORPUS=A.en,A.fr TEST=B.en,B.fr VALID=C.en,C.fr are pairs of your
# own; EPOCHS=20 trains each scorer so long; DOCS=1 copies the picture into docs/ too.
bottleneck: ## train with and without attention, draw BLEU by source length: about 10 minutes
	@tools/dependencies build bottleneck
	@$(MAKE) regard
	@tools/bottleneck $(if $(SCORERS),--scorers '$(SCORERS)') $(if $(CORPUS),--corpus '$(CORPUS)') \
	    $(if $(TEST),--test '$(TEST)') $(if $(VALID),--valid '$(VALID)') $(if $(EPOCHS),--epochs '$(EPOCHS)') $(if $(DOCS),--docs)

corpus: $(B)/generate $(B)/check-data ## generate the corpus again and compare it with data/, byte for byte
	@tools/corpus $(B)

coverage: ## run the tests and a sample of the torture, list lines and branches of src/ that they reach
	@$(MAKE) BUILD=coverage programs $(TORTURE_LIBRARY)
	@tools/coverage

FUZZ_SECONDS ?= 600
fuzz: ## fuzz what reads files and prints text, FUZZ_SECONDS=600 for each; needs clang
	@tests/fuzz/run $(FUZZ_SECONDS)

fuzz-short: ## the same, 10 seconds for each
	@tests/fuzz/run 10

TORTURE_LIBRARY := build/release/torture.so
torture: regard $(TORTURE_LIBRARY) ## let every call for memory or to the system fail, kill at each: hours
	@tests/torture/torture.py --all

torture-sample: regard $(TORTURE_LIBRARY) ## the same at a sample of calls: three minutes
	@tests/torture/torture.py

# ONLY=tags,csv tries these; CASES=50, so many of each; SEED=17 one case again.
properties: regard ## try what holds for any input with drawn ones: batches, server, tags, numbers, CSV …
	@SEED='$(SEED)' ONLY='$(ONLY)' CASES='$(CASES)' tests/properties/properties.py

# SEEDS=5000 tries more; SEED=17 replays one and shows what happens.
simulation: $(B)/tests/simulation/test_simulation ## serve in a simulation of threads, time and clients, 500 seeds of it
	@SEEDS=$(or $(SEEDS),500) SEED='$(SEED)' $<

ranks: regard ## train by several ranks under mpirun: divided in many ways, and killed
	@tests/train/splits.py
	@tests/train/kill_ranks.py
	@tests/train/kill_ranks.py 10 TERM

valgrind: regard ## train, save, load, translate under valgrind
	@tools/dependencies valgrind
	@tools/valgrind-check

# What is missing is installed first, and npm makes the engine, so that a new make finds both and regard carries it.
browser: ## test the pages in Chromium and Firefox: pointing, keys, a phone, speed; their engine under Node
	@tools/dependencies build browser wasm
	@$(MAKE) npm
	@$(MAKE) regard $(B)/regard-loops
	@tests/browser/engine.py
	@tests/browser/alone.py
	@tests/browser/lesson.py
	@tests/browser/page.py
	@tests/browser/translating.py

clients: regard ## ask the server by clients of LibreTranslate's API, from npm
	@tests/clients/npm.py

load: regard ## ask the server by hostile clients, for two minutes
	@tests/load/hostile.py 60
	@tests/load/fairness.py 60

load-short: regard ## the same, for 8 seconds
	@tests/load/hostile.py 8

lint: ## check format, lengths, static analysis
	@tools/dependencies build lint
	@tools/lint

format: ## format the code
	@tools/dependencies lint
	@tools/layout -i

clean: ## remove build files
	rm -rf build regard

help: ## show this help
	@echo 'make VERB'
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 18 | sed 's/^/  /'
	@echo 'V=1 shows the commands.'

include install.mk
include wasm.mk

# How it is made

# make -s print-PKG_CFLAGS: for the scripts that compile
print-%:
	@echo '$($*)'

$(B)/%.o: %.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c $< -o $@

# The only C++ there is: it catches oneDNN's exceptions.
$(B)/%.o: %.cc Makefile
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++11 -g $(filter-out -Werror=vla,$(WARNINGS)) $(FLAGS_$(BUILD)) -fPIC -fvisibility=hidden -Isrc -MMD -MP $(CFLAGS) -c $< -o $@

$(foreach kind,kernels int8 bf16,$(B)/src/math/$(kind)_%.o): MORE_CFLAGS = $(KERNEL_FLAGS) $(ISA_FLAGS_$(lastword $(subst _, ,$*)))
$(B)/bench/%.o $(B)/data/%.o: MORE_CFLAGS = -I.
$(B)/tests/%.o: MORE_CFLAGS = $(CHECK_CFLAGS) -I. -Itests

# Whether the library holds oneDNN, so that it is made again when that has come or gone.
.PHONY: always
$(B)/onednn: always
	@mkdir -p $(@D)
	@echo $(WITH_ONEDNN) | cmp -s - $@ || echo $(WITH_ONEDNN) >$@

# Which optional libraries there are, for the same reason.
$(B)/found: always
	@mkdir -p $(@D)
	@echo '$(FOUND) $(HTTP)' | cmp -s - $@ || echo '$(FOUND) $(HTTP)' >$@

# Which MPI library there is.
$(B)/mpi: always
	@mkdir -p $(@D)
	@$(MPICC) -show 2>/dev/null | cmp -s - $@ || $(MPICC) -show >$@

$(B)/src/io/unpacker.o $(B)/src/html/markdown.o: $(B)/found

$(LIBRARY): $(LIBRARY_OBJECTS) $(B)/onednn $(B)/found
	$(call say,AR,$@)
	@rm -f $@
	$(Q)ar qcs $@ $(LIBRARY_OBJECTS)

$(B)/src/linalg/backend/backend.o: $(B)/onednn

$(B)/page.c: src/render/page.html src/render/head.html src/render/page.css src/render/theme.css $(wildcard src/render/*.js) tools/embed
	$(call say,EMBED,$<)
	@mkdir -p $(@D)
	$(Q)tools/embed $< page_html render/html.h >$@

$(B)/report.c: $(addprefix src/render/report.,html css js) src/render/head.html src/render/theme.css src/render/elements.js tools/embed
	$(call say,EMBED,$<)
	@mkdir -p $(@D)
	$(Q)tools/embed $< report_html render/run_report.h >$@

$(B)/serve_page.c: src/serve/page/page.html $(wildcard src/serve/page/*.css src/serve/page/*.js) src/render/theme.css $(wildcard src/render/*.js) tools/embed Makefile
	$(call say,EMBED,$<)
	@mkdir -p $(@D)
	$(Q)tools/embed $< serve_page serve/api/routes.h serve_page_policy >$@

# Without white space outside of strings, and with the version.
$(B)/specification.json: src/serve/api/specification.json src/base/version.h
	@mkdir -p $(@D)
	$(Q)awk -F'"' -v OFS='"' '{ for (i = 1; i <= NF; i += 2) gsub(/ /, "", $$i); sub(/"version":""/, "\"version\":\"$(VERSION)\""); \
	    printf "%s", $$0 } END { print "" }' $< >$@

$(B)/specification.c: $(B)/specification.json tools/embed Makefile
	$(call say,EMBED,$<)
	$(Q)tools/embed $< specification_json serve/api/routes.h >$@

$(EMBEDDED): %.o: %.c Makefile
	$(Q)$(COMPILE) -c $< -o $@

regard: build/release/regard $(MODULE:%=build/release/%)
	@rm -f $@ $(MODULE_yes)
	@cp $^ .

# The compiler of an MPI library calls ours. A module that is in use keeps its contents.
$(B)/$(MODULE_yes): $(MODULE_SOURCE) src/train/cluster/ranks.h src/base/version.h $(B)/mpi
	$(call say,MPICC,$<)
	@rm -f $@
	$(Q)OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC) -std=c11 -g -O2 $(WARNINGS) -fPIC -Wno-stringop-overflow -fvisibility=hidden -Isrc $(CFLAGS) -shared $< $(LDFLAGS) -o $@

$(B)/regard: $(CLI_OBJECTS) $(LIBRARY)
$(B)/speed: $(SPEED_OBJECTS) $(CLI_PARTS) $(LIBRARY)
$(B)/ablation: $(ABLATION_OBJECTS) $(LIBRARY)
$(B)/products: $(B)/tests/robustness/products.o $(LIBRARY)
$(B)/generate: $(GENERATE_OBJECTS)
$(B)/check-data: $(CHECK_DATA_OBJECTS)
$(B)/regard $(B)/speed $(B)/ablation $(B)/products $(B)/generate $(B)/check-data:
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@

# One test while working on it: make build/release/tests/base/test_bytes. The tests of cli and bench are linked with what
# they test, which is not in the library.
$(B)/tests/%: $(B)/tests/%.o $(SUPPORT_OBJECTS) $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@
$(filter $(B)/tests/cli/%,$(TESTS)): $(CLI_PARTS)
$(filter $(B)/tests/speed/%,$(TESTS)): $(SPEED_PARTS) $(CLI_PARTS)
$(filter $(B)/tests/simulation/%,$(TESTS)): $(SIMULATION_PARTS) $(CLI_PARTS)

# A test can make an allocation or a system call fail: tests/support/failing_malloc.h, failing_call.h
WRAPPED := malloc calloc realloc aligned_alloc read write pread pwrite fstat fsync fchown flock rename unlink getentropy
$(TESTS): MORE_LDFLAGS = $(WRAPPED:%=-Wl,--wrap=%)
$(TESTS): MORE_LIBS = $(CHECK_LIBS)

# In a simulation these are tests/simulation/system.c's.
SEAM := pthread_create pthread_join pthread_cancel pthread_setcancelstate pthread_once \
    pthread_mutex_lock pthread_mutex_unlock pthread_cond_wait pthread_cond_clockwait pthread_cond_signal \
    pthread_cond_broadcast clock_gettime nanosleep poll fopen eventfd socket bind listen getsockname sigwait
$(B)/tests/simulation/test_simulation: MORE_LDFLAGS += $(SEAM:%=-Wl,--wrap=%)

$(TORTURE_LIBRARY): tests/torture/failing_calls.c tests/torture/fate.c tests/torture/fate.h Makefile
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -g -O1 $(WARNINGS) -fPIC -shared $(filter %.c,$^) -o $@ -ldl

# The library and the program in double would be of no use.
programs: $(TESTS) $(filter-out build/double/%,$(B)/regard $(MODULE:%=$(B)/%)) \
    $(if $(filter release,$(BUILD)),libraries manual $(B)/speed $(B)/ablation $(B)/generate $(B)/check-data \
    $(TORTURE_LIBRARY))

.DELETE_ON_ERROR:
.SECONDARY:
-include $(patsubst %.o,%.d,$(OBJECTS) $(SPEED_OBJECTS) $(ABLATION_OBJECTS) $(GENERATE_OBJECTS) $(CHECK_DATA_OBJECTS) \
    $(SUPPORT_OBJECTS) $(SIMULATION_PARTS) $(TESTS:=.o))
