package page

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"

	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
	"github.com/prefer-bo/prefer/space"
)

// Try lets the owner put an option of her own against the pick.
type Try struct {
	Option space.Option // where the fields begin
	Fields []TryField
	Items  []live.Shown // of a list, in place of fields or beside them
}

// TryField is a parameter to set.
type TryField struct {
	Name      string
	Low, High float64
	Step      float64
	Log       bool
	Value     space.Value
	Choices   []space.Value // in place of a range
}

// maxTried is the longest list to choose a rival from.
const maxTried = 500

// trying returns the fields of an option to try, beginning at the pick.
func (p *Pages) trying(v visitor, pick space.Option) *Try {
	t := &Try{Option: pick}
	if items := v.items(); items != nil {
		if len(items) > maxTried {
			return nil
		}
		crossed := v.Config.Space.Crossed()
		if i := slices.IndexFunc(items, func(it space.Item) bool { return it.ID == pick.Item() }); crossed && i >= 0 {
			t.Items = append(t.Items, p.Studies.Show(v.Study, space.ItemOption(items[i].ID))) // as it is, with other settings
		}
		for _, it := range v.Study.Study.Items(false) {
			if it.ID != pick.Item() {
				t.Items = append(t.Items, p.Studies.Show(v.Study, space.ItemOption(it.ID)))
			}
		}
		if !crossed {
			return t
		}
	}
	for _, p := range v.Config.Space.Parameters {
		if p.Context {
			continue
		}
		f := TryField{Name: p.Name, Low: p.Low, High: p.High, Log: p.Log, Value: coarse(p, pick[p.Name]), Choices: p.Choices}
		switch {
		case p.Type == "bool":
			f.Choices = []space.Value{space.ValueOf(false), space.ValueOf(true)}
		case p.Type == "int":
			f.Step = math.Max(p.Step, 1)
		default:
			f.Step = unit(p, p.High)
		}
		t.Fields = append(t.Fields, f)
	}
	return t
}

// against reads the option that is to be put against the pick, and returns both as they are shown: to the owner, whose duel it is.
func (p *Pages) against(ctx context.Context, v visitor, text string) ([]live.Shown, error) {
	if text == "" {
		return nil, nil
	}
	if !v.owner {
		return nil, errOwnersOnly
	}
	var own space.Option
	if err := json.Unmarshal([]byte(text), &own); err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "invalid", fmt.Sprintf("against is %.200q, want an option as JSON: {\"hue\": 20}", text))
	}
	verdict, err := v.result(ctx, v.Config.Space.Context(own))
	if err != nil {
		return nil, err
	}
	belief, err := v.belief(ctx, v.Config.Space.Context(own))
	if err != nil {
		return nil, err
	}
	pick := verdict.Best.Option
	if _, err := belief.Prefers(pick, own); err != nil {
		return nil, err
	}
	if same(pick, own) {
		return nil, problem.New(http.StatusUnprocessableEntity, "invalid", "That is the pick itself: change something, and try again.")
	}
	return []live.Shown{p.Studies.Show(v.Study, pick), p.Studies.Show(v.Study, own)}, nil
}
