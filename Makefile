# prefer: run `make` for help.
.DEFAULT_GOAL := help
.PHONY: help check test soak chaos kills bench generate release wheels deploy house pictures screenshots site vuln

help: ## print this help
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

check: ## what to run first: format, vet, lint and the tests that need no services
	@scripts/test check

test: ## every suite, with a time table: about 20 minutes on two cores; as root on Debian it installs PostgreSQL, Chromium, nginx, Caddy, Python and gcc
	@scripts/test

soak: ## the same with a minute of fuzzing per target, a thousand kills per engine and 200,000 requests with every credential
	@SOAK=1 scripts/test

bench: ## speed of the numeric packages, ours against gonum
	go test -run '^$$' -bench . -benchtime 0.3s ./internal/linalg ./internal/normal ./gp

chaos: ## five minutes of 500 raters while servers are killed and frozen, and the database restarts, freezes and fails over
	go test ./internal/chaos -run '^TestChaos$$' -v -timeout 0 -for 5m -failover

kills: ## kill a server under load a thousand times on each engine, and hold what raters saw against the tables (half an hour)
	go test ./internal/chaos -run '^TestKills$$' -v -timeout 0 -kills 1000

generate: ## regenerate the assembly kernels
	go generate ./internal/linalg

release: ## all that is released, in dist/: programs for linux, darwin and windows, wheels, lists of parts, checksums
	@scripts/release

wheels: ## Python wheels with the program in them, one for each platform, in dist/
	@scripts/wheels

deploy: ## run the files for a service: image, unit, and nginx and Caddy in front of servers that are killed
	@scripts/proxies

vuln: ## look for known vulnerabilities; "not checked" where their database cannot be reached
	@scripts/vuln

pictures: ## pictures of README.md and the tutorials, in docs/pictures
	go test ./server -run '^TestBrowserScreens$$' -count=1 -pictures ../docs/pictures

screenshots: ## pictures of every screen, on a desktop and a phone, light and dark, in docs/screenshots
	go test ./server -run '^TestBrowserScreens$$' -count=1 -screens ../docs/screenshots

house: ## print the size of the code against limits.txt, and the files that one answer enters
	@scripts/house

site: ## the documentation as a site in dist/site, with every link checked
	@scripts/site
