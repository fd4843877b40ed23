package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/strictjson"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/space"
)

// naming are columns that name the two options of chosen and rejected, which are then what they say.
var naming = [][2]string{{"chosen_id", "rejected_id"}, {"chosen_model", "rejected_model"}, {"chosen-model", "rejected-model"}}

// asked are names of what the two were answers to.
var asked = []string{"prompt", "input", "instruction", "question", "messages"}

// maxName is the length of the longest chosen or rejected that is a name, in characters. What is longer, or has several lines, is a text.
const maxName = 200

func isChosen(name string) bool {
	return name == "chosen" || name == "rejected" || numberOf(name, "rejected") > 0 ||
		slices.ContainsFunc(naming, func(n [2]string) bool { return name == n[0] || name == n[1] })
}

// chosenRow returns the option that was chosen and then those that were rejected, and notes which fields are used.
func (p *pairList) chosenRow(fields map[string]json.RawMessage, used map[string]bool) ([]space.Option, error) {
	used["chosen"], used["rejected"] = true, true
	for _, names := range naming {
		if fields[names[0]] == nil && fields[names[1]] == nil {
			continue
		}
		d, err := twoFields(fields, used, names[0], names[1])
		if err != nil {
			return nil, err
		}
		p.say(d[0].First, fields["chosen"])
		p.say(d[0].Second, fields["rejected"])
		return []space.Option{d[0].First, d[0].Second}, nil
	}
	read := p.named
	if p.Texts {
		read = p.text
	} else if i := slices.IndexFunc(asked, func(name string) bool { return given(fields[name]) }); i >= 0 && !bytes.HasPrefix(fields["chosen"], []byte("{")) {
		return nil, fmt.Errorf("with %q beside them, chosen and rejected could be texts or names of options: if they are texts, say so (--texts, texts=true); "+
			"if they name options, call them chosen_id and rejected_id", asked[i])
	}
	best, err := read(fields, "chosen", fields["chosen"])
	if err != nil {
		return nil, err
	}
	rejected, err := losers(fields, used)
	if err != nil {
		return nil, err
	}
	options := []space.Option{best}
	for _, raw := range rejected {
		other, err := read(fields, "rejected", raw)
		if err != nil {
			return nil, err
		}
		options = append(options, other)
	}
	return options, nil
}

func given(raw json.RawMessage) bool {
	return raw != nil && string(raw) != "null" && string(raw) != `""`
}

// losers returns what was not chosen: "rejected", one or a list, or rejected1, rejected2, ….
func losers(fields map[string]json.RawMessage, used map[string]bool) (out []json.RawMessage, err error) {
	var names []string
	for name := range fields {
		if numberOf(name, "rejected") > 0 {
			names, used[name] = append(names, name), true
		}
	}
	raw := fields["rejected"]
	switch {
	case raw != nil && len(names) > 0:
		return nil, fmt.Errorf("it has \"rejected\" as well as %q, and could mean either", slices.Min(names))
	case raw != nil && (raw[0] != '[' || lastMessage(raw) != nil):
		return []json.RawMessage{raw}, nil
	case raw != nil:
		if err := json.Unmarshal(raw, &out); err != nil {
			return nil, fmt.Errorf("field \"rejected\": %w", strictjson.Explain(err))
		}
		if n := len(out); n == 0 || n >= maxRanked {
			return nil, fmt.Errorf("field \"rejected\" is a list of %d, want 1 to %d", n, maxRanked-1)
		}
		return out, nil
	}
	out, err = inOrder(fields, "rejected")
	if err == nil && len(out) == 0 {
		err = errors.New("there is no field \"rejected\"")
	}
	return out, err
}

// inOrder returns the fields that a beginning numbers from 1 on. Those at the end may be empty.
func inOrder(fields map[string]json.RawMessage, beginning string) (out []json.RawMessage, err error) {
	last := 0
	for name, raw := range fields {
		if k := numberOf(name, beginning); given(raw) {
			last = max(last, k)
		}
	}
	for k := 1; k <= last; k++ {
		name := fmt.Sprint(beginning, k)
		if !given(fields[name]) {
			return nil, fmt.Errorf("field %q is empty, and %q is not", name, fmt.Sprint(beginning, last))
		}
		out = append(out, fields[name])
	}
	return out, nil
}

// named reads chosen or rejected as the name of an option, or its settings.
func (p *pairList) named(_ map[string]json.RawMessage, name string, raw json.RawMessage) (space.Option, error) {
	var s string
	_ = json.Unmarshal(raw, &s) // what is no string is no long one
	if n := utf8.RuneCountInString(s); bytes.HasPrefix(raw, []byte("[")) || n > maxName || strings.ContainsAny(s, "\r\n") {
		return nil, fmt.Errorf("field %q is %s, a text and no name of at most %d characters: if it is meant to be a text, say so (--texts, texts=true); "+
			"else name the options in chosen_id and rejected_id", name, strictjson.Excerpt(strings.Trim(string(raw), `"`)), maxName)
	}
	return readOption(map[string]json.RawMessage{name: raw}, name)
}

// text reads chosen or rejected as a text, whose item is called by 48 bits of SHA-256 of what was asked and what was said: the same answer to another prompt is
// another option.
func (p *pairList) text(fields map[string]json.RawMessage, name string, raw json.RawMessage) (space.Option, error) {
	if raw == nil {
		return nil, fmt.Errorf("there is no field %q", name)
	}
	said, err := wording(raw)
	if err != nil {
		return nil, fmt.Errorf("field %q: %w", name, err)
	}
	h := sha256.New()
	for _, name := range asked {
		if given(fields[name]) {
			fmt.Fprintf(h, "%s\x00%s\x00", name, fields[name])
		}
	}
	h.Write(raw)
	o := space.ItemOption(hex.EncodeToString(h.Sum(nil)[:6]))
	p.saying(o, said)
	return o, nil
}

// lastMessage returns what a conversation ends with, [{"role":…,"content":…}, …], and nil if a list is none.
func lastMessage(raw json.RawMessage) json.RawMessage {
	var turns []struct {
		Role    string
		Content json.RawMessage
	}
	if json.Unmarshal(raw, &turns) != nil || len(turns) == 0 || turns[0].Role == "" || turns[0].Content == nil {
		return nil
	}
	return turns[len(turns)-1].Content
}

// wording returns a text: itself, or what a conversation ends with.
func wording(raw json.RawMessage) (s string, err error) {
	if last := lastMessage(raw); last != nil {
		raw = last
	}
	if err := json.Unmarshal(raw, &s); err != nil || s == "" {
		return "", fmt.Errorf("%s is not a text, want a string or a conversation [{\"role\":…,\"content\":…}]", strictjson.Excerpt(string(raw)))
	}
	return s, nil
}

// say notes what an option that has a name says in this row, if that is a text.
func (p *pairList) say(o space.Option, raw json.RawMessage) {
	if o.Item() == "" || !given(raw) || bytes.HasPrefix(raw, []byte("{")) {
		return
	}
	if s, err := wording(raw); err == nil {
		p.saying(o, s)
	}
}

// saying notes the text of an option. One that has several has none.
func (p *pairList) saying(o space.Option, text string) {
	if was, known := p.texts[o.Item()]; known && was != text {
		p.various, text = true, ""
	}
	p.texts[o.Item()] = text
}

// ranking is what somebody sorted, best first; those in one place are tied.
type ranking [][]string

// maxRanked is the length of the longest ranking, of which there are 4,950 pairs.
const maxRanked = 100

// readRanking reads the field "ranking", a list ["a", ["b", "c"], "d"] or a text "a > b = c > d", or the fields rank1, rank2, …, and notes which are used.
func readRanking(fields map[string]json.RawMessage, used map[string]bool) (r ranking, err error) {
	for name := range fields {
		if name == "ranking" || numberOf(name, "rank") > 0 {
			used[name] = true
		}
	}
	raw := fields["ranking"]
	var text string
	switch {
	case raw != nil && len(used) > 1:
		return nil, errors.New("it has \"ranking\" as well as \"rank1\", and could mean either")
	case raw != nil && raw[0] == '[':
		r, err = rankingList(raw)
	case raw != nil && json.Unmarshal(raw, &text) != nil:
		return nil, fmt.Errorf("field \"ranking\" is %s, want a list, best first, or a text like \"a > b = c\"", strictjson.Excerpt(string(raw)))
	case raw != nil:
		for place := range strings.SplitSeq(text, ">") {
			r = append(r, tiedNames(place))
		}
	default:
		places, err := inOrder(fields, "rank")
		if err != nil {
			return nil, err
		}
		for i, raw := range places {
			id, err := readID(raw)
			if err != nil {
				return nil, fmt.Errorf("field \"rank%d\": %w", i+1, err)
			}
			r = append(r, tiedNames(id))
		}
	}
	if err == nil {
		err = r.check()
	}
	return r, err
}

// rankingList reads a list whose elements are ids, or lists of those that are tied.
func rankingList(raw json.RawMessage) (r ranking, err error) {
	var places []json.RawMessage
	if err := json.Unmarshal(raw, &places); err != nil {
		return nil, fmt.Errorf("field \"ranking\": %w", strictjson.Explain(err))
	}
	for i, place := range places {
		tied := []json.RawMessage{place}
		if place[0] == '[' {
			if err := json.Unmarshal(place, &tied); err != nil {
				return nil, fmt.Errorf("field \"ranking\", place %d: %w", i+1, strictjson.Explain(err))
			}
		}
		ids := make([]string, len(tied))
		for k, one := range tied {
			if ids[k], err = readID(one); err != nil {
				return nil, fmt.Errorf("field \"ranking\", place %d: %w", i+1, err)
			}
		}
		r = append(r, ids)
	}
	return r, nil
}

// tiedNames splits "b = c".
func tiedNames(place string) []string {
	return xslices.Map(strings.Split(place, "="), strings.TrimSpace)
}

// check reports a ranking that has somebody twice, nobody in a place, or nothing to compare.
func (r ranking) check() error {
	seen := map[string]bool{}
	for i, place := range r {
		if len(place) == 0 || slices.Contains(place, "") {
			return fmt.Errorf("place %d of the ranking is empty", i+1)
		}
		for _, id := range place {
			if seen[id] {
				return fmt.Errorf("%q is in the ranking twice", id)
			}
			seen[id] = true
		}
	}
	if len(seen) > maxRanked {
		return fmt.Errorf("a ranking of %d makes %d pairs, want at most %d in one", len(seen), len(seen)*(len(seen)-1)/2, maxRanked)
	}
	if len(seen) < 2 {
		return fmt.Errorf("a ranking of %d compares nothing, want 2 or more", len(seen))
	}
	return nil
}

// String returns "a > b = c".
func (r ranking) String() string {
	places := xslices.Map(r, func(ids []string) string { return strings.Join(ids, " = ") })
	return strings.Join(places, " > ")
}

// duels returns every pair of the ranking, better ones first. How often one comes before another is the same in a ranking as in a pair, under Thurstone's law and
// under Plackett and Luce's, so that what is learned from all pairs is right in the mean. Of neighbours it is not: two that stand side by side are mostly alike, and
// differences come out too small (Azari Soufiani, Chen, Parkes and Xia, "Generalized Method-of-Moments for Rank Aggregation", 2013, call the first breaking consistent, the other
// not). But pairs of one ranking are no independent answers, which the model takes them for: it is too sure. docs/reference/formats.md has what that comes to.
func (r ranking) duels() (out []prefer.Duel) {
	type at struct {
		id    string
		place int
	}
	var all []at
	for i, ids := range r {
		all = append(all, xslices.Map(ids, func(id string) at { return at{id, i} })...)
	}
	for i, a := range all {
		for _, b := range all[i+1:] {
			d := prefer.Duel{First: space.ItemOption(a.id), Second: space.ItemOption(b.id), Answer: prefer.Answer{Choice: prefer.First}}
			if a.place == b.place {
				d.Answer.Choice = prefer.Tie
			}
			out = append(out, d)
		}
	}
	return out
}
