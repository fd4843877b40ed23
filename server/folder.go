package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/memory"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

// OpenFolder makes a study of the folder that Config.Folders names for it, unless there is one, and says what is in the folder. While the server runs the study
// follows the folder: added files join, removed ones leave, a changed file is a new item. The server's address leads to its contact sheet until somebody
// answers.
func (s *Server) OpenFolder(ctx context.Context, study string) (found exchange.Folder, made bool, err error) {
	w := &folderWatch{server: s, study: study, dir: s.cfg.Folders[study]}
	if w.dir == "" {
		return found, false, fmt.Errorf("server: Config.Folders has no folder of study %q", study)
	}
	if w.last, err = stampsOf(w.dir); err != nil {
		return found, false, err
	}
	if found, err = exchange.ReadFolder(w.dir); err != nil {
		return found, false, err
	}
	err = s.studies.Exists(ctx, study)
	if made = errors.Is(err, store.ErrNoStudy); made {
		err = s.Create(ctx, study, prefer.Config{Space: space.Space{Items: found.Items}}, Settings{})
	}
	if err == nil {
		err = w.follow(ctx, found, nil)
	}
	if err != nil {
		return found, false, err
	}
	s.first.Store(&study)
	w.read, w.found = w.last, found
	s.watches.Go(func() { w.run(s.watching) })
	return found, made, nil
}

// How often a folder is looked at: every two seconds; where that takes long no more than a tenth of the time, and at least once in half a minute.
const (
	lookEvery = 2 * time.Second
	lookShare = 10
	lookLate  = 30 * time.Second
)

func (w *folderWatch) run(ctx context.Context) {
	for wait := lookEvery; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		begun := time.Now()
		w.look(ctx)
		wait = max(lookEvery, min(lookShare*time.Since(begun), lookLate))
	}
}

// stamp is what a file looks like from outside: it is read only if that has changed.
type stamp struct {
	size int64
	time time.Time
}

func stampsOf(dir string) (map[string]stamp, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	out := map[string]stamp{}
	err = exchange.WalkFolder(root, func(name string) error {
		if info, err := root.Stat(name); err == nil { // else it is gone by now, or leads nowhere
			out[name] = stamp{info.Size(), info.ModTime()}
		}
		return nil
	})
	if info, err := root.Stat(exchange.FeatureTable); err == nil {
		out[exchange.FeatureTable] = stamp{info.Size(), info.ModTime()}
	}
	return out, err
}

// folderWatch follows a folder.
type folderWatch struct {
	server     *Server
	study, dir string
	last       map[string]stamp // when it was last looked at
	read       map[string]stamp // when it was last read
	found      exchange.Folder  // then
	behind     bool             // something has changed since
	trouble    string           // what was wrong with the folder then
}

// look takes in what has changed since the last look. A file that changed between the last two looks may be half written and is left for the next.
func (w *folderWatch) look(ctx context.Context) {
	now, err := stampsOf(w.dir)
	if err == nil {
		moving, all := map[string]bool{}, maps.Clone(now)
		maps.Copy(all, w.last)
		for name := range all {
			if w.last[name] != now[name] {
				moving[name] = true
			}
		}
		changed := w.behind // and is not moving any more
		if w.last, w.behind = now, len(moving) > 0; changed {
			var found exchange.Folder
			if found, err = w.found.Again(w.dir, func(name string) bool { return w.read[name] == now[name] }); err == nil {
				w.read, w.found = now, found
				err = w.follow(ctx, found, moving)
			}
		}
	}
	trouble := ""
	if err != nil {
		trouble, w.behind = err.Error(), true
	}
	if trouble != w.trouble && trouble != "" && ctx.Err() == nil {
		w.server.log.Warn("the folder of a study cannot be followed now; the study stays as it is", "study", w.study, "error", err)
	}
	w.trouble = trouble
}

// follow has the study be what was found in its folder, but for what is moving, and tells the owner.
func (w *folderWatch) follow(ctx context.Context, found exchange.Folder, moving map[string]bool) error {
	s := w.server
	files, err := s.studies.Files(ctx, w.study)
	if err != nil {
		return err
	}
	var d exchange.Difference
	err = s.studies.Change(ctx, w.study, "joined", "", func(open *live.Study) (err error) {
		d, err = w.refresh(ctx, open.Study, found.ItemsBeside(open.Study.Items(false)), files.Found, moving)
		return err
	})
	if err != nil {
		return err
	}
	was := fmt.Sprint(files)
	files.Found, files.Unreadable, files.Ignored = foundNow(files.Found, found.Items, d), nil, found.Ignored
	files.Copies = xslices.Map(found.Copies, func(c exchange.Copy) live.Copy { return live.Copy(c) })
	for _, u := range found.Unreadable {
		if !moving[u.Name] {
			files.Unread(u.Name, u.Why)
		}
	}
	for _, text := range newsOf(d) {
		files.Add(s.cfg.Now(), text)
		s.log.Info(text, "study", w.study)
	}
	if fmt.Sprint(files) == was {
		return nil
	}
	return s.studies.KeepFiles(ctx, w.study, files)
}

// foundNow returns the ids of what is in the folder: what was before and what was found, with the ids it has as items of the study.
func foundNow(before []string, items []space.Item, d exchange.Difference) []string {
	ids := xslices.ToMap(before, func(id string) (string, bool) { return id, true })
	maps.Copy(ids, xslices.ToMap(slices.Concat(items, d.Joins()), func(it space.Item) (string, bool) { return it.ID, true }))
	for _, id := range slices.Concat(d.Gone, d.Old) {
		delete(ids, id)
	}
	return slices.Sorted(maps.Keys(ids))
}

// refresh has what is new join and what is gone leave. Only what was found in the folder before can be gone from it.
func (w *folderWatch) refresh(ctx context.Context, study *prefer.Study, items []space.Item, before []string, moving map[string]bool) (exchange.Difference, error) {
	listed := xslices.ToMap(study.Items(false), func(it space.Item) (string, space.Item) { return it.ID, it })
	var still []space.Item
	for _, it := range items {
		if was, there := listed[it.ID]; moving[it.ID] && there {
			still = append(still, was)
		} else if !moving[it.ID] {
			still = append(still, it)
		}
	}
	d, err := exchange.Compare(study, still)
	if err != nil {
		return d, err
	}
	ours := xslices.ToMap(before, func(id string) (string, bool) { return id, true })
	d.Gone = slices.DeleteFunc(d.Gone, func(id string) bool {
		it := listed[id]
		return moving[it.Media] || moving[id] || !ours[id] && (before != nil || it.Media != id)
	})
	return d, d.Apply(ctx, study, true)
}

// newsOf says what became of the files of a folder.
func newsOf(d exchange.Difference) (news []string) {
	const shown = 5 // of many
	ids := func(items []space.Item) (out []string) {
		return xslices.Map(items, func(it space.Item) string { return it.ID })
	}
	say := func(ids []string, one, several string) {
		switch n := len(ids); {
		case n == 1:
			news = append(news, ids[0]+" "+one)
		case n > 1:
			news = append(news, fmt.Sprintf("%d files %s: %s", n, several, exchange.FirstOf(ids, shown)))
		}
	}
	say(ids(d.New), "is new, and joined", "are new, and joined")
	say(ids(d.Back), "is back", "are back")
	switch n := len(d.Changed); {
	case n == 1:
		id := d.Changed[0].ID
		news = append(news, fmt.Sprintf("%s has changed: what it is now is a new item, %s, and answers about what it was are kept", id[:strings.LastIndex(id, " (")], id))
	case n > 1:
		news = append(news, fmt.Sprintf("%d files have changed and are new items, %s; answers about what they were are kept", n, exchange.FirstOf(ids(d.Changed), shown)))
	}
	say(d.Gone, "is gone, and not asked about any more", "are gone, and not asked about any more")
	return news
}

// maxSums is how many sums of files are remembered.
const maxSums = 50_000

// sumOf returns the sum of the file of a study that is open. It is read only if it looks different from outside.
func sumOf(known *memory.Memo[string], study, name string, f *os.File, info os.FileInfo) string {
	key := fmt.Sprintf("%s/%s %d %d", study, name, info.Size(), info.ModTime().UnixNano())
	sum, ok := known.Get(key)
	if !ok {
		sum = exchange.Sum(f)
		known.Put(key, sum)
	}
	return sum
}
