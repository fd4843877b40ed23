// Package sqlstore keeps studies in a database, SQLite or PostgreSQL, and loses nothing.
//
//	st, err := sqlstore.Open(ctx, "coffee.db", sqlstore.Options{}) // or postgres://…
//	study, err := st.Create(ctx, "espresso", prefer.Config{Space: coffee})
//
// The study's journal is the store: an answer that Tell accepted is on disk, and one that could not be kept never happened. A process that is killed, a
// connection that is cut and a disk that is full leave a study that opens and goes on. Several processes may work on one study; the one that is behind gets
// prefer.ErrConflict, and [Store.Update] is the loop around it.
//
// One row per event, appended only if the study still ends where the writer thinks it does, in one transaction. Nothing else is stored but snapshots, which
// make opening quicker and never matter. docs/dev/store.md says what is promised, how each promise is tested, and what it costs.
//
// # Contents
//
//	store · study      a database, and the studies in it: create, open, import, update; what can go wrong
//	info               lists, names, and what a program keeps beside a log
//	journal · body     where a study appends its events and reads what others have; an event as a row; checksums
//	snapshot           caches: a fitted study, a question chosen in advance
//	lease              one process at a time chooses a question; word of what other processes have appended
//	forget             a rater's data are removed, no byte of them stays, and the name stays out
//	health             all that is damaged; whether a store can be read and written
//	sqlite · postgres  what the two databases do not have in common
//	file               that the file is still the one that was opened
//	transaction        attempts, patience, and how long the database takes
//	migrate            tables that grow with the program, and what that would do
//	backup · restore   a store copied into a file, and back
package sqlstore
