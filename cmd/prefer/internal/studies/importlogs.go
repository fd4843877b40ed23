package studies

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/outfile"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/say"
)

type tookFile struct {
	File   string      `json:"file"`
	Raters []tookRater `json:"raters"`
}

type tookRater struct {
	Rater   string `json:"rater"`
	Answers int    `json:"answers"` // those taken back among them
	New     int    `json:"new"`     // that the study did not have
}

// files returns the files that are named: those of a folder of logs, and those that a pattern stands for where no shell has looked.
func (c Import) files() (out []string, folder bool, err error) {
	for _, name := range append([]string{c.File}, c.More...) {
		found := []string{name}
		info, err := os.Stat(name)
		switch {
		case err == nil && info.IsDir():
			if found, folder, err = c.logsOrItems(name); err != nil || folder {
				return nil, folder, err
			}
		case err != nil && strings.ContainsAny(name, "*?["):
			if found, err = filepath.Glob(name); err != nil {
				return nil, false, cli.Usagef("%s is not a pattern: %v", name, err)
			}
			if len(found) == 0 {
				return nil, false, cli.NotFoundf("no file is called like %s", name)
			}
		}
		out = append(out, found...)
	}
	seen := map[string]bool{}
	out = slices.DeleteFunc(out, func(name string) bool {
		again := seen[filepath.Clean(name)]
		seen[filepath.Clean(name)] = true
		return again
	})
	if c.Format != "" && c.Format != "log" && len(out) > 1 {
		return nil, false, cli.Usagef("%d files, and --format %s: only logs can be several", len(out), c.Format)
	}
	return out, false, nil
}

// logsOrItems returns the logs of a folder, or that it is one of items.
func (c Import) logsOrItems(name string) (logs []string, items bool, err error) {
	if logs, err = logsIn(name, c.Format == "log"); err != nil {
		return nil, false, err
	}
	if len(c.More) == 0 && c.Format != "log" {
		if c.Format != "" && c.Format != "items" {
			return nil, false, cli.Usagef("%s is a folder, which --format %s cannot be", name, c.Format)
		}
		found, err := exchange.ReadItems(name)
		if items = c.Format == "items" || len(logs) == 0 || err == nil && len(found) > 0; items && c.Format == "" && len(logs) > 0 {
			return nil, false, cli.Usagef("%s has items and logs: say --format items or --format log", name)
		}
	}
	if len(logs) == 0 && !items {
		err = cli.NotFoundf("%s has no logs: files of \"prefer export\" or of a packed study, that end in .jsonl", name)
	}
	return logs, items, err
}

// logsIn returns the files of a folder that could be logs, by name; nil if none of them is one, unless they must be.
func logsIn(folder string, must bool) (out []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		if strings.HasPrefix(e.Name(), ".") || !slices.Contains([]string{".jsonl", ".ndjson"}, strings.ToLower(filepath.Ext(name))) {
			continue
		}
		head, err := outfile.Beginning(name)
		if err != nil {
			return nil, err
		}
		must = must || guessFormat(head) == "log"
		out = append(out, name)
	}
	if !must {
		return nil, nil
	}
	return out, nil
}

// readLogs reads several logs. Each is one, or an error that names it.
func readLogs(files []string) (out []logfile.Log, err error) {
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return nil, fmt.Errorf("%s is empty, and nothing was taken", name)
		}
		if kind := guessFormat(data[:min(len(data), 64<<10)]); kind != "log" {
			return nil, fmt.Errorf("%s is not a log, it looks like %s: only logs can be several, and nothing was taken", name, kind)
		}
		l, err := readLog(name, bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

func readLog(name string, in io.Reader) (logfile.Log, error) {
	_, events, err := logfile.Read(in)
	if err != nil {
		err = fmt.Errorf("%s, read as log: %w", name, err)
	}
	return logfile.Log{Name: name, Events: events}, err
}

// merge takes logs into a study that is there.
func (c Import) merge(ctx context.Context, s cli.Streams, k cli.StudyStore, logs []logfile.Log, out importResult) (importResult, error) {
	err := cli.RunLive(ctx, s, k.Store, func(room *live.Studies) error {
		m, err := room.Merge(ctx, k.Name, logs...)
		out.merged(logs, m)
		return err
	})
	if errors.Is(err, logfile.ErrConfig) {
		err = fmt.Errorf("%w; --study NAME makes a study of its own of it", err)
	}
	return out, err
}

func (t *importResult) merged(logs []logfile.Log, m logfile.Merged) {
	t.Events, t.Answers = len(m.Events), m.Answers
	t.Files = xslices.Map(logs, func(l logfile.Log) tookFile { return tookFile{File: l.Name, Raters: []tookRater{}} })
	for _, p := range m.Parts {
		i := slices.IndexFunc(t.Files, func(f tookFile) bool { return f.File == p.Log })
		t.Files[i].Raters = append(t.Files[i].Raters, tookRater{p.Rater, p.Answers, p.New})
	}
}

func (t *importResult) logsTaken() string {
	what := say.Count(t.Events, "event")
	if len(t.Files) > 1 || !t.Made {
		what += fmt.Sprintf(", %s, of %s", say.Count(t.Answers, "answer"), say.Count(len(t.Files), "file"))
	}
	if t.Events == 0 {
		what = "nothing new of " + say.Count(len(t.Files), "file")
	}
	return what
}
