// Package judge has programs answer a study's questions: eight at a time, each with a time limit, tried again when they fail, and never
// guessed for.
//
//	result, err := judge.Run(ctx, judge.Config{Studies: room, Study: "prompts", Judges: []judge.Judge{{Name: "small", Call: call}}, Parallel: 8, Budget: 200})
//
// Every judge is a rater, so that the study learns how noisy each is. Package live decides which pair is asked, which option is shown first and
// which questions are hidden repeats. The log has everything that matters: the same call of Run continues a run that was stopped or killed.
//
// # Contents
//
//	judge      a judge, its question and its reply               command  a judge that is a program, started for each question or once
//	run        the loop: asks, calls, answers, the end           attempt  one question: tries, waits, and what comes of it
//	tally      what the log says of each judge                   doubt    the pairs that people are to decide
package judge
