// Package chaos is a test: many simulated raters answer questions of several servers on one PostgreSQL, meanwhile servers
// are killed and frozen, and the database is restarted, frozen and replaced, and then what the raters saw is held against
// what is stored. There is nothing to import.
//
//	go test ./internal/chaos -run '^TestChaos$' -v -timeout 0 -for 5m -failover               500 raters on 50 studies
//	go test ./internal/chaos -run '^TestChaos$' -v -for 40s -raters 60 -studies 8             a short run
//	go test ./internal/chaos -run '^TestChaos$' -v -for 1m -kill=false -freeze=false -db=false  throughput in peace
//
// It fails if an acknowledged answer is missing or doubled, a log does not replay, a rater had two questions open at once,
// or a listener has not heard of the last change. docs/scale.md tells what came out.
//
// # Contents
//
//	chaos_test.go                     what a run does, from its flags to its end
//	rater_test.go, client_test.go     people who ask and answer, and requests that are repeated until acknowledged
//	listener_test.go                  somebody who waits for changes
//	ledger_test.go                    what servers acknowledged, and how long it took
//	fleet_test.go, database_test.go   the servers, and PostgreSQL with its standby
//	trouble_test.go, freeze_*_test.go what is done to them, and when
//	verify_test.go, report_test.go    what the store says, held against what raters saw; what is printed
package chaos
