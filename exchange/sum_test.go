package exchange

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/prefer-bo/prefer/space"
)

// TestAddSums: the sum is that of the content, wherever in a file a byte has changed, or that of its ends if it is long.
func TestAddSums(t *testing.T) {
	dir := t.TempDir()
	long := bytes.Repeat([]byte("film"), (2*wholeSum+4)/4)
	late, middle := bytes.Clone(long), bytes.Clone(long)
	late[len(late)-1], middle[len(middle)/2] = 'x', 'x'
	for name, data := range map[string][]byte{"a": []byte("abc"), "b": []byte("abc"), "c": []byte("abd"), "long": long, "longer": append(long, 'f'), "late": late, "middle": middle} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	sums := map[string]string{}
	var items []space.Item
	for _, name := range []string{"a", "b", "c", "long", "longer", "late", "middle", "nowhere", ""} {
		items = append(items, space.Item{ID: "i" + name, Media: name})
	}
	addSums(root, items)
	for _, it := range items {
		sums[it.Media] = it.Sum
	}
	if sums["a"] != "ba7816bf8f01cfea" { // FIPS 180-2, B.1
		t.Errorf("the sum of abc is %s", sums["a"])
	}
	if sums["a"] != sums["b"] || sums["a"] == sums["c"] || sums["nowhere"] != "" || sums[""] != "" {
		t.Errorf("sums are %v", sums)
	}
	if sums["long"] == "" || sums["long"] == sums["longer"] || sums["long"] == sums["late"] || sums["long"] != sums["middle"] {
		t.Errorf("sums of long files are %v", sums)
	}
}
