// Package job is long work that a page must not wait for: a simulation of people who are not there, a report.
//
//	runner := job.NewLocal(job.Studies{}.Kinds(), 2)
//	simulation, err := job.NewSimulation(simulate.Config{Study: cfg})
//	err = runner.Submit(ctx, simulation)
//	progress, err := runner.Progress(ctx, simulation.Key()) // until it is Over
//	results, err := runner.Results(ctx, simulation.Key())
//	table, err := job.Simulated(simulation, results)
//
// A job comes in parts. Each is a function of the job's body and its own number alone, so parts can be done anywhere, in any order, and again after a machine
// was lost. A Runner takes jobs and has them done: Local in this process, package queue by workers on other machines. Both are held to the same tests.
//
// # Contents
//
//	job         a job, its key and progress, and what a Runner promises
//	local       a Runner in this process
//	kinds       the kinds of jobs there are
//	simulation  simulated people, one a part
//	report      a report about a study, kept beside it
package job
