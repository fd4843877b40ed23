package studies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/judge"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/store"
)

type Judge struct {
	Path  string `arg:"" name:"study" help:"The study: settings (.json, kept in a .db file next to it), such a .db file, or a name in --store." completion:"file"`
	Store string `help:"Database of the study instead of a file: postgres://…" placeholder:"URL"`
	Study string `help:"Name of the study. Default: the file's." placeholder:"NAME"`
	Out   string `help:"File for a study described in JSON. Default: next to it." placeholder:"FILE" completion:"file"`

	With     []string      `help:"The judge: a shell command, or several as name=command. It reads a question as one JSON line and writes ${choice_names} or JSON." required:"" sep:"none" placeholder:"COMMAND"`
	Lines    bool          `help:"Keep the command running; it answers each line with a line."`
	Parallel int           `help:"Questions judged in parallel." default:"8" placeholder:"N"`
	Budget   int           `help:"Maximum number of questions, including earlier runs, hidden repeats and skips." default:"200" least:"1" want:"at least 1 question" placeholder:"N"`
	Beyond   bool          `help:"Use the whole budget, whatever the verdict."`
	MaxCost  float64       `help:"Stop when the reported \"cost\" of all calls reaches this." least:"0" want:"a positive number" placeholder:"X"`
	Cost     float64       `help:"Cost of a call whose reply has no \"cost\"." least:"0" want:"a number from 0 on" placeholder:"X"`
	Timeout  time.Duration `help:"Timeout of one call." default:"1m" least:"1" want:"a time as in 30s" placeholder:"TIME"`
	Retries  int           `help:"Retries per failed call before the question is skipped." default:"2" least:"0" want:"0 or more" placeholder:"N"`
	Backoff  time.Duration `help:"Wait before the first retry; doubles with each further one." default:"500ms" least:"1" want:"a time as in 500ms" placeholder:"TIME"`
	GiveUp   int           `help:"Fail after this many failed calls in a row of one judge." default:"12" least:"1" placeholder:"N"`
	Repeats  string        `help:"Share of each judge's questions that repeat an earlier one with sides swapped." default:"10%" placeholder:"SHARE"`
	People   string        `help:"At the end, queue this share of the judged pairs, the least certain, for people with links." placeholder:"SHARE"`
	Media    string        `help:"Folder with the files of the items. Default: the study's, or one of its name next to it." placeholder:"FOLDER" completion:"file"`
	fixedFlag
}

type judgeResult struct {
	judge.Result
	People *judgePeople `json:"people,omitempty"`
}

type judgePeople struct {
	Routed  []judge.Doubt `json:"routed"`  // by this run
	Already int           `json:"already"` // by earlier ones, or decided
}

func (c Judge) Run(ctx context.Context, s cli.Streams) error {
	if c.Parallel < 1 || c.Parallel > judge.MaxParallel {
		return cli.FlagError("--parallel", c.Parallel, fmt.Sprintf("want 1 to %d questions at a time", judge.MaxParallel))
	}
	judges, end, err := c.judges()
	if err != nil {
		return err
	}
	defer end()
	repeats, err := parseShare("--repeats", c.Repeats, 0.5)
	people, bad := parseShare("--people", cmp.Or(c.People, "0"), 1)
	if err = cmp.Or(err, bad); err != nil {
		return err
	}
	return c.open(ctx, s, func(room *live.Studies, name string) error {
		look, err := live.In(ctx, room, name, func(r *live.Study) (prefer.Look, error) { return c.look(r.Study, "") })
		if err != nil {
			return err
		}
		p := cli.NewProgress(s.Err, "judge", time.Now)
		failures := 0
		result, err := judge.Run(ctx, judge.Config{Studies: room, Study: name, Judges: judges, Fixed: look.Fixed, Parallel: c.Parallel, Budget: c.Budget, Beyond: c.Beyond, MaxCost: c.MaxCost, Cost: c.Cost,
			Timeout: c.Timeout, Retries: c.Retries, Backoff: c.Backoff, GiveUp: c.GiveUp, Repeats: repeats, Media: c.find,
			Progress: func(at judge.Progress) {
				if at.Failures > failures && failures == 0 { // the first is told at once, the others are counted
					fmt.Fprintf(s.Err, "a call failed: %s: %s\n", at.Last, cli.Printable(at.LastError.Error()))
				}
				failures = at.Failures
				p.Show(float64(at.Done)/float64(at.Budget), c.words(at))
			}})
		p.End()
		if result.Study == "" || errors.Is(err, judge.ErrMissing) {
			return err
		}
		out := judgeResult{Result: result}
		if people > 0 && err == nil && result.Ended != judge.Stopped {
			out.People = &judgePeople{Routed: []judge.Doubt{}}
			var routed []judge.Doubt
			routed, out.People.Already, err = judge.Route(ctx, room, name, judgeNames(judges), look.Fixed, people)
			out.People.Routed = append(out.People.Routed, routed...)
		}
		err = errors.Join(err, room.With(context.WithoutCancel(ctx), name, func(r *live.Study) error {
			return s.Result(out, func(w io.Writer) error { return c.write(newCards(w, r.Study), out) })
		}))
		if result.Ended == judge.Stopped {
			err = errors.Join(err, context.Cause(ctx))
		}
		if err == nil && result.Verdict.FollowsOrder {
			err = followsOrderError(result.Judges)
		}
		return err
	})
}

// followsOrderError is the end of a run whose judges follow the order of the options.
func followsOrderError(judges []judge.Tally) error {
	followers := xslices.Filter(judges, func(j judge.Tally) bool { return j.FollowsOrder })
	names := xslices.Map(followers, func(j judge.Tally) string { return cli.Printable(j.Name) })
	who := cmp.Or(strings.Join(names, ", "), "those who answered") + " follow" // without names it is the people beside the judges
	if len(names) == 1 {
		who += "s"
	}
	return cli.Failure{Kind: "follows_order", Message: who + " the order in which the options are shown: change the judge's prompt, or use another judge", Code: cli.ExitPositionBias}
}

func (c Judge) words(at judge.Progress) string {
	text := fmt.Sprintf("%d of %d questions", at.Done, at.Budget)
	if at.Cost > 0 {
		text += fmt.Sprintf(", cost %.4g", at.Cost)
	}
	if at.Failures > 0 {
		text += fmt.Sprintf(", %s, the last: %s", say.Count(at.Failures, "failed call"), at.Last)
	}
	return text
}

var named = regexp.MustCompile(`\A([A-Za-z0-9][A-Za-z0-9._-]*)=(.*)\z`)

func (c Judge) judges() (out []judge.Judge, end func(), err error) {
	var ends []func()
	end = func() {
		for _, each := range ends {
			each()
		}
	}
	for _, text := range c.With {
		name, line := "judge", text
		if m := named.FindStringSubmatch(text); m != nil {
			name, line = m[1], m[2]
		} else if len(c.With) > 1 {
			return nil, nil, cli.FlagError("--with", text, "want name=command where there are several judges")
		}
		if strings.TrimSpace(line) == "" {
			return nil, nil, cli.FlagError("--with", text, "want a command")
		}
		if slices.Contains(judgeNames(out), name) {
			return nil, nil, cli.FlagError("--with", text, "two judges have that name")
		}
		call := judge.Command(line)
		if c.Lines {
			var stop func()
			call, stop = judge.Lines(line)
			ends = append(ends, stop)
		}
		out = append(out, judge.Judge{Name: name, Call: call})
	}
	return out, end, nil
}

func judgeNames(judges []judge.Judge) (out []string) {
	return xslices.Map(judges, func(j judge.Judge) string { return j.Name })
}

// parseShare reads 10% or 0.1.
func parseShare(flag, text string, most float64) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		x /= 100
	}
	if err != nil || !(x >= 0 && x <= most) {
		return 0, cli.FlagError(flag, text, fmt.Sprintf("want a share from 0 to %g%%, as in 10%%", 100*most))
	}
	return x, nil
}

func (c Judge) description() bool { return strings.HasSuffix(strings.ToLower(c.Path), ".json") }

func (c Judge) flags() cli.StudyFlags {
	out := cli.StudyFlags{Path: c.Path, Store: c.Store, Study: c.Study}
	base := c.Path[:len(c.Path)-len(filepath.Ext(c.Path))]
	switch {
	case !c.description():
	case c.Store != "":
		out.Path, out.Study = cmp.Or(c.Study, filepath.Base(base)), ""
	default:
		out.Path = cmp.Or(c.Out, base+".db")
	}
	return out
}

// open runs do in a room with the study: that of the description, made unless it is there.
func (c Judge) open(ctx context.Context, s cli.Streams, do func(room *live.Studies, name string) error) error {
	flags := c.flags()
	if c.Out != "" && (!c.description() || c.Store != "") {
		return cli.Usagef("--out %s goes with a description, whose study it keeps", c.Out)
	}
	if info, err := os.Stat(flags.Path); flags.Store == "" && err == nil && info.IsDir() {
		return cli.Usagef("%s is a folder, want a description (.json) or the file of a study; \"prefer init study.db --items %s\" makes one of a folder", flags.Path, cli.Quote(flags.Path))
	}
	inside := func(k cli.StudyStore) error {
		if flags.Store == "" {
			unlock, err := lockJudge(flags.Path)
			if err != nil {
				return err
			}
			defer unlock()
		}
		return cli.RunLive(ctx, s, k.Store, func(room *live.Studies) error { return do(room, k.Name) })
	}
	if !c.description() {
		return flags.WithStore(ctx, inside)
	}
	var settings live.Settings
	cfg, err := cli.ReadConfig(c.Path, s.In, &settings)
	if err != nil {
		return err
	}
	if err := cfg.Validate(); err != nil {
		return cli.Usagef("%s: %v", c.Path, err)
	}
	return flags.WithNewStore(ctx, func(k cli.StudyStore) error {
		study, err := k.Store.Study(ctx, k.Name)
		switch {
		case err == nil:
			err = c.checkSame(ctx, study, cfg, k.Place)
		case errors.Is(err, store.ErrNoStudy):
			if err = cli.RunLive(ctx, s, k.Store, func(room *live.Studies) error { return room.Create(ctx, k.Name, cfg, settings) }); err == nil {
				fmt.Fprintf(s.Err, "made study %q in %s\n", k.Name, k.Place)
			}
		}
		if err != nil {
			return err
		}
		return inside(k)
	})
}

// checkSame refuses to go on with a study that was made of another description.
func (c Judge) checkSame(ctx context.Context, study *prefer.Study, cfg prefer.Config, place string) error {
	fresh, err := prefer.New(ctx, cfg)
	if err != nil {
		return err
	}
	want, err := fresh.Events(0)[0].Created.Config.Hash()
	is, bad := study.Events(0)[0].Created.Config.Hash()
	if err = cmp.Or(err, bad); err == nil && is != want {
		err = cli.Failure{Kind: "exists", Message: fmt.Sprintf("%s has a study that was made of another description than %s is now: go on with \"prefer judge %s\", or keep this one elsewhere with --out", place, c.Path, cli.Quote(c.flags().Path))}
	}
	return err
}

func (c Judge) find(name string) string {
	folders := []string{c.Media}
	if c.Media == "" {
		folders = []string{filepath.Dir(c.Path), strings.TrimSuffix(c.Path, filepath.Ext(c.Path))}
	}
	for _, folder := range folders {
		path, err := filepath.Abs(filepath.Join(folder, filepath.FromSlash(name)))
		if info, no := os.Stat(path); err == nil && no == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return name
}

// endedWords say why a run is over before a verdict.
var endedWords = map[judge.Ended]string{judge.AtBudget: "; the budget is used up", judge.AtCost: "; it cost as much as it may", judge.Stopped: "; stopped", judge.GaveUp: "; given up"}

func (c Judge) write(cards cards, out judgeResult) error {
	return cards.print("judge", out, template.FuncMap{"interval": interval, "args": c.flags().Args, "ended": func() string { return endedWords[out.Ended] },
		"took": func() string { return cli.FormatDuration(time.Duration(out.Seconds * float64(time.Second))) },
		"failed": func(j judge.Tally) string {
			var failed []string
			for _, reason := range []judge.Reason{judge.Rubbish, judge.Nothing, judge.TooLong, judge.Exit, judge.Timeout, judge.Error} {
				if n := j.Failed[reason]; n > 0 {
					failed = append(failed, fmt.Sprintf("%d %s", n, reason))
				}
			}
			return cmp.Or(strings.Join(failed, ", "), "0")
		}})
}

// interval writes a share with its interval: "57% [48, 66] of 120".
func interval(s prefer.Share) string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f%% [%.0f, %.0f] of %d", 100*float64(s.Count)/float64(s.Of), 100*s.Low, 100*s.High, s.Of)
}
