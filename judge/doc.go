// Package judge has programs answer a study's questions: eight at a time, each with a time limit, tried again when they fail, and never
// guessed for.
//
//	result, err := judge.Run(ctx, judge.Config{Studies: room, Study: "prompts", Judges: []judge.Judge{{Name: "small", Call: call}}, Parallel: 8, Budget: 200})
//
// Every judge is a rater of her own, so that the study learns how noisy each is. Which pair is asked, which option is shown first and which
// questions are hidden repeats is package live's to decide, and everything that matters is in the log: a run that is stopped, or killed, goes
// on with the same call of Run, and what was open is asked again. docs/judges.md tells users about it.
//
// # Contents
//
//	judge      a judge, what she is asked and what she says      reply    what she may say, to the letter
//	run        the loop: asks, calls, answers, the end           attempt  one question: tries, waits, and what comes of it
//	tally      what the log says of each judge                   doubt    the pairs that people are to decide
//	command    a judge that is a program, started for each       lines    or started once, and told a line each
//	process    a program and all that it has started (process_unix.go, process_other.go)
package judge
