package page

import (
	"context"
	"maps"
	"math"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

// Take is what a person can take away of a pick: a script makes files, colours and a picture of it.
type Take struct {
	Name     string            `json:"name"`            // of files, without an ending
	Question string            `json:"question"`        // that was asked
	Line     string            `json:"line"`            // about the pick, under a picture of it
	Option   space.Option      `json:"option"`          // with all digits
	Rounded  space.Option      `json:"rounded"`         // to what matters
	As       live.Shown        `json:"as"`              // Rounded, as it is drawn
	Units    map[string]string `json:"units,omitempty"` // of parameters, as CSS writes them
	File     string            `json:"file,omitempty"`
	Address  string            `json:"address,omitempty"` // of a template that is one
	Text     string            `json:"text,omitempty"`    // of an item
}

// take makes a pick ready to be taken away.
func (p *Pages) take(ctx context.Context, v visitor, verdict prefer.Verdict) (*Take, error) {
	pick := verdict.Best.Option
	short, err := v.rounded(ctx, pick)
	if err != nil {
		return nil, err
	}
	question, _ := v.prompt()
	t := &Take{Name: v.Name, Question: question, Line: v.line(verdict), Option: pick, Rounded: short, As: p.Studies.Show(v.Study, short)}
	for name := range short {
		if unit := v.unit(name); unit != "" {
			if t.Units == nil {
				t.Units = map[string]string{}
			}
			t.Units[name] = strings.Replace(unit, "°", "deg", 1)
		}
	}
	if v.items() != nil {
		item, err := v.item(pick.Item())
		if err != nil {
			return nil, err
		}
		if t.Text = item.Text; item.Media != "" {
			t.File = path.Base(item.Media)
			if u, err := url.Parse(item.Media); err == nil && u.Host != "" {
				t.File = path.Base(u.Path)
			}
		}
	}
	if look := v.Settings.Page.Template; look.Kind == "image" || look.Kind == "page" {
		t.Address = fill(look, Values(v.items(), short))
	}
	return t, nil
}

// line says under a picture of the pick what it is.
func (v visitor) line(verdict prefer.Verdict) string {
	team := verdict.Raters > 1
	switch n := len(v.items()); {
	case n > 0 && team:
		return v.lang.T("take.line.list.team", "n", n)
	case n > 0:
		return v.lang.T("take.line.list", "n", n)
	case team:
		return v.lang.T("take.line.team", "n", verdict.Answers)
	}
	return v.lang.T("take.line", "n", verdict.Answers)
}

// rounded is an option with its numbers rounded, each by coarse; as it is where that would leave what the constraints allow.
func (v visitor) rounded(ctx context.Context, o space.Option) (space.Option, error) {
	if v.items() != nil && !v.Config.Space.Crossed() {
		return o, nil
	}
	out := maps.Clone(o)
	for _, p := range v.Config.Space.Parameters {
		out[p.Name] = coarse(p, o[p.Name])
	}
	if len(v.Config.Space.Constraints) == 0 {
		return out, nil
	}
	belief, err := v.belief(ctx, v.Config.Space.Context(o))
	if err != nil {
		return nil, err
	}
	if _, _, err := belief.Utility(out); err != nil {
		return o, nil
	}
	return out, nil
}

// fineness is the part of a range below which digits say nothing: rounding moves a value by at most half of it, less than anybody sees and far
// less than a few dozen answers tell apart. All digits are in what is downloaded as JSON, and in the exports.
const fineness = 1.0 / 200

// coarse rounds a float to its unit: a hue of 0 to 360 to whole degrees, a chroma of 0.03 to 0.19 to four places. What is rounded stays in
// the range, and across the seam of a circle it goes on at its beginning.
func coarse(p space.Parameter, v space.Value) space.Value {
	x := v.Float()
	if p.Type != "" && p.Type != "float" || math.IsNaN(x) || p.High <= p.Low {
		return v
	}
	step := unit(p, x)
	if step >= 1 {
		x = math.Round(x/step) * step
	} else if short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', -int(math.Round(math.Log10(step))), 64), 64); err == nil { // the float nearest to what is written
		x = short
	}
	if p.Circular && x >= p.High {
		x = p.Low
	}
	return space.ValueOf(min(max(x, p.Low), p.High))
}

// unit is what a float is rounded to: the largest power of ten that is at most a two-hundredth of its range, or, in a range laid out in
// ratios, of the value x.
func unit(p space.Parameter, x float64) float64 {
	width := p.High - p.Low
	if p.Log {
		width = x
	}
	return math.Pow10(int(math.Floor(math.Log10(width * fineness))))
}
