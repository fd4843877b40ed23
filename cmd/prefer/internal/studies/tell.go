package studies

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/errcode"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

type Tell struct {
	cli.StudyFlags
	raterFlag
	Words []string `arg:"" optional:"" name:"choice" help:"${choices}, after the question's id if it is not the rater's open one." completion:"choice"`

	Strength int           `help:"Strength: 0 plain, 1 clearly, up to the study's grades. Each + after the choice adds 1." placeholder:"N"`
	Key      string        `help:"Idempotency key: repeating an answer with the same key has no effect." placeholder:"TEXT"`
	Response time.Duration `help:"Response time, for example 1.2s." placeholder:"TIME"`
	Session  string        `help:"Session the answer belongs to." placeholder:"NAME"`
	Note     string        `help:"A note, kept and shown with the answer; the model ignores it." placeholder:"TEXT"`
	Meta     []string      `help:"Metadata, name=value: a number, true, false or a word. May be repeated." sep:"none" placeholder:"NAME=VALUE"`
	Check    bool          `help:"Record the answer without learning from it."`

	Winner []string `help:"Winner of a comparison that was not asked: name=value for every parameter, or an item id." sep:"none" placeholder:"NAME=VALUE" group:"A duel from elsewhere:"`
	Loser  []string `help:"Loser of a comparison that was not asked." sep:"none" placeholder:"NAME=VALUE" group:"A duel from elsewhere:"`
	Tie    bool     `help:"The comparison that was not asked is a tie." group:"A duel from elsewhere:"`
}

// parseChoice reads a choice, or its key, with a + for every step of strength: "first", "2+".
func parseChoice(word string) (_ prefer.Choice, strength int, _ error) {
	name := strings.TrimRight(word, "+")
	strength = len(word) - len(name)
	for _, k := range prefer.Choices() {
		if (name == string(k.Choice) || name == k.Key) && (strength == 0 || k.Side != 0) {
			return k.Choice, strength, nil
		}
	}
	return "", 0, cli.FlagError("choice", word, "want "+choiceWords()+", of which the first two may have a + for clearly")
}

// choiceWords lists the choices and their keys: "first, second, … or skip (1, 2, …, s)".
func choiceWords() string {
	names, keys := choiceNames()
	last := len(names) - 1
	return fmt.Sprintf("%s or %s (%s)", strings.Join(names[:last], ", "), names[last], strings.Join(keys, ", "))
}

func choiceNames() (names, keys []string) {
	for _, k := range prefer.Choices() {
		names, keys = append(names, string(k.Choice)), append(keys, k.Key)
	}
	return names, keys
}

// HelpVars are what help texts take from elsewhere.
func HelpVars() map[string]string {
	names, _ := choiceNames()
	return map[string]string{"choices": choiceWords(), "choice_names": strings.Join(names, ", "), "demos": demoNames()}
}

func parseMeta(texts []string) (prefer.Meta, error) {
	var meta prefer.Meta
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if _, twice := meta[name]; !ok || name == "" || twice {
			return nil, cli.FlagError("--meta", text, "want name=value, each name once, as in --meta model=m1 --meta tokens=512")
		}
		if meta == nil {
			meta = prefer.Meta{}
		}
		meta[name] = exchange.MetaValue(value)
	}
	return meta, nil
}

func (c Tell) Run(ctx context.Context, s cli.Streams) error {
	choice, strength, err := c.choice()
	if err != nil {
		return err
	}
	if c.Strength != 0 && strength != 0 && c.Strength != strength {
		return cli.Usagef("--strength %d and %d times + say different things", c.Strength, strength)
	}
	meta, err := parseMeta(c.Meta)
	if err != nil {
		return err
	}
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		t := live.Tell{Rater: c.Rater, Owner: true, Answer: prefer.Answer{
			Choice: choice, Strength: max(strength, c.Strength), Key: c.Key, Rater: c.Rater, ResponseTime: c.Response, Session: c.Session, Note: c.Note, Meta: meta, Check: c.Check}}
		err := room.With(ctx, name, func(r *live.Study) (err error) {
			if c.isDuel() {
				t.Duel, err = c.duel(r.Study, t.Answer)
			} else {
				t.Question, err = c.question(r.Study)
			}
			return err
		})
		if err != nil {
			return err
		}
		out, err := room.Tell(ctx, name, t)
		if err != nil {
			return err
		}
		return s.Line(struct {
			ID       string            `json:"id"`
			Question prefer.QuestionID `json:"question,omitempty"`
			Choice   prefer.Choice     `json:"choice"`
		}{out.Answer, t.Question, choice}, out.Answer)
	})
}

// isDuel reports whether the command line has a duel that was not asked as a question.
func (c Tell) isDuel() bool { return len(c.Winner) > 0 || len(c.Loser) > 0 || c.Tie }

// choice reads the command line: an answer to a question, or a duel.
func (c Tell) choice() (_ prefer.Choice, strength int, _ error) {
	switch {
	case c.Response < 0:
		return "", 0, cli.FlagError("--response", c.Response, "want a time as in 1.2s")
	case c.isDuel() && (len(c.Winner) == 0 || len(c.Loser) == 0 || len(c.Words) > 0):
		return "", 0, cli.Usagef("a duel nobody asked is --winner and --loser, and --tie if it was one, without a choice")
	case c.isDuel() && c.Tie:
		return prefer.Tie, 0, nil
	case c.isDuel():
		return prefer.First, 0, nil
	case len(c.Words) < 1 || len(c.Words) > 2:
		return "", 0, cli.Usagef("%d words after the study, want a choice, or a question and a choice, as in \"prefer tell %s first\"", len(c.Words), c.Args())
	}
	return parseChoice(c.Words[len(c.Words)-1])
}

// question returns the question that is named, that was answered with this key before, or that is open.
func (c Tell) question(study *prefer.Study) (prefer.QuestionID, error) {
	if len(c.Words) == 2 {
		return prefer.QuestionID(c.Words[0]), nil
	}
	for _, e := range study.History() {
		if c.Key != "" && e.Answer.Key == c.Key && e.Rater == c.Rater && !e.Undone && !e.Observed {
			return e.Question, nil
		}
	}
	if open := study.OpenQuestions(c.Rater); len(open) > 0 {
		return open[0].ID, nil
	}
	who := ""
	if c.Rater != "" {
		who = fmt.Sprintf(" for rater %q", c.Rater)
	}
	return "", cli.NotFoundf("no question is open%s: ask one first, prefer ask %s%s", who, c.Args(), c.raterWords())
}

func (c Tell) duel(study *prefer.Study, a prefer.Answer) (*prefer.Duel, error) {
	winner, err := parseOption(study, "--winner", c.Winner, false)
	loser, bad := parseOption(study, "--loser", c.Loser, false)
	return &prefer.Duel{First: winner, Second: loser, Rater: c.Rater, Answer: a}, cmp.Or(err, bad)
}

type Undo struct {
	cli.StudyFlags
	raterFlag
	Answer string `arg:"" optional:"" help:"The answer, as \"tell\" printed it. Defaults to the rater's latest."`
}

func (c Undo) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		entry, err := live.In(ctx, room, name, func(r *live.Study) (prefer.Entry, error) { return c.find(r.Study) })
		if err != nil {
			return err
		}
		if _, err := room.Undo(ctx, name, live.Undo{Answer: entry.ID, Rater: c.Rater, Owner: true}); err != nil {
			return err
		}
		return s.Line(struct {
			Undone   prefer.AnswerID   `json:"undone"`
			Question prefer.QuestionID `json:"question,omitempty"`
		}{entry.ID, entry.Question}, entry.ID)
	})
}

func (c Undo) find(study *prefer.Study) (prefer.Entry, error) {
	var found prefer.Entry
	for _, e := range study.History() {
		switch {
		case c.Answer != "" && string(e.ID) == c.Answer && !e.Undone:
			return e, nil
		case c.Answer == "" && e.Rater == c.Rater && !e.Undone:
			found = e
		}
	}
	switch {
	case c.Answer != "":
		return found, cli.NotFoundf("answer %q: no such answer; \"prefer history %s\" lists them", c.Answer, c.Args())
	case found.ID == "" && c.Rater == "":
		return found, cli.NotFoundf("no unnamed rater has answered: give --rater or an answer id")
	case found.ID == "":
		return found, cli.NotFoundf("rater %q has no answer to undo", c.Rater)
	}
	return found, nil
}

type Check struct {
	cli.StudyFlags
	raterFlag
	fixedFlag
}

func (c Check) Run(ctx context.Context, s cli.Streams) error {
	return c.WithLiveStudy(ctx, s, func(r *live.Study) error {
		look, err := c.look(r.Study, c.Rater)
		if err != nil {
			return err
		}
		found, err := r.Study.Blind(ctx, look)
		if errcode.Of(err) == "per_rater" {
			return needsRater(c.StudyFlags)
		}
		if err != nil {
			return err
		}
		if found.Kind == "unchecked" {
			fmt.Fprintf(s.Err, "to check it, %d times: prefer ask %s%s%s --blind\n", live.BlindQuestions, c.Args(), c.raterWords(), c.fixedWords())
		}
		return s.Line(found, cli.Printable(found.Sentence))
	})
}

type Take struct {
	cli.StudyFlags
	raterFlag
	Answer string   `arg:"" help:"yes or no: whether you would take it."`
	Option []string `help:"The option, if not the pick: name=value for every parameter, or an item id." sep:"none" placeholder:"NAME=VALUE"`
}

func (c Take) Run(ctx context.Context, s cli.Streams) error {
	if c.Answer != "yes" && c.Answer != "no" {
		return cli.FlagError("answer", c.Answer, "want yes or no")
	}
	return c.WithLive(ctx, s, func(room *live.Studies, name string) error {
		shown, err := live.In(ctx, room, name, func(r *live.Study) (space.Option, error) { return parseOption(r.Study, "--option", c.Option, false) })
		if err != nil {
			return err
		}
		out, err := room.Take(ctx, name, live.Take{Rater: c.Rater, Owner: true, Option: shown, Take: c.Answer == "yes"})
		if err != nil {
			return err
		}
		return s.Line(out, out.ID)
	})
}
