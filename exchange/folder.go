package exchange

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
)

// sidecar is the table of features that may lie in a folder of items.
const sidecar = "features.csv"

// maxText bounds a text file that becomes an item: its text is kept in the log.
const maxText = 64 << 10

// The endings of files that are items; others are not.
var (
	mediaEndings = []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif",
		".mp3", ".wav", ".ogg", ".oga", ".opus", ".flac", ".m4a", ".aac", ".mp4", ".m4v", ".webm", ".ogv", ".mov"}
	textEndings = []string{".txt", ".md"}
)

// readFolder makes an item of every image, sound, film and text in a folder and its folders, in the order of
// their names, with the sums of their contents. Hidden files are passed over. The folder is opened as a root: a link that leads out of it is an
// error, and links to folders are not followed.
func readFolder(dir string) ([]prefer.Item, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("exchange: %w", err)
	}
	defer root.Close()
	files := root.FS()
	var items []prefer.Item
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != "." && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		ending := strings.ToLower(path.Ext(name))
		isText := slices.Contains(textEndings, ending)
		if d.IsDir() || !isText && !slices.Contains(mediaEndings, ending) {
			return nil
		}
		info, err := root.Stat(name)
		if err != nil {
			return fmt.Errorf("%q cannot be read from within the folder: %w", name, err)
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%q is no regular file", name)
		}
		item := prefer.Item{ID: name, Media: name}
		if isText {
			item.Media = ""
			if item.Text, err = readText(root, name); err != nil {
				return err
			}
		}
		items = append(items, item)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("exchange: folder %q: %w", dir, err)
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("exchange: folder %q has no items, want files ending in %s", dir,
			strings.Join(append(slices.Clone(mediaEndings), textEndings...), " "))
	}
	slices.SortFunc(items, func(a, b prefer.Item) int { return strings.Compare(a.ID, b.ID) })
	AddSums(root, items)
	if err := addFeatures(root, items); err != nil {
		return nil, fmt.Errorf("exchange: folder %q: %s: %w", dir, sidecar, err)
	}
	return items, nil
}

func readText(root *os.Root, name string) (string, error) {
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxText+1))
	switch {
	case err != nil:
		return "", err
	case len(data) > maxText:
		return "", fmt.Errorf("%q is longer than %d KB", name, maxText>>10)
	case !utf8.Valid(data):
		return "", fmt.Errorf("%q is not UTF-8", name)
	}
	return strings.TrimPrefix(string(data), "\ufeff"), nil
}

// addFeatures reads the sidecar, if there is one. It names every item, and nothing else.
func addFeatures(root *os.Root, items []prefer.Item) error {
	f, err := root.Open(sidecar)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	listed, err := ReadItemsCSV(f)
	if err != nil {
		return err
	}
	features := make(map[string]map[string]prefer.Value, len(listed))
	for _, item := range listed {
		features[item.ID] = item.Features
	}
	for i, item := range items {
		of, ok := features[item.ID]
		if !ok {
			return fmt.Errorf("there is no row for item %q; every item has every feature", item.ID)
		}
		items[i].Features = of
		delete(features, item.ID)
	}
	for _, item := range listed {
		if _, left := features[item.ID]; left {
			return fmt.Errorf("id %q is no file of the folder", item.ID)
		}
	}
	return nil
}
