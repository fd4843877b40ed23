// Package studies holds the commands about one study: make it, ask and answer, look at results, bring data in and out. Each command is
// a struct of its flags with a method Run.
//
// # Contents
//
//	flags                  raters, conditions and options on a command line
//	cards                  options and texts written for people
//	play                   a study answered in the terminal, or a demonstration, by package play and internal/demo
//	init · studies         a study made; list, forget, delete, and exclude a person from what the group learns
//	ask · tell             questions and answers, by package live; undo, blind duels, whether the rater would take the pick
//	judge                  questions answered by programs (judgelock_unix.go, judgelock_other.go)
//	best · history         what is best, the verdict; the answers, and the raters who gave them
//	report                 a page about a study
//	export · import        data
//	importlogs             the logs of many people, as one study
package studies
