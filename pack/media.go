package pack

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"

	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/space"
)

// carried is a file within the file.
type carried struct {
	name string
	data []byte
}

// media reads what items are shown by: texts for the core, which makes them harmless, and the rest for the page. What lies elsewhere, or is too much, is
// refused: a file that needs a network, or that no mail takes, is not what was wanted.
func (f File) media(items []space.Item) (files []carried, texts map[string]string, err error) {
	if kind := f.Settings.Page.Template.Kind; kind == "image" || kind == "page" {
		return nil, nil, fmt.Errorf("pack: the template loads from %s, and a packed file has no network: use a template in SVG or HTML", f.Settings.Page.Template.Origin())
	}
	limit, total := cmp.Or(f.Limit, MaxMedia), int64(0)
	seen := map[string]bool{}
	texts = map[string]string{}
	var largest carried
	for _, it := range items {
		if it.Media == "" || seen[it.Media] {
			continue
		}
		seen[it.Media] = true
		if u, err := url.Parse(it.Media); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
			return nil, nil, fmt.Errorf("pack: item %q lies at %s, and a packed file has no network: save it, and name the file", it.ID, it.Media)
		}
		if f.Read == nil {
			return nil, nil, fmt.Errorf("pack: item %q has the file %q, and nothing says where files are", it.ID, it.Media)
		}
		data, err := f.Read(it.Media)
		if err != nil {
			return nil, nil, fmt.Errorf("pack: item %q: %w", it.ID, err)
		}
		total += int64(len(data))
		if media.Type(it.Media) == "text" {
			if len(data) > media.MaxText {
				return nil, nil, fmt.Errorf("pack: the text %q has %d bytes, want at most %d", it.Media, len(data), media.MaxText)
			}
			texts[it.Media] = string(data)
			continue
		}
		files = append(files, carried{it.Media, data})
		if len(data) > len(largest.data) {
			largest = files[len(files)-1]
		}
	}
	if total > limit {
		return nil, nil, fmt.Errorf("pack: %d files have %.1f MB together, the largest %q %.1f MB, want at most %.1f MB: make them smaller, or allow more", len(seen), mb(total), largest.name, mb(int64(len(largest.data))), mb(limit))
	}
	slices.SortFunc(files, func(a, b carried) int { return cmp.Compare(a.name, b.name) })
	return files, texts, nil
}

func mb(bytes int64) float64 { return float64(bytes) / (1 << 20) }
