package main

import "github.com/prefer-bo/prefer/cmd/prefer/internal/cli"

type versionCommand struct{}

func (versionCommand) Run(s cli.Streams) error { return s.Line(cli.ThisBuild(), cli.ThisBuild()) }
