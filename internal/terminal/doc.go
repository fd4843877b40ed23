// Package terminal is a terminal to draw on and to read keys from, and what such a terminal can show.
//
//	screen.go  the terminal taken over and given back: raw keys, the second screen, drawing (screen_unix.go, screen_other.go)
//	keys.go    bytes into keys
//	style.go   colours and characters there are, and text in columns
//	colour.go  colours of a screen from lightness, chroma and hue
package terminal
