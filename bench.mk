# How fast this machine trains and translates, beside PyTorch where there is one (bench/README.md).
#   make bench                          about ten minutes
#   make bench QUICK=1                  under a minute, and noisier
#   make bench CORPUS=A.tsv             lengths and subwords of your own corpus
#   make bench ONLY=training,decoding   these sections
#   make bench JSON=FILE                the results as JSON too
SPEED_PARTS := $(patsubst %.c,$(B)/%.o,$(filter-out %/speed.c,$(sort $(wildcard bench/speed/*.c))))
SPEED_FLAGS = $(if $(QUICK),--quick) $(if $(CORPUS),--corpus '$(CORPUS)') $(if $(ONLY),--only '$(ONLY)') $(if $(JSON),--json '$(JSON)')

.PHONY: bench

bench: ## measure training and decoding beside PyTorch; QUICK=1 takes under a minute
	@tools/dependencies
	@$(MAKE) regard $(B)/speed
	@$(B)/speed $(SPEED_FLAGS)

$(B)/speed: $(B)/bench/speed/speed.o $(SPEED_PARTS) $(PROGRAM_PARTS)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(PKG_LIBS) -lm -lpthread -o $@

$(B)/tests/speed/%.o: tests/speed/%.c Makefile
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(CHECK_CFLAGS) -I. -Itests -c $< -o $@

$(B)/tests/speed/%: $(B)/tests/speed/%.o $(SUPPORT_OBJECTS) $(SPEED_PARTS) $(PROGRAM_PARTS)
	$(call say,LINK,$@)
	$(Q)$(LINK_TEST)

-include $(SPEED_PARTS:.o=.d) $(B)/bench/speed/speed.d
