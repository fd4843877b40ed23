// Package service holds the commands that serve studies, hand them out and keep them: servers, packed files, tokens, workers, backups and
// the doctor. Each command is a struct of its flags with a method Run.
//
// # Contents
//
//	serve · servesource    a server; what it serves, to whom and what it logs, sizes like 256MB
//	reachable              where others reach this machine
//	pack                   a study in one HTML file
//	links                  links and upload tokens: made, listed, renewed, withdrawn
//	worker                 work for a queue; a study for agents, by package mcp
//	backup                 whole stores: copied, restored, brought up to date
//	doctor · disk          what is wrong with the machine, a store or a queue, and what to do
package service
