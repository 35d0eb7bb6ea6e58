# The manual's pages and the completions, printed by a program that shares the tables of options with `regard`. They
# stand in build/…/share as they will in $(PREFIX)/share. Every verb is a src/cli/cmd_VERB.c.
VERBS := $(sort $(patsubst cmd_%.c,%,$(notdir $(filter src/cli/%,$(filter %.c,$(wildcard src/cli/cmd_*.c src/cli/*/cmd_*.c))))))
SHARE := $(B)/share
PAGES := man/man1/regard.1 $(VERBS:%=man/man1/regard-%.1)
COMPLETIONS := bash-completion/completions/regard zsh/site-functions/_regard
MANUAL := $(PAGES) $(COMPLETIONS)

TOOL_OBJECTS := $(patsubst %.c,$(B)/%.o,$(filter-out tools/manual.c,$(sort $(wildcard tools/*.c))))
PROGRAM_PARTS := $(filter-out %/main.o,$(CLI_OBJECTS)) $(LIBRARY)

$(B)/tools/%.o: tools/%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -I. -c $< -o $@

$(B)/manual: $(B)/tools/manual.o $(TOOL_OBJECTS) $(PROGRAM_PARTS)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(PKG_LIBS) -lm -lpthread -o $@

# What was begun by a program that failed shall not be taken for finished.
.DELETE_ON_ERROR:

$(SHARE)/man/man1/regard.1: $(B)/manual
	@mkdir -p $(@D)
	$(Q)$< page >$@

$(SHARE)/man/man1/regard-%.1: $(B)/manual
	@mkdir -p $(@D)
	$(Q)$< page $* >$@

$(SHARE)/bash-completion/completions/regard: $(B)/manual
	@mkdir -p $(@D)
	$(Q)$< bash >$@

$(SHARE)/zsh/site-functions/_regard: $(B)/manual
	@mkdir -p $(@D)
	$(Q)$< zsh >$@

.PHONY: manual

manual: $(MANUAL:%=$(SHARE)/%)

# the tests of the tools, which are linked with them
$(B)/tests/tools/%.o: tests/tools/%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(CHECK_CFLAGS) -I. -Itests -c $< -o $@

$(B)/tests/tools/%: $(B)/tests/tools/%.o $(SUPPORT_OBJECTS) $(TOOL_OBJECTS) $(PROGRAM_PARTS)
	$(call say,LINK,$@)
	$(Q)$(LINK_TEST)

-include $(TOOL_OBJECTS:.o=.d) $(B)/tools/manual.d
