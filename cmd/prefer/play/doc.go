// Package play puts a study's questions in a terminal and takes answers with single keys or, where there is none, line by
// line.
//
//	play.go        Console.Run: a session from its first question to the pick
//	session.go     one rater before one study: ask, tell, undo, sides
//	player.go      the loop of keys, questions and pages on a screen; playerkeys.go what keys do in it
//	pages.go       what that screen shows
//	lineplayer.go  the same conversation in lines of words
//	actions.go     what keys and words ask for
//	autoplay.go    a simulated rater in the place of a person
//	status.go      where the study stands, in a few words
//	gallery.go     options as cards and lines; chart.go what mattered; swatch.go colours
package play
