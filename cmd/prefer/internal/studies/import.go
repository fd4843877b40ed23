package studies

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

type Import struct {
	cli.StudyFlags
	File   string   `arg:"" help:"File to read, a folder of items or of logs, or - for the standard input." completion:"file"`
	More   []string `arg:"" optional:"" name:"logs" help:"More logs; they are merged into one study." completion:"file"`
	Format string   `help:"Format: log, pairs or items. Detected by default." enum:"log,pairs,items," default:"" placeholder:"NAME"`
	Remove bool     `help:"Remove items that the list or folder no longer has. By default they are only named."`
	Texts  bool     `help:"Treat chosen and rejected as texts, not names; each text becomes an item."`
}

type importResult struct {
	Study   string      `json:"study"`
	Format  string      `json:"format"`
	Made    bool        `json:"made"` // the study is new
	Events  int         `json:"events,omitempty"`
	Answers int         `json:"answers,omitempty"` // among the events, those taken back included
	Duels   int         `json:"duels,omitempty"`   // that the study did not have
	Known   int         `json:"known,omitempty"`   // duels that it had
	Items   int         `json:"items,omitempty"`   // that joined
	List    *listChange `json:"list,omitempty"`
	Files   []tookFile  `json:"files,omitempty"` // of logs
	Notes   []string    `json:"notes,omitempty"`
	cli.Omitted
}

type listChange struct {
	New     int      `json:"new"`
	Changed int      `json:"changed"` // new items in place of those that were
	Back    int      `json:"back"`    // that had left
	Same    int      `json:"same"`
	Gone    []string `json:"gone"` // of the study, and not in the list
	Left    bool     `json:"left"` // those that are gone have left the study
}

func (l listChange) sentence() string {
	gone := "gone, which stay in the study"
	if l.Left {
		gone = "gone, which left the study"
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{l.New, "new"}, {l.Back, "back"}, {l.Changed, "changed, each a new item in place of the old one"}, {l.Same, "as before"}, {len(l.Gone), gone}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprint(p.n, " ", p.what))
		}
	}
	return strings.Join(parts, "; ")
}

type delivery struct {
	format   string
	sum      string // of its bytes, which names its duels
	logs     []logfile.Log
	together logfile.Merged // the logs, as a study of their own
	duels    exchange.Import
	items    []space.Item
	folder   exchange.Folder // that the items are in, if they are in one
}

func (c Import) Run(ctx context.Context, s cli.Streams) error {
	d, err := c.read(s.In)
	if err == nil && d.format == "log" {
		d.together, err = logfile.Merge(ctx, nil, d.logs...)
	}
	if err != nil {
		return err
	}
	if c.CheckFile() != nil && !d.makes() {
		return c.noStudy(d)
	}
	var out importResult
	err = c.WithNewStore(ctx, func(k cli.StudyStore) (err error) {
		out, err = c.take(ctx, s, k, d)
		return err
	})
	if err != nil {
		return err
	}
	out.Omitted = s.ReportFolder(c.File, d.folder)
	for _, note := range out.Notes {
		if !s.JSON {
			fmt.Fprintln(s.Err, "note:", cli.Printable(note))
		}
	}
	var what string
	switch {
	case out.List != nil:
		what = say.Count(out.Items, "item") + ": " + out.List.sentence()
	case out.Format == "log":
		what = out.logsTaken()
	case out.Duels == 0:
		what = "nothing new of " + say.Count(out.Known, "duel")
	case out.Known > 0:
		what = fmt.Sprintf("%s of %d, the others were there", say.Count(out.Duels, "duel"), out.Duels+out.Known)
	default:
		what = say.Count(out.Duels, "duel")
	}
	verb := "took"
	if out.Made {
		verb = fmt.Sprintf("made study %q of", out.Study)
	}
	return s.Notify(out, "%s %s\n", verb, what)
}

// read reads what is named without touching a study.
func (c Import) read(stdin io.Reader) (d delivery, err error) {
	d.format = c.Format
	files, folder, err := c.files()
	switch {
	case err != nil:
		return d, err
	case folder && d.format != "log":
		d.format = "items"
		d.folder, err = exchange.ReadFolder(c.File)
		d.items = d.folder.Items
		return d, err
	case folder || len(files) > 1:
		d.format = "log"
		d.logs, err = readLogs(files)
		return d, err
	}
	var data []byte
	if files[0] == "-" {
		data, err = io.ReadAll(stdin)
	} else {
		data, err = os.ReadFile(files[0])
	}
	if err != nil {
		return d, err
	}
	d.sum = fmt.Sprintf("%x", sha256.Sum256(data))[:16]
	d.format = cmp.Or(d.format, guessFormat(data[:min(len(data), 64<<10)]))
	if c.Texts && d.format != "pairs" {
		return d, cli.Usagef("--texts is about pairs, and %s is read as %s", c.File, d.format)
	}
	in := bytes.NewReader(data)
	switch d.format {
	case "log":
		var l logfile.Log
		l, err = readLog(files[0], in)
		d.logs = []logfile.Log{l}
	case "items":
		if trimmed := bytes.TrimLeft(data, "\ufeff \t\r\n"); len(trimmed) > 0 && trimmed[0] == '{' {
			d.items, err = exchange.ReadItemsJSONL(in)
		} else {
			d.items, err = exchange.ReadItemsCSV(in)
		}
	default:
		d.duels, err = exchange.Pairs{Texts: c.Texts}.Read(in)
	}
	if err != nil && d.format != "log" { // which names itself
		err = fmt.Errorf("%s, read as %s: %w", c.File, d.format, err)
	}
	return d, err
}

func (c Import) take(ctx context.Context, s cli.Streams, k cli.StudyStore, d delivery) (importResult, error) {
	out := importResult{Study: k.Name, Format: d.format, Notes: d.duels.Notes}
	list, err := k.List(ctx)
	if err != nil {
		return out, err
	}
	there := slices.ContainsFunc(list, func(i store.Info) bool { return i.Name == k.Name }) || len(list) == 1 && c.Study == "" && c.Store == ""
	if !there {
		return c.make(ctx, s, k, d, out)
	}
	if k.Name, err = k.Find(ctx, c.Study != "" || c.Store != ""); err != nil {
		return out, err
	}
	out.Study = k.Name
	if d.format == "log" {
		return c.merge(ctx, s, k, d.logs, out)
	}
	return out, k.Update(ctx, k.Name, func(study *prefer.Study) error {
		if d.items == nil {
			before := study.Seq()
			err := observe(ctx, study, d)
			out.Duels = study.Seq() - before
			out.Known = len(d.duels.Duels) - out.Duels
			return err
		}
		if len(d.folder.Copies) > 0 {
			d.items = d.folder.ItemsBeside(study.Items(false))
		}
		diff, err := exchange.Refresh(ctx, study, d.items, c.Remove)
		out.refreshed(diff, c.Remove)
		return err
	})
}

func (t *importResult) refreshed(d exchange.Difference, left bool) {
	t.List = &listChange{New: len(d.New), Changed: len(d.Changed), Back: len(d.Back), Same: d.Same, Gone: d.Gone, Left: left}
	t.Items, t.Notes = len(d.Joins()), nil
	ids := xslices.Map(d.Changed, func(it space.Item) string { return it.ID })
	if len(ids) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("changed since the study took them: %s; answers about what they were stand", exchange.FirstOf(ids, 5)))
	}
	if len(d.Gone) > 0 && !left {
		t.Notes = append(t.Notes, fmt.Sprintf("not in it: %s; they stay in the study unless --remove is given", exchange.FirstOf(d.Gone, 5)))
	}
}

// observe adds duels to a study. Their keys are made of the file and their place in it, so that a retry is safe.
func observe(ctx context.Context, study *prefer.Study, d delivery) error {
	for i := range d.duels.Duels {
		if duel := &d.duels.Duels[i]; duel.Answer.Key == "" {
			duel.Answer.Key = fmt.Sprintf("import %s %d", d.sum, i+1)
		}
	}
	_, err := study.Observe(ctx, d.duels.Duels...)
	return err
}

// makes reports whether the file says enough to make a study: a log, or a list of ids.
func (d delivery) makes() bool {
	return d.format == "log" || len(d.duels.Space.Items) > 0
}

// noStudy says how to make the study that a file needs.
func (c Import) noStudy(d delivery) error {
	hint := "--items " + cli.Quote(c.File)
	if d.items == nil {
		params := xslices.Map(d.duels.Space.Parameters, func(p space.Parameter) string { return "--param " + cli.Quote(cli.ParameterForm(p)) })
		hint = strings.Join(params, " ")
	}
	return fmt.Errorf("there is no study to take these in, and the file does not say what to search; make one first, for example: prefer init %s %s", c.Args(), hint)
}

// make makes a study of logs that go together or of duels, all at once. If another process has made the study meanwhile, the logs are merged into it.
func (c Import) make(ctx context.Context, s cli.Streams, k cli.StudyStore, d delivery, out importResult) (importResult, error) {
	if d.format == "log" {
		err := k.Import(ctx, k.Name, d.together.Events)
		if errors.Is(err, store.ErrExists) {
			return c.merge(ctx, s, k, d.logs, out)
		}
		out.merged(d.logs, d.together)
		out.Made = true
		return out, err
	}
	if !d.makes() {
		return out, c.noStudy(d)
	}
	study, err := prefer.New(ctx, prefer.Config{Space: d.duels.Space})
	if err != nil {
		return out, err
	}
	if err := observe(ctx, study, d); err != nil {
		return out, err
	}
	out.Made, out.Duels = true, len(d.duels.Duels)
	return out, k.Import(ctx, k.Name, study.Events(0))
}

// guessFormat says what a file holds from how it begins: log, items or pairs.
func guessFormat(head []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"), []byte("\n"))
	object, names := bytes.HasPrefix(line, []byte("{")), map[any]bool{}
	if object {
		names = fieldNames(line)
	} else {
		for c := range strings.SplitSeq(strings.ToLower(string(bytes.TrimSpace(line))), ",") {
			names[strings.Trim(strings.TrimSpace(c), `"`)] = true
		}
	}
	switch {
	case bytes.HasPrefix(line, []byte("[")):
		return "pairs"
	case object && names["format"]:
		return "log"
	case slices.ContainsFunc(pairNames, func(n string) bool { return names[n] }):
		return "pairs"
	case names["id"] || names["media"] || names["text"] || object && names["features"]:
		return "items"
	}
	return "pairs"
}

// pairNames are names that no list of items has: who won, and labels that are refused as pairs.
var pairNames = []string{"winner", "loser", "chosen", "rejected", "chosen_id", "chosen_model", "rejected1", "model_a", "ranking", "rank1", "completion"}

// fieldNames returns the names in a line of JSON, which may be cut short.
func fieldNames(line []byte) map[any]bool {
	names := map[any]bool{}
	d := json.NewDecoder(bytes.NewReader(line))
	_, err := d.Token() // the brace
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err == nil {
			names[name] = true
			err = d.Decode(&json.RawMessage{})
		}
	}
	return names
}
