package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
	"golang.org/x/sync/errgroup"
)

// FeatureTable is the table of features that may lie in a folder of items.
const FeatureTable = "features.csv"

// Folder is what there is in a folder of items.
type Folder struct {
	// Items are the images, sounds, films and texts of the folder and its folders, in the order of their names, each called by its
	// path within it, with the sum of its content.
	Items []space.Item

	// Unreadable are files that would be items, if anybody could look at or listen to them.
	Unreadable []Unreadable

	// Ignored are files that are nothing of that, by their endings.
	Ignored []string

	// Copies are files with the bytes and features of an item, which are no items themselves.
	Copies []Copy
}

// Copy is a file with the content of an item.
type Copy struct {
	Name string `json:"name"`
	Of   string `json:"of"` // the id of the item
}

// String says what there is, by the names of the first: "62 pictures (a.png, …), 2 cannot be read (b.png: it is empty, …), 3 files ignored (…)".
func (f Folder) String() string {
	const shown = 5
	kinds := map[string]int{}
	for _, it := range f.Items {
		if it.Media == "" {
			kinds["text"]++
		} else {
			kinds[media.Type(it.Media)]++
		}
	}
	thing, parts := media.Thing(kinds), []string{}
	say := func(what string, names []string) {
		if len(names) > 0 {
			parts = append(parts, what+" ("+FirstOf(names, shown)+")")
		}
	}
	say(sentence.Count(len(f.Items), thing), xslices.Map(f.Items, func(it space.Item) string { return it.ID }))
	if len(f.Copies) > 0 {
		say(SayCopies(f.Copies, thing), xslices.Map(f.Copies, func(c Copy) string { return c.Name + " = " + c.Of }))
	}
	say(fmt.Sprint(len(f.Unreadable), " cannot be read"), xslices.Map(f.Unreadable, func(u Unreadable) string { return u.Name + ": " + u.Why }))
	say(sentence.Count(len(f.Ignored), "file")+" ignored", f.Ignored)
	return strings.Join(parts, ", ")
}

// SayCopies says how many files are copies: "2 files are the same picture".
func SayCopies(copies []Copy, thing string) string {
	if slices.ContainsFunc(copies, func(c Copy) bool { return c.Of != copies[0].Of }) {
		return fmt.Sprintf("%d files are copies of others", len(copies))
	}
	return fmt.Sprintf("%d files are the same %s", len(copies)+1, thing)
}

// Unreadable is a file that nobody could be asked about, and why not.
type Unreadable struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// ReadFolder reads a folder of files, and features.csv in it if there is one. Hidden files are passed over. The folder is opened
// as a root: a link that leads out of it cannot be read, and links to folders are not followed. A folder in which there is no item is an error.
func ReadFolder(dir string) (Folder, error) {
	return Folder{}.Again(dir, func(string) bool { return false })
}

// Again reads the folder once more. Files that the caller reports as unchanged are not opened.
func (f Folder) Again(dir string, same func(name string) bool) (Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Folder{}, fmt.Errorf("exchange: %w", err)
	}
	defer root.Close()
	items := xslices.ToMap(f.Items, func(it space.Item) (string, space.Item) { return it.ID, it })
	bad := xslices.ToMap(f.Unreadable, func(u Unreadable) (string, Unreadable) { return u.Name, u })
	var out Folder
	var fresh []space.Item
	err = WalkFolder(root, func(name string) error {
		it, read := items[name]
		u, unread := bad[name]
		switch {
		case !media.Browsers(name):
			out.Ignored = append(out.Ignored, name)
		case read && same(name):
			out.Items = append(out.Items, it)
		case unread && same(name):
			out.Unreadable = append(out.Unreadable, u)
		default:
			if it, err := readFile(root, name); err != nil {
				out.Unreadable = append(out.Unreadable, Unreadable{name, err.Error()})
			} else {
				fresh = append(fresh, it)
			}
		}
		return nil
	})
	if err != nil {
		return out, fmt.Errorf("exchange: folder %q: %w", dir, err)
	}
	addSums(root, fresh)
	if out.Items = append(out.Items, fresh...); len(out.Items) == 0 {
		why := ""
		if len(out.Unreadable) > 0 {
			why = fmt.Sprintf(" that can be read (%s: %s)", out.Unreadable[0].Name, out.Unreadable[0].Why)
		}
		return out, fmt.Errorf("exchange: folder %q has no items%s, want files ending in %s", dir, why, media.Endings)
	}
	slices.SortFunc(out.Items, func(a, b space.Item) int { return strings.Compare(a.ID, b.ID) })
	if err := out.readFeatures(root); err != nil {
		return out, fmt.Errorf("exchange: folder %q: %s: %w", dir, FeatureTable, err)
	}
	alike := map[string]int{}
	for _, it := range out.Items {
		alike[it.Sum]++
	}
	out.Items, out.Copies = WithoutCopies(out.Items, func(it space.Item) string {
		if it.Media == "" || alike[it.Sum] < 2 {
			return it.Sum + it.Text
		}
		return hashOf(root, it.Media)
	})
	return out, nil
}

// WithoutCopies returns the items without those that have the content and features of an earlier one. An item whose content is "" is a copy of nothing.
func WithoutCopies(items []space.Item, content func(space.Item) string) (kept []space.Item, copies []Copy) {
	first := map[string][]space.Item{}
	for _, it := range items {
		is := content(it)
		at := slices.IndexFunc(first[is], func(other space.Item) bool { return maps.Equal(other.Features, it.Features) })
		if is != "" && at >= 0 {
			copies = append(copies, Copy{it.ID, first[is][at].ID})
			continue
		}
		kept, first[is] = append(kept, it), append(first[is], it)
	}
	return kept, copies
}

// hashOf is the SHA-256 of all of a file; empty if it cannot be read.
func hashOf(root *os.Root, name string) string {
	f, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return string(h.Sum(nil))
}

// ItemsBeside returns the items for a study that lists some already: a copy that it lists as it is stays, and what it is a copy of does not join beside it.
func (f Folder) ItemsBeside(listed []space.Item) []space.Item {
	items := slices.Clone(f.Items)
	for _, c := range f.Copies {
		of := f.Items[slices.IndexFunc(f.Items, func(it space.Item) bool { return it.ID == c.Of })]
		as := func(name string, it space.Item) bool { return it.ID == name || strings.HasPrefix(it.ID, name+" (") } // "a.txt (2)" is a.txt after a change
		at := slices.IndexFunc(listed, func(it space.Item) bool { return as(c.Name, it) && it.Sum == of.Sum && it.Text == of.Text })
		if at < 0 {
			continue
		}
		if !slices.ContainsFunc(listed, func(it space.Item) bool { return as(c.Of, it) }) {
			items = slices.DeleteFunc(items, func(it space.Item) bool { return it.ID == c.Of })
		}
		items = append(items, listed[at])
	}
	return items
}

// WalkFolder calls do with every file of a folder that is not hidden, but the table of features.
func WalkFolder(root *os.Root, do func(name string) error) error {
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case strings.HasPrefix(d.Name(), ".") || d.IsDir() || name == FeatureTable:
			return nil
		}
		if d.Type()&fs.ModeSymlink != 0 {
			if info, err := root.Stat(name); err == nil && info.IsDir() {
				return nil
			}
		}
		return do(name)
	})
}

func readFile(root *os.Root, name string) (space.Item, error) {
	item := space.Item{ID: name, Media: name}
	info, err := root.Stat(name)
	switch {
	case err != nil && strings.Contains(err.Error(), "escapes"):
		return item, errors.New("it leads out of the folder")
	case err != nil:
		return item, errors.New("it cannot be opened")
	case !info.Mode().IsRegular():
		return item, errors.New("it is not a regular file")
	}
	f, err := root.Open(name)
	if err != nil {
		return item, errors.New("it cannot be opened")
	}
	defer f.Close()
	if err := media.Check(name, f); err != nil || media.Type(name) != "text" {
		return item, err
	}
	if _, err = f.Seek(0, io.SeekStart); err == nil {
		item.Media = ""
		item.Text, err = media.ReadText(f)
	}
	return item, err
}

func (f *Folder) readFeatures(root *os.Root) error {
	table, err := root.Open(FeatureTable)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer table.Close()
	listed, err := ReadItemsCSV(table)
	if err != nil {
		return err
	}
	return f.AddFeatures(listed)
}

// AddFeatures gives the items the features of a table, which names every item, and nothing else but files that cannot be read.
func (f *Folder) AddFeatures(listed []space.Item) error {
	features := xslices.ToMap(listed, func(item space.Item) (string, map[string]space.Value) { return item.ID, item.Features })
	for i, item := range f.Items {
		of, ok := features[item.ID]
		if !ok {
			return fmt.Errorf("there is no row for item %q; every item has every feature", item.ID)
		}
		f.Items[i].Features = of
		delete(features, item.ID)
	}
	for _, bad := range f.Unreadable {
		delete(features, bad.Name)
	}
	for _, item := range listed {
		if _, left := features[item.ID]; left {
			return fmt.Errorf("id %q is not a file of the folder", item.ID)
		}
	}
	return nil
}

// wholeSum is the size up to which all of a file is read for its sum. Of a longer one, a film mostly, this much at both ends is, and its length.
const wholeSum = 4 << 20

// addSums names the content of the files that items have (Item.Sum), so that one that is changed later is told from one that is not. A file that
// cannot be read has no sum.
func addSums(root *os.Root, items []space.Item) {
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i := range items {
		it := &items[i]
		if it.Media == "" {
			continue
		}
		all.Go(func() error {
			if f, err := root.Open(it.Media); err == nil {
				it.Sum = Sum(f)
				f.Close()
			}
			return nil
		})
	}
	_ = all.Wait() // there is no error
}

// Sum names the content of a file: 64 bits of SHA-256 in hexadecimal, of which two of a million different files have the same with a chance of 3e-8.
// It is empty if the file cannot be read.
func Sum(f *os.File) string {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	h, size := sha256.New(), info.Size()
	if size <= 2*wholeSum {
		_, err = io.Copy(h, io.NewSectionReader(f, 0, size))
	} else {
		fmt.Fprintln(h, size)
		_, err = io.Copy(h, io.NewSectionReader(f, 0, wholeSum))
		if err == nil {
			_, err = io.Copy(h, io.NewSectionReader(f, size-wholeSum, wholeSum))
		}
	}
	if err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
