// Package chaos is a test: many simulated raters answer questions of several servers on one PostgreSQL, meanwhile servers are killed and frozen, and the
// database is restarted, frozen and replaced, and then what the raters saw is held against what is stored. There is nothing to import.
//
//	go test ./internal/chaos -run '^TestChaos$' -v -timeout 0 -for 5m -failover               500 raters on 50 studies
//	go test ./internal/chaos -run '^TestChaos$' -v -for 40s -raters 60 -studies 8             a short run
//	go test ./internal/chaos -run '^TestChaos$' -v -for 1m -kill=false -freeze=false -db=false  throughput in peace
//
//	go test ./internal/chaos -run '^TestKills$' -v -timeout 0 -kills 1000                      one server, killed again and again, on each engine
//
// It fails if a study, an answer or an undo that was acknowledged is missing, doubled, another one or out of order, if there is one nobody gave, if a log
// does not replay, a rater had two questions open at once, or a listener has not heard of the last change; and if nobody answered or nothing was done to the
// servers. What raters saw is held against the tables, which are read past prefer. docs/dev/scale.md tells what came out.
//
// # Contents
//
//	chaos_test.go                     what a run does, from its flags to its end
//	kill_test.go, killer_test.go      one server that is killed again and again, and when
//	rater_test.go, client_test.go     people who ask and answer, and requests that are repeated until acknowledged
//	listener_test.go                  somebody who waits for changes
//	ledger_test.go                    what raters gave, what servers acknowledged, and how long it took
//	fleet_test.go, database_test.go   the servers, and PostgreSQL with its standby
//	trouble_test.go, freeze_*_test.go what is done to them, and when
//	stored_test.go, audit_test.go     the tables, read past prefer, and held against what raters saw
//	verify_test.go, planted_test.go   the same of a whole run; faults planted to be found
//	report_test.go                    what is printed
package chaos
