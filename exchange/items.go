package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/space"
)

// ReadItems reads a list of items: a folder of files (ReadFolder says what else is in it), a table (.csv) or JSON Lines (.jsonl, .ndjson). Media is
// relative to the folder, or to where the table is.
func ReadItems(path string) ([]space.Item, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fail(err)
	}
	if info.IsDir() {
		f, err := ReadFolder(path)
		return f.Items, err
	}
	var read func(io.Reader) ([]space.Item, error)
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		read = ReadItemsCSV
	case ".jsonl", ".ndjson":
		read = ReadItemsJSONL
	default:
		return nil, fmt.Errorf("exchange: %q is not a list of items, want a folder, a .csv or a .jsonl file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fail(err)
	}
	defer f.Close()
	return read(f)
}

// ReadItemsCSV reads a table with one item per row. The columns id, media and text are what they say, and none
// of them is needed; every other column is a feature: a number if all its cells are, true or false if all are,
// else a word. Without the column id an item is called by its media, or else by the number of its row.
func ReadItemsCSV(r io.Reader) ([]space.Item, error) {
	t, err := newRows(r)
	if err == nil {
		err = t.header()
	}
	if err != nil {
		return nil, err
	}
	items := itemList{lines: map[string]int{}}
	cells := make([][]string, len(t.names))
	for t.next() {
		item := space.Item{ID: t.cell("id"), Media: t.cell("media"), Text: t.cell("text")}
		if _, named := t.at["id"]; named && item.ID == "" {
			return nil, fmt.Errorf("exchange: line %d, column \"id\" is empty", t.line)
		}
		for i, name := range t.names {
			if isFeature(name) && t.row[i] == "" {
				return nil, fmt.Errorf("exchange: line %d, column %q is empty; every item has every feature", t.line, name)
			}
			cells[i] = append(cells[i], t.row[i])
		}
		if err := items.add(t.line, item); err != nil {
			return nil, fmt.Errorf("exchange: line %d: %w", t.line, err)
		}
	}
	if err := t.end(); err != nil {
		return nil, err
	}
	for i, name := range t.names {
		if !isFeature(name) {
			continue
		}
		for j, v := range values(cells[i]) {
			if items.items[j].Features == nil {
				items.items[j].Features = map[string]space.Value{}
			}
			items.items[j].Features[name] = v
		}
	}
	return items.result()
}

func isFeature(column string) bool { return column != "id" && column != "media" && column != "text" }

// ReadItemsJSONL reads one item per line, {"id":…,"media":…,"text":…,"features":{…}}. All have the same
// features, of the same types. Without an id an item is called by its media, or else by its number.
func ReadItemsJSONL(r io.Reader) ([]space.Item, error) {
	items := itemList{lines: map[string]int{}}
	err := strictjson.EachLine(r, func(n int, line []byte) error {
		var item space.Item
		if err := cmp.Or(strictjson.Text(line), strictjson.Object(line, &item)); err != nil {
			return err
		}
		if len(items.items) > 0 {
			first := items.items[0].Features
			if name, yes := differing(item.Features, first); yes {
				return fmt.Errorf("feature %q is in some items but not in others", name)
			}
			for name, v := range item.Features {
				if kindOf(v) != kindOf(first[name]) {
					return fmt.Errorf("feature %q is %s, a %s, but a %s in line %d", name, strictjson.Excerpt(v.String()), kindOf(v), kindOf(first[name]), items.lines[items.items[0].ID])
				}
			}
		}
		return items.add(n, item)
	})
	if err != nil {
		return nil, fail(err)
	}
	return items.result()
}

type itemList struct {
	items []space.Item
	lines map[string]int // where an id was first seen
}

func (l *itemList) add(line int, item space.Item) error {
	item.ID = cmp.Or(item.ID, item.Media, strconv.Itoa(len(l.items)+1))
	if before, taken := l.lines[item.ID]; taken {
		return fmt.Errorf("id %s was used in line %d", strictjson.Excerpt(item.ID), before)
	}
	l.lines[item.ID] = line
	l.items = append(l.items, item)
	return nil
}

func (l *itemList) result() ([]space.Item, error) {
	if len(l.items) == 0 {
		return nil, errors.New("exchange: the list has no items")
	}
	return l.items, nil
}
