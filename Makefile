# SPDX-License-Identifier: GPL-2.0-only
#
# A wrapper: kbuild makes the modules, each directory's Makefile the rest. What
# is generated lands in build/, except what kbuild leaves beside the sources.
#
# Variables: KDIR (kernel build tree), KVER (its release), W=1, C=2, LLVM=1 and
# V=1 as in the kernel; O (default build/); DESTDIR, PREFIX, INSTALL_MOD_PATH.

O ?= $(CURDIR)/build
PREFIX ?= /usr/local
VERSION := $(shell cat VERSION)

# The machine's own kernel may have no headers (in a container, say): take the
# newest kernel that has.
KVER ?= $(shell $(CURDIR)/scripts/kver --headers)
KDIR ?= $(if $(KVER),/lib/modules/$(KVER)/build)

.PHONY: all modules lib firmware kselftests guest-files install \
	modules_install lint check demo mutants bench deb clean help

all: lib modules

modules:
	$(if $(KDIR),,$(error no kernel headers: run scripts/setup --for modules, or set KDIR))
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

lib:
	@scripts/setup --for lib
	$(MAKE) -C lib O=$(O) VERSION=$(VERSION)

firmware:
	$(MAKE) -C selftests/firmware O=$(O)
	$(MAKE) -C selftests/server O=$(O)

kselftests: lib
	scripts/fetch-kselftest
	$(MAKE) -C selftests O=$(O)

# All that scripts/vm puts into a guest or runs beside it.
guest-files: modules lib firmware kselftests

modules_install: modules
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules_install

install: all modules_install
	$(MAKE) -C lib O=$(O) VERSION=$(VERSION) PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) install

lint:
	@scripts/setup --for lint
	@scripts/lint

check:
	@scripts/setup --for check
	@scripts/check

demo:
	@scripts/setup --for demo
	@scripts/demo

mutants:
	@scripts/setup --for modules --for lib
	@O=$(O) scripts/mutants

bench: lib
	$(MAKE) -C selftests/bench O=$(O) PEERS=$(PEERS) bench

deb: lib
	scripts/make-deb

clean:
	$(if $(KDIR),$(MAKE) -C $(KDIR) M=$(CURDIR) clean)
	rm -rf $(O)

help:
	@echo 'make              library, tools and modules'
	@echo 'make modules      driver/dfx.ko, driver/sim/dfx_sim.ko; KDIR= or KVER= choose the kernel, W=1 C=2 warn more'
	@echo 'make lib          libdfx and build/dfx, runnable in place'
	@echo 'make firmware     the reference firmware, bare-metal and hosted'
	@echo 'make install      into DESTDIR, PREFIX and INSTALL_MOD_PATH'
	@echo 'make demo         a lossless recording, from bare-metal firmware to the report'
	@echo 'make check        every test; needs root or sudo where packages are missing'
	@echo 'make lint         the static checks alone'
	@echo 'make mutants      takes each guard out and sees that its test notices'
	@echo 'make bench        the measurements'
	@echo 'make deb          Debian packages in build/deb'
	@echo 'make clean        removes what was built'
	@echo
	@echo 'scripts/vm --help tells how to run one command in a guest.'
