// Package shell runs lines that people type as commands, and ends them with all they have started.
package shell
