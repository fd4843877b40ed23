package cli

import (
	"testing"
)

// TestBuildName: a methods text names the commit, or says that nobody knows it.
func TestBuildName(t *testing.T) {
	for want, b := range map[string]Build{
		"prefer v1.2.3":                                   {Version: "v1.2.3"},
		"prefer v1.2.3, commit abc":                       {Version: "v1.2.3", Commit: "abc"},
		"prefer (devel), commit abc with changes":         {Version: "(devel)", Commit: "abc", Modified: true},
		"prefer (devel), commit unknown":                  {Version: "(devel)"},
		"prefer v0.0.0-20260101-abc+dirty, commit abc123": {Version: "v0.0.0-20260101-abc+dirty", Commit: "abc123"},
	} {
		if got := b.Name(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
