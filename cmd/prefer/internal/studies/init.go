package studies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

type Init struct {
	Path   string `arg:"" optional:"" name:"study" help:"The study to create: a SQLite file, or a name in --store." completion:"file"`
	Store  string `help:"Database for the study instead of a file: postgres://…" placeholder:"URL"`
	Study  string `help:"Name of the study. Default: the file's." placeholder:"NAME"`
	Schema bool   `help:"Print the JSON Schema of --config instead."`

	Config     string   `help:"Study settings in a JSON file; - for standard input." placeholder:"FILE" group:"What to search, one of:" completion:"file"`
	Items      string   `help:"List to choose from: a folder of files, a table (.csv) or JSON Lines (.jsonl)." placeholder:"PATH" group:"What to search, one of:" completion:"file"`
	Param      []string `help:"A parameter: ${parameter_forms}. May be repeated. With --items, every item has a setting of it." sep:"none" placeholder:"NAME=VALUES" group:"What to search, one of:"`
	Circular   []string `help:"Feature of the items that is a circle, with its period, as in hue=360. May be repeated." sep:"none" placeholder:"NAME=PERIOD"`
	Constraint []string `help:"Expression every option satisfies, as in 'sugar + milk <= 4'. May be repeated." sep:"none" placeholder:"EXPR"`

	From      string `help:"Earlier study (file, or name in --store) whose raters' common taste is the starting point. Its space is the default." placeholder:"STUDY" group:"What to search, one of:" completion:"file"`
	FromStudy string `help:"Name of the study in the file of --from. Default: the file's." placeholder:"NAME"`

	Prompt     string           `help:"The sentence above every pair." placeholder:"TEXT"`
	Seed       *uint64          `help:"Random seed of the study." placeholder:"N"`
	Method     string           `help:"Method that chooses questions: ${methods}." placeholder:"NAME"`
	People     string           `help:"What to find with several raters: shared (one favourite for all, the default) or per_rater (one each)." enum:"shared,per_rater," default:"" placeholder:"shared|per_rater"`
	Forced     bool             `help:"Do not offer \"can't tell\"."`
	Grades     int              `help:"Number of strengths beyond a plain preference." placeholder:"N"`
	Confidence float64          `help:"Confidence that a verdict needs, for example 0.95." placeholder:"P"`
	Tolerance  prefer.Tolerance `help:"Difference that does not matter: '1 noise', '5 %' or '1 sugar' (an amount of a parameter); separate several by commas. Default: just noticeable." placeholder:"T"`
	Budget     *int             `help:"Maximum answers per rater, without skips. Default: until the verdict." least:"1" want:"at least 1 answer; without --budget there is no end but the verdict's own" placeholder:"N"`
	Shortlist  int              `help:"Of a list: how many of the best items to find, for example 3. Default: one favourite." placeholder:"N"`
	Initial    int              `help:"Quasi-random pairs before the model chooses." placeholder:"N"`
}

func (c Init) Run(ctx context.Context, s cli.Streams) error {
	if c.Schema {
		_, err := io.WriteString(s.Out, exchange.StudySchema())
		return err
	}
	if c.Path == "" {
		return cli.Usagef("no study named, want for example: prefer init coffee.db --param sugar=0..5")
	}
	d, heard, err := c.configFrom(ctx, s.In)
	if err != nil {
		return err
	}
	if err := cli.Usage(d.config.Validate()); err != nil {
		return err
	}
	if err := d.settings.Validate(ctx, d.config); err != nil { // before there is a file
		return err
	}
	flags := cli.StudyFlags{Path: c.Path, Store: c.Store, Study: c.Study}
	return flags.WithNewStore(ctx, func(k cli.StudyStore) error {
		err := cli.RunLive(ctx, s, k.Store, func(room *live.Studies) error { return room.Create(ctx, k.Name, d.config, d.settings) })
		if errors.Is(err, store.ErrExists) {
			return fmt.Errorf("%w: prefer delete %s", err, flags.Args())
		}
		if err != nil {
			return err
		}
		study, err := k.Store.Study(ctx, k.Name)
		if err != nil {
			return err
		}
		cfg := study.Config()
		hash, err := study.Events(0)[0].Created.Config.Hash()
		if err != nil {
			return err
		}
		what := say.Count(len(cfg.Space.Parameters), "parameter")
		if n := len(cfg.Space.Items); cfg.Space.Crossed() {
			what = say.Count(n, "item") + ", crossed with " + what
		} else if n > 0 {
			what = say.Count(n, "item")
		}
		return s.Notify(struct {
			Study  string        `json:"study"`
			Hash   string        `json:"config_sha256"`
			Config prefer.Config `json:"config"`
			cli.Omitted
		}{k.Name, hash, cfg, s.ReportFolder(c.Items, d.folder)}, "made study %q with %s%s\nnow type: prefer ask %s%s\n", k.Name, what, heard, flags.Args(), contextWords(cfg.Space))
	})
}

// contextWords name a value of every context on a command line, for advice.
func contextWords(space space.Space) (out string) {
	for _, p := range space.Contexts() {
		value := fmt.Sprint(p.Low)
		switch {
		case len(p.Choices) > 0:
			value = p.Choices[0].String()
		case p.Type == "bool":
			value = "true"
		}
		out += " --fixed " + cli.Quote(p.Name+"="+value)
	}
	return out
}

type draft struct {
	config   prefer.Config
	settings live.Settings
	folder   exchange.Folder // that the items are in, if they are in one
}

// draft puts the flags together. Those beside --config, or --from alone, change what the file, or the earlier study, says.
func (c Init) draft(ctx context.Context, stdin io.Reader, from prefer.Config) (d draft, err error) {
	cfg, sources := &d.config, cli.Count(c.Config != "", c.Items != "", len(c.Param) > 0)
	if sources == 0 && c.From != "" {
		*cfg = from
		c.change(cfg)
		return d, c.circular(&cfg.Space)
	}
	if sources == 0 || sources > 1 && c.Config != "" {
		return d, cli.Usagef("%d of --config, --items and --param, want --config alone, or --items, --param or these two; for example --param sugar=0..5 --param 'milk=none|oat|cow'", sources)
	}
	switch {
	case c.Config != "":
		d.config, err = cli.ReadConfig(c.Config, stdin, &d.settings)
	case c.Items != "":
		cfg.Space, d.folder, err = cli.ReadItems(c.Items)
	}
	var parameters []space.Parameter
	if err == nil {
		parameters, err = cli.ParseParameters(c.Param)
	}
	if err != nil {
		return d, err
	}
	cfg.Space.Parameters = append(cfg.Space.Parameters, parameters...)
	c.change(cfg)
	return d, c.circular(&cfg.Space)
}

func (c Init) circular(space *space.Space) error {
	for _, text := range c.Circular {
		name, period, ok := strings.Cut(text, "=")
		x, err := strconv.ParseFloat(strings.TrimSpace(period), 64)
		if !ok || err != nil {
			return cli.FlagError("--circular", text, "want a feature of the items with its period, as in hue=360; a parameter is one with --param hue=0..360:circular")
		}
		if space.Circular == nil {
			space.Circular = map[string]float64{}
		}
		space.Circular[strings.TrimSpace(name)] = x
	}
	return nil
}

func (c Init) change(cfg *prefer.Config) {
	cfg.Space.Constraints = slices.Concat(cfg.Space.Constraints, c.Constraint)
	cfg.Prompt, cfg.Method = cmp.Or(c.Prompt, cfg.Prompt), cmp.Or(c.Method, cfg.Method)
	cfg.People = cmp.Or(prefer.People(c.People), cfg.People)
	cfg.Answers.Forced = c.Forced || cfg.Answers.Forced
	cfg.Answers.Grades = cmp.Or(c.Grades, cfg.Answers.Grades)
	if !c.Tolerance.IsZero() {
		cfg.Tolerance = c.Tolerance
	}
	cfg.Confidence = cmp.Or(c.Confidence, cfg.Confidence)
	cli.Set(&cfg.Budget, c.Budget)
	cfg.Shortlist = cmp.Or(c.Shortlist, cfg.Shortlist)
	cfg.Initial = cmp.Or(c.Initial, cfg.Initial)
	cli.Set(&cfg.Seed, c.Seed)
}

// configFrom is draft with answers of the earlier study, if one is named, and says in words how many.
func (c Init) configFrom(ctx context.Context, stdin io.Reader) (d draft, heard string, err error) {
	if c.From == "" {
		d, err = c.draft(ctx, stdin, d.config)
		return d, "", err
	}
	err = cli.StudyFlags{Path: c.From, Store: c.Store, Study: c.FromStudy}.WithStore(ctx, func(k cli.StudyStore) error {
		study, err := k.Store.Study(ctx, k.Name)
		if err != nil {
			return err
		}
		was := study.Config()
		d, err = c.draft(ctx, stdin, prefer.Config{Space: was.Space, Prompt: was.Prompt, Answers: was.Answers, People: was.People, Budget: was.Budget, Shortlist: was.Shortlist, Confidence: was.Confidence, Tolerance: was.Tolerance})
		if err != nil {
			return err
		}
		var skipped int
		if d.config.Earlier, skipped, err = exchange.Earlier(study, d.config); err != nil {
			return cli.Usagef("--from %s: %v", c.From, err)
		}
		heard = fmt.Sprintf(", beginning with %s of study %q", say.Count(len(d.config.Earlier), "answer"), k.Name)
		if skipped > 0 {
			heard += fmt.Sprintf(" (%d say nothing about this one)", skipped)
		}
		return nil
	})
	return d, heard, err
}
