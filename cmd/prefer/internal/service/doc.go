// Package service holds the commands that serve studies, hand them out and keep them: servers, packed files, tokens, workers, backups and
// the doctor. Each command is a struct of its flags with a method Run.
//
// # Contents
//
//	serve · servesource    a server, and what it serves
//	serveprivate           a server for one program, until that ends
//	servelog               what a server logs, and its owner's token
//	reachable              where others reach this machine
//	size                   numbers of bytes, written as 256MB
//	pack                   a study in one HTML file
//	mcp                    a study for agents, by package mcp
//	links · uploads        tokens: made, listed, renewed, withdrawn
//	worker                 work for a queue
//	backup · migrate       whole stores: copied, restored, brought up to date
//	doctor · disk          what is wrong, and what to do
//	doctormachine          with the machine
//	doctorstore            with a store or a queue
package service
