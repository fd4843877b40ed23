// Package cooperate lets other work run in the middle of a long computation where a program has a single thread: in a browser. Go never interrupts a goroutine
// there, so a search would delay messages, timers and deadlines until it ends. On other platforms Yield and YieldIfDue are no-ops. Parallel runs many tasks.
package cooperate
