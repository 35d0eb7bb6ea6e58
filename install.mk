# The library as others link it, and `make install`. What is built stands in build/…/lib/: there libregard.a has the
# API alone, while build/…/libregard.a, which the program and the tests are linked with, has every object as it is.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
SHAREDIR ?= $(PREFIX)/share
DOCDIR ?= $(SHAREDIR)/doc/regard
INSTALL ?= install
# SHARED=no installs libregard.a without libregard.so: then `pkg-config --static --libs regard` links it.
SHARED ?= yes
OBJCOPY ?= objcopy

# raised when a program compiled against an older regard.h could not run with the new library
SOVERSION := 0
VERSION = $(shell sed -n 's/^\#define REGARD_VERSION "\(.*\)"/\1/p' src/base/version.h)

SHARED_LIBRARY := $(B)/lib/libregard.so.$(SOVERSION)
STATIC_LIBRARY := $(B)/lib/libregard.a
PKG_CONFIG_FILE := $(B)/lib/regard.pc

# The API pulls out of the archive what it needs, so no readers of corpora, nor zlib or expat, come along.
API_OBJECTS := $(filter $(B)/src/api/%,$(OBJECTS))
API_PKGS := $(filter-out zlib expat,$(PKGS))
API_LIBS = $(eval API_LIBS := $(shell pkg-config --libs $(API_PKGS)) $(ONEDNN_LIBS_$(WITH_ONEDNN)))$(API_LIBS)

$(SHARED_LIBRARY): MORE_LDFLAGS = -shared -Wl,-soname,$(@F)
$(SHARED_LIBRARY): PKG_LIBS = $(API_LIBS)
$(SHARED_LIBRARY): $(API_OBJECTS) $(LIBRARY)
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@

# One relocatable object, in which all hidden symbols become local: two libraries with an `arena_free` can then meet.
$(STATIC_LIBRARY): $(API_OBJECTS) $(LIBRARY)
	$(call say,AR,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -r -nostdlib $^ -o $(@D)/regard.o
	$(Q)$(OBJCOPY) --localize-hidden $(@D)/regard.o
	@rm -f $@
	$(Q)ar qcs $@ $(@D)/regard.o

# Written anew each time: it holds the folders that this `make` was told.
.PHONY: $(PKG_CONFIG_FILE)
$(PKG_CONFIG_FILE):
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' '' 'Name: regard' \
	    'Description: Neural translation that shows where it looked' 'Version: $(VERSION)' \
	    'Requires.private: $(API_PKGS)' 'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lregard' \
	    'Libs.private: $(strip $(ONEDNN_LIBS_$(WITH_ONEDNN)) -lm -lpthread -ldl)' >$@

# The manual's pages and the completions, made from what `regard --help` says. Every verb is a src/cli/…/cmd_VERB.c.
SHARE := $(B)/share
PAGES := man/man1/regard.1 $(sort $(patsubst cmd_%.c,man/man1/regard-%.1,$(filter cmd_%,$(notdir $(SOURCES)))))
COMPLETIONS := bash-completion/completions/regard zsh/site-functions/_regard
MANUAL := $(PAGES) $(COMPLETIONS)

$(SHARE)/man/man1/%.1: $(B)/regard tools/manual
	@mkdir -p $(@D)
	$(Q)tools/manual $(B)/regard $(patsubst regard-%,%,$(filter regard-%,$*)) >$@

$(SHARE)/bash-completion/completions/regard: tools/completion.bash
$(SHARE)/zsh/site-functions/_regard: tools/completion.zsh
$(COMPLETIONS:%=$(SHARE)/%):
	@mkdir -p $(@D)
	@cp $< $@

.PHONY: manual

manual: $(MANUAL:%=$(SHARE)/%)

# A unit of systemd, which looks for units of packages in PREFIX/lib too.
UNITDIR ?= $(PREFIX)/lib/systemd/system

DOCUMENTS := $(wildcard README.md LICENSE SECURITY.md docs/*.md docs/*.html docs/*.svg docs/notes/*.md examples/*.c)

# where the program looks for it, beside itself and here: src/train/cluster/ranks.c
MODULEDIR := $(BINDIR)/../lib/regard

# what install puts there, but for the shared library, and uninstall takes away
INSTALLED := $(BINDIR)/regard $(SHAREDIR)/regard/tools/seeds $(INCLUDEDIR)/regard.h $(LIBDIR)/libregard.a $(LIBDIR)/pkgconfig/regard.pc \
    $(UNITDIR)/regard.service $(MANUAL:%=$(SHAREDIR)/%) $(DOCUMENTS:%=$(DOCDIR)/%) $(MODULEDIR)/$(MODULE_yes)
INSTALLED_SHARED := $(LIBDIR)/$(notdir $(SHARED_LIBRARY)) $(LIBDIR)/libregard.so

# The models that belong to the project, not what somebody trained into that folder. `regard models` looks for them there.
MODELSDIR = $(SHAREDIR)/regard/models
MODELS = $(or $(shell git ls-files 'models/*.safetensors' 2>/dev/null),$(wildcard models/*.safetensors))

# Everyday pairs beside each model: examples of words looked up, and what to measure and to mix in where it is taught further
# (train --init).
EVERYDAY = $(foreach model,$(MODELS:.safetensors=),$(model).everyday.tsv $(model).everyday-test.tsv)

models/%.everyday.tsv models/%.everyday-test.tsv: tools/everyday $(wildcard data/everyday/topics/*.tsv)
	$(Q)tools/everyday train $* >models/$*.everyday.tsv
	$(Q)tools/everyday test $* >models/$*.everyday-test.tsv

all: $(EVERYDAY)

.PHONY: install uninstall libraries

libraries: $(SHARED_LIBRARY) $(STATIC_LIBRARY)

install: $(EVERYDAY) $(B)/regard $(MODULE:%=$(B)/%) libraries $(PKG_CONFIG_FILE) manual ## install to PREFIX (/usr/local): program, library, manual, docs
	$(INSTALL) -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(INCLUDEDIR)' '$(DESTDIR)$(LIBDIR)/pkgconfig'
	$(INSTALL) -m 755 $(B)/regard '$(DESTDIR)$(BINDIR)'
	$(INSTALL) -d '$(DESTDIR)$(SHAREDIR)/regard/tools'
	$(INSTALL) -m 755 tools/seeds '$(DESTDIR)$(SHAREDIR)/regard/tools'
	$(INSTALL) -m 644 include/regard.h '$(DESTDIR)$(INCLUDEDIR)'
	$(INSTALL) -m 644 $(STATIC_LIBRARY) '$(DESTDIR)$(LIBDIR)'
ifneq ($(MODULE),)
	$(INSTALL) -d '$(DESTDIR)$(MODULEDIR)'
	$(INSTALL) -m 644 $(B)/$(MODULE) '$(DESTDIR)$(MODULEDIR)'
endif
ifeq ($(SHARED),yes)
	$(INSTALL) -m 644 $(SHARED_LIBRARY) '$(DESTDIR)$(LIBDIR)'
	ln -sf $(notdir $(SHARED_LIBRARY)) '$(DESTDIR)$(LIBDIR)/libregard.so'
endif
	$(INSTALL) -m 644 $(PKG_CONFIG_FILE) '$(DESTDIR)$(LIBDIR)/pkgconfig'
	$(INSTALL) -d '$(DESTDIR)$(UNITDIR)'
	sed 's|/usr/local/bin/|$(BINDIR)/|' systemd/regard.service >'$(DESTDIR)$(UNITDIR)/regard.service'
	$(INSTALL) -d $(foreach folder,$(sort $(dir $(MANUAL))),'$(DESTDIR)$(SHAREDIR)/$(folder)')
	$(foreach file,$(MANUAL),$(INSTALL) -m 644 $(SHARE)/$(file) '$(DESTDIR)$(SHAREDIR)/$(file)' &&) true
	$(INSTALL) -d $(foreach folder,$(sort $(dir $(DOCUMENTS))),'$(DESTDIR)$(DOCDIR)/$(folder)')
	$(foreach file,$(DOCUMENTS),$(INSTALL) -m 644 $(file) '$(DESTDIR)$(DOCDIR)/$(file)' &&) true
	for model in $(MODELS) $(EVERYDAY); do \
	    $(INSTALL) -d '$(DESTDIR)$(MODELSDIR)' && $(INSTALL) -m 644 $$model '$(DESTDIR)$(MODELSDIR)' || exit 1; \
	done
	@if [ -z '$(DESTDIR)' ] && ldconfig -NXv 2>/dev/null | grep -q '^$(LIBDIR):'; then ldconfig || true; fi

uninstall: ## remove what install installed
	rm -f $(foreach file,$(INSTALLED) $(INSTALLED_SHARED),'$(DESTDIR)$(file)')
	rm -f $(foreach file,$(MODELS) $(EVERYDAY),'$(DESTDIR)$(MODELSDIR)/$(notdir $(file))')
	@rmdir '$(DESTDIR)$(MODELSDIR)' '$(DESTDIR)$(SHAREDIR)/regard/tools' '$(DESTDIR)$(SHAREDIR)/regard' 2>/dev/null || true
	@rmdir $(foreach folder,docs/notes docs examples .,'$(DESTDIR)$(DOCDIR)/$(folder)') 2>/dev/null || true

.PHONY: wheel

wheel: $(SHARED_LIBRARY) $(EVERYDAY) ## make build/python/*.whl: the Python package with the library and its models
	@python3 python/build_backend.py build/python $(SHARED_LIBRARY) $(MODELS) $(filter %.everyday.tsv,$(EVERYDAY))
