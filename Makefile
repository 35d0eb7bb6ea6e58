# Regard. `make help` lists what can be made.
#   V=1             shows the commands
#   BUILD=release   or double (real numbers in double, for the gradient checks), asan, tsan; each in build/$(BUILD)

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

PKGS := openblas libutf8proc jansson zlib libxml-2.0
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror=vla
FLAGS_release := -O2
FLAGS_double := -O2 -DREGARD_DOUBLE
FLAGS_asan := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FLAGS_tsan := -O1 -fsanitize=thread -fno-omit-frame-pointer

# oneDNN multiplies faster, and in bf16 where the processor can; without it OpenBLAS does everything. It has no pkg-config
# file, so its header is looked for; `make ONEDNN=no` leaves it out. It does not multiply double.
ifndef ONEDNN
ONEDNN := $(if $(shell echo 'DNNL_VERSION_MAJOR' | $(CC) -E -P -include dnnl_version.h -x c - 2>/dev/null | grep -x 2),yes,no)
endif
WITH_ONEDNN := $(if $(filter double,$(BUILD)),no,$(ONEDNN))
ONEDNN_LIBS_yes := -ldnnl -lgomp
ONEDNN_SKIPPED_yes := src/linalg/backend/onednn_absent.c
ONEDNN_SKIPPED_no := src/linalg/backend/onednn.c src/linalg/backend/onednn_pairs.c src/linalg/backend/onednn_primitives.c

# pkg-config is asked once, and only when something is compiled.
ask = $(shell pkg-config $(1))$(if $(filter-out 0,$(.SHELLSTATUS)),$(error run tools/dependencies first: it installs what is missing))
PKG_CFLAGS = $(eval PKG_CFLAGS := $(call ask,--cflags $(PKGS)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $(call ask,--libs $(PKGS)) $(ONEDNN_LIBS_$(WITH_ONEDNN)))$(PKG_LIBS)
CHECK_CFLAGS = $(eval CHECK_CFLAGS := $(call ask,--cflags check))$(CHECK_CFLAGS)
CHECK_LIBS = $(eval CHECK_LIBS := $(call ask,--libs check))$(CHECK_LIBS)

COMPILE = $(CC) -std=c11 -g $(WARNINGS) $(FLAGS_$(BUILD)) -fPIC -fvisibility=hidden -Iinclude -Isrc $(PKG_CFLAGS) -MMD -MP $(CFLAGS)
LINK = $(CC) $(FLAGS_$(BUILD)) $(LDFLAGS)

# The kernels alone may be vectorised and reassociated where `omp simd` says so, and alone know instruction sets. Nowhere
# -ffast-math: NaN must stay visible. -std=c11 would forbid gcc to use FMA: contraction allows it. No peeling for alignment:
# the order of a sum must not depend on addresses.
KERNEL_FLAGS := -O3 -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=fast
ifneq ($(findstring clang,$(shell $(CC) --version 2>/dev/null)),clang)
KERNEL_FLAGS += --param vect-max-peeling-for-alignment=0
else ifneq ($(BUILD),release)
KERNEL_FLAGS += -Wno-pass-failed # libm's functions (double) and checked loops (sanitizers) stay loops
endif
ifeq ($(shell uname -m),x86_64)
ISA_FLAGS_avx2 := -mavx2 -mfma
ISA_FLAGS_avx512 := -mavx512f -mavx512vl -mavx512bw -mavx512dq -mfma -mprefer-vector-width=512
endif

ifeq ($(V),1)
say =
Q :=
else
say = @echo '$(1) $(2)$(if $(filter-out release,$(BUILD)), ($(BUILD)))'
Q := @
endif

# What there is

SOURCES := $(sort $(wildcard src/*/*.c src/*/*/*.c))
LIBRARY := $(B)/libregard.a
LIBRARY_OBJECTS := $(patsubst %.c,$(B)/%.o,$(filter-out src/cli/% $(ONEDNN_SKIPPED_$(WITH_ONEDNN)),$(SOURCES))) $(B)/page.o
CLI_OBJECTS := $(patsubst %.c,$(B)/%.o,$(filter src/cli/%,$(SOURCES)))
SUPPORT_OBJECTS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/support/*.c)))

# Every tests/FOLDER/test_NOUN.c is a program of its own. In double stands only what computes with `real`, under the thread
# sanitizer only what starts threads.
NUMERIC := math/test_* linalg/test_* layers/test_* encoder/test_* attention/test_* decoder/test_* model/test_* train/test_optimiser
THREADED := base/test_threads base/test_parallel model/test_corpus_pass search/test_* train/test_* translate/test_* api/test_*
TEST_SOURCES := $(sort $(wildcard tests/*/test_*.c))
DOUBLE_SOURCES := $(sort $(wildcard $(NUMERIC:%=tests/%.c)))
THREADED_SOURCES := $(sort $(wildcard $(THREADED:%=tests/%.c)))

RELEASE_TESTS := $(TEST_SOURCES:%.c=build/release/%)
DOUBLE_TESTS := $(DOUBLE_SOURCES:%.c=build/double/%)
ASAN_TESTS := $(TEST_SOURCES:%.c=build/asan/%)
TSAN_TESTS := $(THREADED_SOURCES:%.c=build/tsan/%)
TESTS_release := $(RELEASE_TESTS)
TESTS_double := $(DOUBLE_TESTS)
TESTS_asan := $(ASAN_TESTS)
TESTS_tsan := $(TSAN_TESTS)
TESTS := $(TESTS_$(BUILD))

# The verbs: a line with ## stands in `make help`

.PHONY: all test check programs demo browser asan tsan fuzz valgrind lint format clean help
# install, uninstall, libraries: install.mk

all: regard ## build ./regard

test: ## install what is missing, then build and run all tests
	@tools/dependencies
	@$(MAKE) check

check: programs ## the tests alone
ifeq ($(BUILD),release)
	@$(MAKE) BUILD=double programs
	@tests/run tests/structure tests/api/test_installed.sh tests/data/test_download.sh tests/tools/test_manual.sh \
	    tests/bottleneck/test_bottleneck.sh tests/speed/test_speed.sh $(RELEASE_TESTS) $(DOUBLE_TESTS)
else
	@REGARD_PROGRAM=$(B)/regard tests/run $(TESTS)
endif

demo: ## install what is missing, train on the corpus in data/, translate, draw an alignment
	@tools/dependencies
	@$(MAKE) regard
	@tools/demo

asan: ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) BUILD=asan check

tsan: ## the tests that start threads under ThreadSanitizer
	@$(MAKE) BUILD=tsan check

FUZZ_SECONDS ?= 600
fuzz: ## feed the readers of files whatever breaks them, FUZZ_SECONDS=600 for each; needs clang
	@tests/fuzz/run $(FUZZ_SECONDS)

valgrind: regard ## train, save, load, translate under valgrind
	@tools/dependencies valgrind
	@tools/valgrind-check

browser: regard ## the page of alignments in Chromium: pointing, keys, a phone, how fast it opens
	@tools/dependencies browser
	@tests/browser/page.py

lint: ## layout, analysis, limits of length
	@tools/dependencies build lint
	@tools/lint

format: ## lay out the code
	@tools/dependencies lint
	@tools/layout -i

clean: ## remove what was built
	rm -rf build regard

help: ## this
	@echo 'make VERB'
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12 | sed 's/^/  /'
	@echo 'V=1 shows the commands.'

include manual.mk
include install.mk
include bottleneck.mk
include bench.mk

# The program and the library

regard: build/release/regard
	@cp $< $@

$(LIBRARY): $(LIBRARY_OBJECTS) $(B)/onednn
	$(call say,AR,$@)
	@rm -f $@
	$(Q)ar qcs $@ $(LIBRARY_OBJECTS)

# Whether the library holds oneDNN, so that it is made again when that has come or gone.
.PHONY: always
$(B)/onednn: always
	@mkdir -p $(@D)
	@echo $(WITH_ONEDNN) | cmp -s - $@ || echo $(WITH_ONEDNN) >$@

$(B)/regard: $(CLI_OBJECTS) $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(PKG_LIBS) -lm -lpthread -o $@

$(B)/src/%.o: src/%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -c $< -o $@

$(B)/src/math/kernels_%.o: src/math/kernels_%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(KERNEL_FLAGS) $(ISA_FLAGS_$*) -c $< -o $@

# The page that shows alignments, as a string.
$(B)/page.c: src/render/page.html src/render/page.css src/render/page.js tools/embed
	$(call say,EMBED,$<)
	@mkdir -p $(@D)
	$(Q)tools/embed src/render >$@ || { rm -f $@; exit 1; }

$(B)/page.o: $(B)/page.c Makefile
	$(Q)$(COMPILE) -c $< -o $@

# The tests

# One folder's or one noun's tests while working on them: make build/release/tests/base/test_bytes
# The library and the program in double would be of no use.
programs: $(TESTS) $(filter-out build/double/regard,$(B)/regard) $(if $(filter release,$(BUILD)),libraries manual $(B)/bottleneck $(B)/speed)

$(B)/tests/%.o: tests/%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(CHECK_CFLAGS) -Itests -c $< -o $@

# A test can make an allocation fail: tests/support/failing_malloc.h
WRAP_MALLOC := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc
LINK_TEST = $(LINK) $(WRAP_MALLOC) $^ $(CHECK_LIBS) $(PKG_LIBS) -lm -lpthread -o $@

$(B)/tests/%: $(B)/tests/%.o $(SUPPORT_OBJECTS) $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(LINK_TEST)

# What the program is made of can be tested too, all but its main.
$(B)/tests/cli/%: $(B)/tests/cli/%.o $(SUPPORT_OBJECTS) $(filter-out %/main.o,$(CLI_OBJECTS)) $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(LINK_TEST)

-include $(LIBRARY_OBJECTS:.o=.d) $(CLI_OBJECTS:.o=.d) $(SUPPORT_OBJECTS:.o=.d) $(TESTS:=.d)
.SECONDARY:
