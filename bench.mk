# How fast this machine trains and translates, beside PyTorch where there is one (bench/README.md).
#   make bench                          about 15 minutes
#   make bench QUICK=1                  under a minute, and noisier
#   make bench CORPUS=A.tsv             lengths and pieces of your own corpus
#   make bench ONLY=training,decoding   these sections
#   make bench JSON=FILE                the results as JSON too
SPEED_OBJECTS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard bench/speed/*.c)))
SPEED_FLAGS = $(if $(QUICK),--quick) $(if $(CORPUS),--corpus '$(CORPUS)') $(if $(ONLY),--only '$(ONLY)') $(if $(JSON),--json '$(JSON)')

.PHONY: bench

bench: ## measure training and decoding beside PyTorch; QUICK=1 takes under a minute
	@tools/dependencies
	@$(MAKE) regard $(B)/speed
	@$(B)/speed $(SPEED_FLAGS)

$(B)/speed: $(SPEED_OBJECTS) $(PROGRAM_PARTS)
	$(call say,LINK,$@)
	$(Q)$(LINK) $^ $(PKG_LIBS) -lm -lpthread -o $@

-include $(SPEED_OBJECTS:.o=.d)
