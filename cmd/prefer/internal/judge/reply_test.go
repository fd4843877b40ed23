package judge

import (
	"errors"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

func TestRead(t *testing.T) {
	for text, want := range map[string]prefer.Choice{
		"first": prefer.First, "second\n": prefer.Second, " tie\r\n": prefer.Tie, "both_bad": prefer.BothBad, "\n\tskip": prefer.Skip,
		"A": prefer.First, "b": prefer.Second, "1": prefer.First, "2\n": prefer.Second,
		`{"choice": "second", "strength": 1, "note": "why", "meta": {"model": "m1", "n": 3, "ok": true}, "cost": 0.25}`: prefer.Second,
	} {
		r, err := Read(text)
		if err != nil || r.Choice != want {
			t.Errorf("%q is read as %q, %v", text, r.Choice, err)
		}
		if strings.HasPrefix(text, "{") && (r.Strength != 1 || r.Note != "why" || r.Meta.String() != "model m1, n 3, ok true" || *r.Cost != 0.25) {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

// TestReadRubbish: whatever would have to be guessed is no answer.
func TestReadRubbish(t *testing.T) {
	for text, want := range map[string]Reason{
		"": Nothing, " \n\t": Nothing,
		"I prefer the first one.": Rubbish, "first second": Rubbish, "first\nsecond": Rubbish, "first.": Rubbish, "FIRST": Rubbish, "First": Rubbish, "\"first\"": Rubbish, "3": Rubbish, "0": Rubbish,
		"A/B": Rubbish, "left": Rubbish, "first\x00": Rubbish, "fi\xffrst": Rubbish, "null": Rubbish, "[\"first\"]": Rubbish,
		"{": Rubbish, `{"choice":"first"} {"choice":"first"}`: Rubbish, `{"choice":"first"} so`: Rubbish, `{"choice":"first","choice":"second"}`: Rubbish,
		`{"Choice":"first"}`: Rubbish, `{"choice":"first","why":"x"}`: Rubbish, `{"choice":1}`: Rubbish, `{"choice":"first","cost":"1"}`: Rubbish, `{"choice":"first","meta":{"a":[1]}}`: Rubbish,
		`so: {"choice":"first"}`: Rubbish, "```json\n{\"choice\":\"first\"}\n```": Rubbish,
		strings.Repeat(" ", MaxReply) + "first": TooLong,
	} {
		r, err := Read(text)
		var f *Failure
		if !errors.As(err, &f) || f.Reason != want || r.Choice != "" {
			t.Errorf("%.60q is read as %+v, %v, want %s", text, r, err, want)
		}
	}
}

func TestReplyValidate(t *testing.T) {
	one, less := 1.0, -1.0
	many := prefer.Meta{}
	for i := range maxMeta + 1 {
		many[strings.Repeat("n", i+1)] = space.ValueOf(i)
	}
	for says, c := range map[string]struct {
		offered prefer.Answers
		reply   Reply
	}{
		`no ties`:             {prefer.Answers{Forced: true}, Reply{Choice: prefer.Tie}},
		`choice "left", want`: {prefer.Answers{}, Reply{Choice: "left"}},
		`choice ""`:           {prefer.Answers{}, Reply{}},
		`strength 1, but this study has no grades`: {prefer.Answers{}, Reply{Choice: prefer.First, Strength: 1}},
		`note of 10001`:     {prefer.Answers{}, Reply{Choice: prefer.First, Note: strings.Repeat("x", 10_000+1)}},
		`cost -1`:           {prefer.Answers{}, Reply{Choice: prefer.First, Cost: &less}},
		`meta "cost" is 3`:  {prefer.Answers{}, Reply{Choice: prefer.First, Meta: prefer.Meta{"cost": space.ValueOf(3)}}},
		`meta has 31 names`: {prefer.Answers{}, Reply{Choice: prefer.First, Meta: many}},
	} {
		if err := c.reply.validate(c.offered); err == nil || !strings.Contains(err.Error(), says) || failed(err).Reason != Rubbish {
			t.Errorf("%v, want %s", err, says)
		}
	}
	if err := (Reply{Choice: prefer.Second, Strength: 1, Cost: &one}).validate(prefer.Answers{Forced: true, Grades: 1}); err != nil {
		t.Error(err)
	}
}
