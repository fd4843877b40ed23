package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/prefer-bo/prefer/gp"
)

// Build is what this program was made from and what it runs on: enough to get the same bits again.
type Build struct {
	Version    string `json:"version"`
	Commit     string `json:"commit,omitempty"`
	Time       string `json:"time,omitempty"`
	Modified   bool   `json:"modified,omitempty"` // the sources differ from the commit
	Go         string `json:"go"`
	Platform   string `json:"platform"`
	Kernels    string `json:"kernels"` // vector instructions of the numeric code
	Processors int    `json:"processors"`
}

// Release is what a release was built as and from; main sets it. Go's own stamp is not the same in every checkout.
var Release struct{ Version, Commit, Time string }

func ThisBuild() Build {
	b := Build{
		Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Kernels: gp.Kernels(), Processors: runtime.NumCPU(),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = info.Main.Version
	if Release.Version != "" {
		b.Version, b.Commit, b.Time = Release.Version, Release.Commit, Release.Time
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

// Name says which sources these are, for a methods text.
func (b Build) Name() string {
	text := "prefer " + b.Version
	if b.Commit != "" {
		text += ", commit " + b.Commit
		if b.Modified {
			text += " with changes"
		}
	} else if strings.HasPrefix(b.Version, "(") { // as "go run" leaves it
		text += ", commit unknown"
	}
	return text
}

// String is one line, for reports.
func (b Build) String() string {
	return fmt.Sprintf("%s, %s, %s, %s kernels, %d processors", b.Name(), b.Go, b.Platform, b.Kernels, b.Processors)
}
