package page

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language/words"
)

// named is where templates, Go and scripts name a key. One that ends in a dot is the beginning of several.
var named = regexp.MustCompile(`(?:\.T |\bT\(|\bt\()(?:\(print )?"([^"]+)"`)

// TestKeys: what templates, scripts and Go name is there in English, and English has nothing that nobody names.
func TestKeys(t *testing.T) {
	used, all, results := map[string]string{}, "", ""
	for _, pattern := range []string{"views/*.html", "static/*.js", "../pack/*.js", "*.go", "../../server/*.go", "../language/*.go", "../language/words/*.go", "../sentence/*.go", "../view/*.go", "../../say/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			all += string(text)
			if strings.Contains(name, "sentence") || strings.Contains(name, "say") {
				results += string(text) // adds variants to keys, such as ".if"
			}
			for _, m := range named.FindAllSubmatch(text, -1) {
				used[string(m[1])] = name
			}
		}
	}
	there := map[string]bool{}
	for key := range words.All() {
		there[key] = true
		said := strings.Contains(all, `"`+key+`"`)
		for i, c := range key {
			if c == '.' {
				there[key[:i+1]] = true
				said = said || used[key[:i+1]] != "" || strings.Contains(results, `"`+key[:i+1]+`"`) || strings.Contains(key[:i], ".") && strings.Contains(results, `"`+key[:i]+`"`)
			}
		}
		if !said {
			t.Errorf("nobody says %s", key)
		}
	}
	for _, kind := range kinds {
		used["error."+kind], used["error."+kind+".text"] = "message.go", "message.go"
	}
	for key, name := range used {
		if !there[key] {
			t.Errorf("%s says %q, which is not a key", name, key)
		}
	}
	if len(there) < 50 {
		t.Errorf("%d keys were looked at", len(there))
	}
}

// TestScriptKeys: a script writes keys out, for the server to find which to bring.
func TestScriptKeys(t *testing.T) {
	calls := regexp.MustCompile(`\bt\([^")]`)
	err := fs.WalkDir(files, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".js") || name == "static/language.js" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if at := calls.FindIndex(text); at != nil {
			t.Errorf("%s: %s… is not a key that can be found", name, text[at[0]:at[1]+20])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestChoicesHaveLabels: every answer that prefers neither option has a button with a text of its own.
func TestChoicesHaveLabels(t *testing.T) {
	for _, k := range prefer.Choices() {
		if key := "choice." + string(k.Choice); k.Side == 0 && words.English(key) == key {
			t.Errorf("there is no text %q", key)
		}
	}
}
