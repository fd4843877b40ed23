// Package play puts a study's questions in a terminal and takes answers with single keys or, where there is none, line by line.
//
//	session.go     Console.Run; one rater before one study: ask, tell, undo, sides; where the study stands, in a few words
//	player.go      the loop of keys, questions and pages on a screen, and what it shows
//	actions.go     what keys, words and a simulated rater ask for, and what keys do in that loop
//	lineplayer.go  the same conversation in lines of words
//	gallery.go     options as cards, lines and colours; what mattered
package play
