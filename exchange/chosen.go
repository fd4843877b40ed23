package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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

// chosenRow returns the option that was chosen and then those that were rejected.
func (p *pairList) chosenRow(r *pairRow) (options []space.Option) {
	r.used["chosen"], r.used["rejected"] = true, true
	for _, names := range naming {
		if r.fields[names[0]] != nil || r.fields[names[1]] != nil {
			options = []space.Option{r.option(names[0]), r.option(names[1])}
			p.say(options[0], r.fields["chosen"])
			p.say(options[1], r.fields["rejected"])
			return options
		}
	}
	read := p.named
	if p.Texts {
		read = p.text
	} else if i := slices.IndexFunc(asked, func(name string) bool { return given(r.fields[name]) }); i >= 0 && !bytes.HasPrefix(r.fields["chosen"], []byte("{")) {
		r.fail("with %q beside them, chosen and rejected could be texts or names of options: if they are texts, say so (--texts, texts=true); "+
			"if they name options, call them chosen_id and rejected_id", asked[i])
	}
	options = append(options, read(r, "chosen", r.fields["chosen"]))
	return append(options, xslices.Map(r.losers(), func(raw json.RawMessage) space.Option { return read(r, "rejected", raw) })...)
}

func given(raw json.RawMessage) bool {
	return raw != nil && string(raw) != "null" && string(raw) != `""`
}

// losers returns what was not chosen: "rejected", one or a list, or rejected1, rejected2, ….
func (r *pairRow) losers() (out []json.RawMessage) {
	var names []string
	for name := range r.fields {
		if numberOf(name, "rejected") > 0 {
			names, r.used[name] = append(names, name), true
		}
	}
	raw := r.fields["rejected"]
	switch {
	case raw != nil && len(names) > 0:
		r.fail("it has \"rejected\" as well as %q, and could mean either", slices.Min(names))
	case raw != nil && (raw[0] != '[' || lastMessage(raw) != nil):
		return []json.RawMessage{raw}
	case raw != nil:
		if err := json.Unmarshal(raw, &out); err != nil {
			r.fail("field \"rejected\": %w", strictjson.Explain(err))
		}
		if n := len(out); n == 0 || n >= maxRanked {
			r.fail("field \"rejected\" is a list of %d, want 1 to %d", n, maxRanked-1)
		}
	default:
		if out = r.inOrder("rejected"); len(out) == 0 {
			r.fail("there is no field \"rejected\"")
		}
	}
	return out
}

// inOrder returns the fields that a beginning numbers from 1 on. Those at the end may be empty.
func (r *pairRow) inOrder(beginning string) (out []json.RawMessage) {
	last := 0
	for name, raw := range r.fields {
		if k := numberOf(name, beginning); given(raw) {
			last = max(last, k)
		}
	}
	for k := 1; k <= last; k++ {
		name := fmt.Sprint(beginning, k)
		if !given(r.fields[name]) {
			r.fail("field %q is empty, and %q is not", name, fmt.Sprint(beginning, last))
		}
		out = append(out, r.fields[name])
	}
	return out
}

// named reads chosen or rejected as the name of an option, or its settings.
func (p *pairList) named(r *pairRow, name string, raw json.RawMessage) space.Option {
	var s string
	_ = json.Unmarshal(raw, &s) // what is no string is no long one
	if n := utf8.RuneCountInString(s); bytes.HasPrefix(raw, []byte("[")) || n > maxName || strings.ContainsAny(s, "\r\n") {
		r.fail("field %q is %s, a text and no name of at most %d characters: if it is meant to be a text, say so (--texts, texts=true); "+
			"else name the options in chosen_id and rejected_id", name, strictjson.Excerpt(strings.Trim(string(raw), `"`)), maxName)
	}
	return r.read(name, raw)
}

// text reads chosen or rejected as a text, whose item is called by 48 bits of SHA-256 of what was asked and what was said: the same answer to another prompt is
// another option.
func (p *pairList) text(r *pairRow, name string, raw json.RawMessage) space.Option {
	if raw == nil {
		r.fail("there is no field %q", name)
	}
	said, err := wording(raw)
	if err != nil {
		r.fail("field %q: %w", name, err)
	}
	h := sha256.New()
	for _, name := range asked {
		if given(r.fields[name]) {
			fmt.Fprintf(h, "%s\x00%s\x00", name, r.fields[name])
		}
	}
	h.Write(raw)
	o := space.ItemOption(hex.EncodeToString(h.Sum(nil)[:6]))
	p.saying(o, said)
	return o
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

// ranking reads the field "ranking", a list ["a", ["b", "c"], "d"] or a text "a > b = c > d", or the fields rank1, rank2, ….
func (r *pairRow) ranking() (out ranking) {
	for name := range r.fields {
		if name == "ranking" || numberOf(name, "rank") > 0 {
			r.used[name] = true
		}
	}
	raw := r.fields["ranking"]
	var text string
	switch {
	case raw != nil && len(r.used) > 1:
		r.fail("it has \"ranking\" as well as \"rank1\", and could mean either")
	case raw != nil && raw[0] == '[':
		out = r.rankingList(raw)
	case raw != nil && json.Unmarshal(raw, &text) != nil:
		r.fail("field \"ranking\" is %s, want a list, best first, or a text like \"a > b = c\"", strictjson.Excerpt(string(raw)))
	case raw != nil:
		for place := range strings.SplitSeq(text, ">") {
			out = append(out, tiedNames(place))
		}
	default:
		for i, raw := range r.inOrder("rank") {
			out = append(out, tiedNames(r.id(fmt.Sprintf("field \"rank%d\"", i+1), raw)))
		}
	}
	if r.err == nil {
		r.err = out.check()
	}
	return out
}

// rankingList reads a list whose elements are ids, or lists of those that are tied.
func (r *pairRow) rankingList(raw json.RawMessage) (out ranking) {
	var places []json.RawMessage
	if err := json.Unmarshal(raw, &places); err != nil {
		r.fail("field \"ranking\": %w", strictjson.Explain(err))
	}
	for i, place := range places {
		tied, at := []json.RawMessage{place}, fmt.Sprintf("field \"ranking\", place %d", i+1)
		if place[0] == '[' {
			if err := json.Unmarshal(place, &tied); err != nil {
				r.fail("%s: %w", at, strictjson.Explain(err))
			}
		}
		out = append(out, xslices.Map(tied, func(one json.RawMessage) string { return r.id(at, one) }))
	}
	return out
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
