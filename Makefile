# The two commands of the README, and what operators and contributors need beside them. Each target does its own set-up.

.PHONY: run build release test fmt lint audit web unit ten clustered e2e pictures types test-cluster soak soak-cluster simulate simulate-planted fuzz bench before attacks duel bots tune puzzles needs node postgres proxies nats prometheus python systemd cluster image operations

CARGO ?= cargo
# Tests at a time.
TEST_THREADS ?= 8
export CARGO_TERM_COLOR ?= auto

# Serves on http://127.0.0.1:8080, records in ./data/qiguan.db.
run: needs node
	$(CARGO) run --release --locked -- serve

build: needs node
	$(CARGO) build --release --locked

# Three programs on one throw-away Postgres, with NATS between them, behind one address: http://127.0.0.1:8080, or PORT. Ctrl-C ends everything
# and leaves nothing.
PORT ?= 8080
cluster: build
	@bash scripts/cluster.sh $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/release/qiguan $(PORT)

# What is shipped, in target/dist/release: the program with link-time optimisation as an archive and as a Debian package, what both consist of, and
# checksums. The program also serves the hashed files of the web client of the release before (PREVIOUS, a commit; the last one of
# packaging/releases.txt), so that pages of both work while programs of both run.
DIST = $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/dist
PREVIOUS ?=
release: needs node
	sh scripts/needs.sh git tar curl cargo-about cargo-cyclonedx cargo-deb dpkg-shlibdeps
	previous=$$(sh scripts/previous_web.sh $(dir $(DIST))previous $(PREVIOUS)) && \
	QIGUAN_WEB_PREVIOUS=$$previous $(CARGO) build --profile dist --locked -p qiguan && \
	{ [ -z "$$previous" ] || sh scripts/with_server.sh $(DIST)/qiguan sh scripts/check_web.sh "$$previous"; }
	sh scripts/release.sh $(DIST)/qiguan $(DIST)/release

# The image of the Dockerfile, for a machine that reaches no registry of images: the images that it begins with are made from Debian's packages and this
# machine's Rust and Node. Elsewhere `docker build .` does the same.
image: needs node
	sh scripts/needs.sh buildah debootstrap
	bash scripts/image.sh $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/image

# docs/operations.md by the letter, on a fresh Debian with systemd in a namespace of its own.
operations: release
	sh scripts/needs.sh debootstrap unshare
	bash scripts/operations.sh $(DIST)/release $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/operations

# Everything that has to hold before a change lands.
test: needs node fmt lint audit web unit ten e2e

fmt:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --quiet

# Licences, duplicate and banned crates, sources. The list of advisories needs a git host, so it is a step of its own:
# `cargo deny check advisories`.
audit:
	sh scripts/needs.sh cargo-deny
	$(CARGO) deny --locked check licenses bans sources

# The web client by itself: its types, its style, its unit tests, and whether the program says of the rules' diagrams what they
# show. The build script of the crate installs the packages of the lock file.
web: node
	$(CARGO) build --workspace --locked --bin qiguan
	cd web && npm run check && npm run lint && npm run format:check && npm test
	cd web && npm run diagrams -- --check $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/debug/qiguan

# The program as people use it: browsers against the debug build with its client in it.
e2e: node postgres proxies nats
	@sh scripts/needs.sh chromium-headless-shell
	$(CARGO) build --workspace --locked --bin qiguan
	cd web && TMPDIR=$$(sh ../scripts/memory.sh) nice -n 5 npm run test:e2e

# The same stories, with pictures of every page: web/test-results/pictures.
pictures: export QIGUAN_PICTURES = take
pictures: e2e

# The outside tests start the program itself, in its debug build, which has the fault points. Those that need a Postgres start
# one of their own from the system's programs. Tests mostly wait, so more of them run at a time than there are cores, and their records
# lie in memory where there is enough of it. They run at a niceness nearer to that of the server's background work (10), which would get
# next to nothing of processors that eight tests use. One selection of packages for everything: with another the dependencies would be built again.
unit: node postgres proxies nats prometheus python systemd
	$(CARGO) build --workspace --locked --bin qiguan
	TMPDIR=$$(sh scripts/memory.sh) RUST_TEST_THREADS=$(TEST_THREADS) nice -n 5 $(CARGO) test --workspace --locked

# The stories of tests/cluster_stories.txt again, each against three programs behind HAProxy, on one throw-away Postgres with NATS between them. A
# story takes four times the processor then, so fewer run at a time.
CLUSTER_TEST_THREADS ?= 4
test-cluster: CLUSTER_STORIES = all
test-cluster: clustered

# Ten of them.
ten: CLUSTER_STORIES = ten
ten: clustered

clustered: node postgres proxies nats
	$(CARGO) build --workspace --locked --bin qiguan
	CARGO="$(CARGO)" TMPDIR=$$(sh scripts/memory.sh) RUST_TEST_THREADS=$(CLUSTER_TEST_THREADS) nice -n 5 sh scripts/test_cluster.sh $(CLUSTER_STORIES)

# Writes docs/openapi.json and docs/socket.schema.json, the types of the web client, which are made from it, and the catalog of its tests again. Tests and
# `npm run check` compare the committed files.
types: node
	$(CARGO) build --workspace --locked --bin qiguan
	QIGUAN_TYPES=write $(CARGO) test --quiet --workspace --locked --test stories web_types
	cd web && npm run types

# Whole programs in one thread, in so many worlds from a seed on (docs/simulation.md).
SEEDS ?= 10000
FROM ?= 0
simulate:
	QIGUAN_SEEDS=$(SEEDS) QIGUAN_SEED=$(FROM) $(CARGO) test --locked -p qiguan-server --test simulation

# For each planted fault the first world that finds it, from a seed on: some minutes.
simulate-planted:
	QIGUAN_SEEDS=$(SEEDS) QIGUAN_SEED=$(FROM) $(CARGO) test --locked -p qiguan-server --test simulation -- planted

# Confirms every puzzle of the program with ten times the positions that it was found with: some minutes.
puzzles: node
	$(CARGO) run --release --locked -- puzzles --check

# The crash tests at full length: 200 kills at random moments, 50 with the records in Postgres, and 20 times Postgres itself. The leak tests too: 10,000 pairs of twin games, and 100,000 moves timed.
soak: needs postgres
	$(CARGO) build --locked -p qiguan
	QIGUAN_TWINS=10000 QIGUAN_TIMED_MOVES=100000 $(CARGO) test --locked -p qiguan-server --lib -- --test-threads=1 leak_tests::
	QIGUAN_CRASHES=200 QIGUAN_PG_CRASHES=50 QIGUAN_PG_STOPS=20 $(CARGO) test --locked -p qiguan-tests --test stories -- crash --nocapture

# Three programs with NATS between them on one Postgres that are killed, frozen and ended under play, NATS and Postgres with them: FAULTS in all,
# some two seconds each; then PAIRINGS while the program with the lobby is killed every few seconds; then RESTARTS of one program after the other under
# 1,000 moves/s. A run that was interrupted goes on; its results are in target/soak-cluster/results.txt.
FAULTS ?= 3000
PAIRINGS ?= 100000
RESTARTS ?= 30
soak-cluster: needs node postgres nats
	$(CARGO) build --workspace --locked --bin qiguan
	CARGO="$(CARGO)" TMPDIR=$$(sh scripts/memory.sh) sh scripts/soak_cluster.sh $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/soak-cluster $(FAULTS) $(PAIRINGS) $(RESTARTS)

# Looks for inputs that break a property, for so many seconds each, and goes on where the last run stopped; then for requests over HTTP
# whose answers are not what the OpenAPI document says.
FUZZ_SECONDS ?= 60
fuzz: needs
	sh scripts/needs.sh c++ python3 curl
	sh scripts/fuzz.sh $(FUZZ_SECONDS)
	$(CARGO) build --locked -p qiguan
	sh scripts/schemathesis.sh $(FUZZ_SECONDS)

# Speed, as ratios to baselines in the same run.
bench: needs postgres nats
	sh scripts/needs.sh taskset fairy-stockfish
	$(CARGO) build --release --locked -p qiguan -p qiguan-bench
	$(CARGO) run --release --locked -p qiguan-bench -- run

# What a move costs beside the server of another commit, at the same time on the same core.
BEFORE ?= cluster-0
BEFORE_DIR = $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/before
before: needs
	sh scripts/needs.sh taskset fairy-stockfish
	$(CARGO) build --release --locked -p qiguan -p qiguan-bench
	rm -rf $(BEFORE_DIR)/source && mkdir -p $(BEFORE_DIR)/source
	git archive $(BEFORE) | tar -x -C $(BEFORE_DIR)/source
	cd $(BEFORE_DIR)/source && QIGUAN_WEB=none $(CARGO) build --release --locked -p qiguan --target-dir $(BEFORE_DIR)
	$(CARGO) run --release --locked -p qiguan-bench -- run --before $(BEFORE_DIR)/release/qiguan

# Moves beside one address that does its worst: with the server on one core, then on two.
attacks: needs
	sh scripts/needs.sh taskset
	$(CARGO) build --release --locked -p qiguan -p qiguan-bench
	$(CARGO) run --release --locked -p qiguan-bench -- attacks --cores 1
	$(CARGO) run --release --locked -p qiguan-bench -- attacks --cores 2
	$(CARGO) run --release --locked -p qiguan-bench -- computers --cores 1

# The computer players' strength: the matches of docs/strength.md, or those that MATCHES names. They take hours; PAIRS=20 makes them short. A match
# that was interrupted goes on.
MATCHES ?=
duel: needs
	$(CARGO) build --release --locked -p qiguan
	sh scripts/duel.sh $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/release/qiguan $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/duel $(MATCHES)

# Programs of other protocols as bots (docs/bots.md): Debian's fairy-stockfish and sjaakii, a UCCI program and `qiguan engine` play GAMES games each
# on a server. A run that was interrupted goes on; its results are in target/bots/results.txt. At most three games of each begin in a minute, as a server
# allows no more challenges.
bots: GAMES = 100
bots: needs
	sh scripts/needs.sh fairy-stockfish sjaakii python3 curl
	$(CARGO) build --release --locked -p qiguan
	bash scripts/bots.sh $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/release/qiguan $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/bots $(GAMES)

# Values of the evaluations (docs/tuning.md): plays GAMES games of each rule set against itself, goes on where it was interrupted, and fits the
# values to them. They are written into engine/src; commit them if a match shows that they win.
GAMES ?= 5000
tune: needs
	$(CARGO) build --release --locked -p qiguan-tuning
	sh scripts/tune.sh $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/release/qiguan-tuning $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/tuning $(GAMES)

needs:
	@sh scripts/needs.sh cargo cc

# What builds the web client.
node:
	@sh scripts/needs.sh node npm

# What stands before a public server.
proxies:
	@sh scripts/needs.sh nginx caddy haproxy openssl

# What docs/bots.md is tried with, and clients made from the documents.
python:
	@sh scripts/needs.sh python3 curl
	@sh scripts/python.sh > /dev/null

# What stands between programs on one record.
nats:
	@sh scripts/needs.sh nats-server

# What checks the unit of systemd.
systemd:
	@sh scripts/needs.sh systemd-analyze

# What checks the alert rules.
prometheus:
	@sh scripts/needs.sh promtool

postgres:
	@sh scripts/needs.sh initdb prlimit taskset strace
