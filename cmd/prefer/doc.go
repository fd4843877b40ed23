// Command prefer finds what a person likes best by asking "A or B?". The commands are in internal/studies, internal/service and
// internal/experiments. What they share is internal/cli, and internal/play is the terminal in which a study is answered.
package main
