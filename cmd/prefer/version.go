package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/prefer-bo/prefer/gp"
)

type versionCommand struct {
}

// build is what this program was made from and what it runs on: enough to get the same bits again.
type build struct {
	Version    string `json:"version"`
	Commit     string `json:"commit,omitempty"`
	Time       string `json:"time,omitempty"`
	Modified   bool   `json:"modified,omitempty"` // the sources differ from the commit
	Go         string `json:"go"`
	Platform   string `json:"platform"`
	Kernels    string `json:"kernels"` // vector instructions of the numeric code
	Processors int    `json:"processors"`
}

// What a release was built as and from; scripts/release sets them. Go's own stamp is not the same in every checkout.
var release, commit, committed string

func thisBuild() build {
	b := build{
		Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Kernels: gp.Kernels(), Processors: runtime.NumCPU(),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = info.Main.Version
	if release != "" {
		b.Version, b.Commit, b.Time = release, commit, committed
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String is one line, for reports.
func (b build) String() string {
	text := "prefer " + b.Version
	if b.Commit != "" {
		text += ", commit " + b.Commit
		if b.Modified {
			text += " with changes"
		}
	}
	return fmt.Sprintf("%s, %s, %s, %s kernels, %d processors", text, b.Go, b.Platform, b.Kernels, b.Processors)
}

func (c versionCommand) Run(s streams) error {
	return s.line(thisBuild(), thisBuild())
}
