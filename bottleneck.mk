# The bottleneck experiment: tools/bottleneck, and the program in bench/bottleneck that joins, measures and draws for it.
#   make bottleneck                                        the embedded corpus
#   make bottleneck SCORERS="none additive dot"            these attentions
#   make bottleneck CORPUS=A.en,A.fr TEST=B.en,B.fr        pairs of your own; also VALID=…
#   make bottleneck MINUTES=20                             of training for each scorer
#   make bottleneck DOCS=1                                 copies the picture into docs/ too
BOTTLENECK_PARTS := $(patsubst %.c,$(B)/%.o,$(filter-out %/bottleneck.c,$(sort $(wildcard bench/bottleneck/*.c))))
BOTTLENECK_FLAGS = $(if $(SCORERS),--scorers '$(SCORERS)') $(if $(CORPUS),--corpus '$(CORPUS)') $(if $(TEST),--test '$(TEST)') \
    $(if $(VALID),--valid '$(VALID)') $(if $(MINUTES),--minutes '$(MINUTES)') $(if $(DOCS),--docs)

.PHONY: bottleneck

bottleneck: ## train with and without attention, draw BLEU by the length of the source: under 10 minutes
	@tools/dependencies
	@$(MAKE) regard $(B)/bottleneck
	@tools/bottleneck $(BOTTLENECK_FLAGS)

$(B)/bench/%.o: bench/%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -I. -c $< -o $@

$(B)/bottleneck: $(B)/bench/bottleneck/bottleneck.o $(BOTTLENECK_PARTS) $(PROGRAM_PARTS)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(PKG_LIBS) -lm -lpthread -o $@

$(B)/tests/bottleneck/%.o: tests/bottleneck/%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(CHECK_CFLAGS) -I. -Itests -c $< -o $@

$(B)/tests/bottleneck/%: $(B)/tests/bottleneck/%.o $(SUPPORT_OBJECTS) $(BOTTLENECK_PARTS) $(PROGRAM_PARTS)
	$(call say,LINK,$@)
	$(Q)$(LINK_TEST)

-include $(BOTTLENECK_PARTS:.o=.d) $(B)/bench/bottleneck/bottleneck.d
