# The engine of pages that translate by themselves: the library in WebAssembly, by Debian's clang, lld and wasi-libc, with the
# sources of Debian's utf8proc and Jansson (`tools/dependencies wasm` gets all of it).
W := build/wasm
comma := ,
ENGINE := $(W)/engine.wasm
WASM_CC ?= clang-14
WASM_PACKAGES := $(W)/packages

# 128-bit lanes, but nothing of relaxed SIMD, whose results differ between processors. No assertions: their texts are large.
WASM_FLAGS := --target=wasm32-wasi -msimd128 -std=c11 -DNDEBUG -DXXH_INLINE_ALL -Isrc/browser/stand_ins -I$(W)/include -Iinclude -Isrc
# Without reassociation, so that every sum has the order in which it is written.
WASM_KERNEL_FLAGS := -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off -Wno-unknown-pragmas -Wno-source-uses-openmp
WASM_LINK := -nostartfiles -Wl,--no-entry -Wl,--strip-all -Wl,--gc-sections -Wl,--stack-first -Wl,-z,stack-size=1048576

# What the engine does not call is left out by the linker; what is skipped does not compile here, or has a stand-in.
WASM_FOLDERS := base io math linalg linalg/backend text language corpus layers encoder attention decoder search model align \
    metrics train train/cluster reading translate html serve/api serve/service browser
WASM_SKIPPED := src/html/charset.c src/translate/model_folders.c src/translate/memory_file.c $(wildcard src/linalg/backend/o*.c) \
    $(addprefix src/corpus/,csv.c pair_reader.c table.c text_files.c tmx.c) src/train/cluster/mpi_module.c \
    $(addprefix src/train/,file_readers.c log.c) \
    $(addprefix src/io/,byte_stream.c file_content.c file_lock.c file_writer.c input_file.c line_reader.c text_encoding.c unpacker.c) \
    $(addprefix src/serve/,api/request.c api/routes.c service/api_keys.c service/memories.c service/metrics.c service/queue.c service/rate_limit.c service/service.c)
WASM_SOURCES := $(addprefix src/render/,alignment_json.c beam_tree.c) $(addprefix src/api/,texts.c result.c train.c) \
    $(filter-out $(WASM_SKIPPED),$(foreach folder,$(WASM_FOLDERS),$(sort $(wildcard src/$(folder)/*.c))))
WASM_OBJECTS := $(patsubst %.c,$(W)/%.o,$(WASM_SOURCES))

.PHONY: wasm
wasm: ## build the engine of pages that translate by themselves: build/wasm/engine.wasm
	@tools/dependencies wasm
	@$(MAKE) $(ENGINE)

$(W)/%.o: %.c Makefile wasm.mk $(W)/package/made
	$(call say,WASM,$<)
	@mkdir -p $(@D)
	$(Q)$(WASM_CC) $(WASM_FLAGS) $(WARNINGS) -Wno-sign-conversion -Wno-implicit-int-float-conversion -Wno-tautological-constant-out-of-range-compare -O2 $(MORE_CFLAGS) -MMD -MP -c $< -o $@
$(W)/src/math/%.o $(W)/src/browser/no_openblas.o: MORE_CFLAGS = $(WASM_KERNEL_FLAGS)
# wasi-libc does not declare mkostemp (src/browser/no_system.c).
$(W)/src/corpus/corpus_store.o: MORE_CFLAGS = -Wno-implicit-function-declaration

# Jansson has a function of a name that is one of ours, too.
$(W)/package/made: wasm.mk
	$(call say,WASM,$@)
	@mkdir -p $(W)/include $(W)/package
	$(Q): >$(W)/include/jansson_private_config.h
	$(Q)sed 's/@json_inline@/inline/; s/@json_have_localeconv@/0/; s/@json_have_[a-z_]*@/1/' \
	    $(WASM_PACKAGES)/jansson/src/jansson_config.h.in >$(W)/include/jansson_config.h
	$(Q)cp $(WASM_PACKAGES)/jansson/src/jansson.h $(WASM_PACKAGES)/utf8proc/utf8proc.h \
	    $(shell pkg-config --variable=includedir libxxhash)/xxhash.h $(W)/include
	$(Q)cd $(W) && for source in $(abspath $(WASM_PACKAGES))/jansson/src/*.c $(abspath $(WASM_PACKAGES))/utf8proc/utf8proc.c; do \
	    $(WASM_CC) --target=wasm32-wasi -msimd128 -Os -DNDEBUG -DUTF8PROC_STATIC -DHAVE_STDINT_H -Dutf8_encode=jansson_utf8_encode \
	        -Iinclude -c $$source -o package/$$(basename $$source .c).o || exit 1; done
	$(Q)touch $@

$(ENGINE): $(WASM_OBJECTS) $(W)/package/made
	$(call say,WASM,$@)
	$(Q)$(WASM_CC) --target=wasm32-wasi $(WASM_LINK) $(WASM_OBJECTS) $(W)/package/*.o -o $@

# The products of tests/robustness/one_hash.py.
$(W)/products.wasm: $(W)/tests/robustness/products.o $(ENGINE)
	$(call say,WASM,$@)
	$(Q)$(WASM_CC) --target=wasm32-wasi $(WASM_LINK) $< $(filter $(W)/src/base/% $(W)/src/math/% $(W)/src/linalg/% %openblas.o,$(WASM_OBJECTS)) -o $@

# The program with the engine's product, which tests/browser/engine.py compares.
$(B)/regard-loops: $(CLI_OBJECTS) $(B)/src/browser/no_openblas.o $(LIBRARY)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@
$(B)/src/browser/no_openblas.o: MORE_CFLAGS = $(KERNEL_FLAGS)

-include $(WASM_OBJECTS:.o=.d) $(B)/src/browser/no_openblas.d

# What `regard page` makes pages of: the server's page with another transport and a worker, and the engine, if it can be built here.
WITH_ENGINE := $(if $(wildcard /usr/include/wasm32-wasi/stdlib.h),$(if $(wildcard $(WASM_PACKAGES)),$(shell command -v $(WASM_CC) >/dev/null && command -v wasm-ld-14 >/dev/null && echo yes)))
BROWSER_PARTS := $(addprefix src/browser/,engine.js worker.js local.js learn.js learn.css learn.html)

# What the page learns from unless one gives it other pairs: the short statements of the corpus about what is bought, coloured or past.
EXAMPLE := data/en-fr/train.tsv
SHORT_PAIRS := split($$1, s, " ") >= 4 && split($$1, s, " ") <= 8 && split($$2, t, " ") <= 9 && \
    $$1 !~ /\?/ && $$1 ~ /(black|white|red|blue|green|yellow|grey|bought|yesterday|car |car\.)/

$(B)/learn.html: src/browser/learn.html $(EXAMPLE) wasm.mk
	@mkdir -p $(@D)
	$(Q)awk -F '\t' '$(SHORT_PAIRS)' $(EXAMPLE) >$(B)/example.tsv
	$(Q)sed '/id="example"/r $(B)/example.tsv' $< >$@

$(B)/browser_page.c: src/serve/page/page.html $(wildcard src/serve/page/*.css src/serve/page/*.js) src/render/theme.css $(wildcard src/render/*.js) \
    $(BROWSER_PARTS) $(B)/learn.html tools/embed wasm.mk
	$(call say,EMBED,$@)
	@mkdir -p $(@D)
	$(Q)sed -e 's#^{{server.js}}$$#{{../../browser/local.js}}#' -e 's#^{{inspector.css}}$$#&\n{{../../src/browser/learn.css}}#' -e 's#^{{inspector.js}}$$#&\n{{../../src/browser/learn.js}}#' \
	    -e '/^<p id="spoken"/r $(B)/learn.html' -e 's#^{{#&../../src/serve/page/#' \
	    -e 's#^<p id="hint".*#&\n<p id="alone" data-text="alone"></p>\n<progress id="progress" data-label="loading" hidden></progress>#' \
	    -e 's#^<script>$$#<script type="text/plain" id="worker">\n{{../../src/browser/engine.js}}\n{{../../src/browser/worker.js}}\n</script>\n&#' \
	    $< >$(B)/browser_page.html
	$(Q)tools/embed $(B)/browser_page.html browser_page browser/page.h browser_page_policy alone >$@

# Whether the engine was there, so that it is embedded when it has come.
$(B)/with_engine: always
	@mkdir -p $(@D)
	@echo '$(WITH_ENGINE)' | cmp -s - $@ || echo '$(WITH_ENGINE)' >$@

$(B)/browser_engine.c: $(B)/with_engine wasm.mk $(if $(WITH_ENGINE),$(ENGINE))
	$(call say,EMBED,$@)
	@$(if $(WITH_ENGINE),:,echo 'regard page will not work: make wasm gets what builds its engine')
	$(Q){ printf '#include "browser/page.h"\n\nconst unsigned char browser_engine[] = {\n'; \
	    $(if $(WITH_ENGINE),gzip -9nc $(ENGINE) | od -An -v -tu1 | sed 's/[0-9][0-9]*/&$(comma)/g';) \
	    printf '0};\nconst size_t browser_engine_size = sizeof browser_engine - 1;\n'; } >$@

# The package for npm, ready for `npm pack`.
NPM := build/npm
NPM_FILES := $(addprefix $(NPM)/,package.json index.js index.d.ts engine.wasm README.md LICENSE)

.PHONY: npm
npm: wasm ## build the package for npm, in build/npm
	@$(MAKE) $(NPM_FILES)

$(NPM)/index.js: src/browser/engine.js npm/translator.js
$(NPM)/package.json: npm/package.json src/base/version.h
$(NPM)/index.d.ts $(NPM)/README.md: $(NPM)/%: npm/%
$(NPM)/LICENSE: LICENSE
$(filter-out %.wasm,$(NPM_FILES)): wasm.mk
	@mkdir -p $(@D)
	$(Q)cat $(filter-out wasm.mk %.h,$^) | sed 's/"version": ""/"version": "$(VERSION)"/' >$@
$(NPM)/engine.wasm: $(ENGINE)
	@mkdir -p $(@D)
	$(Q)cp $< $@
