package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// ranking is what somebody sorted, best first; those in one place are tied.
type ranking [][]string

// maxRanked is the length of the longest ranking, of which there are 4,950 pairs.
const maxRanked = 100

// readRanking reads the field "ranking", a list ["a", ["b", "c"], "d"] or a text "a > b = c > d", or the fields rank1, rank2, …, and says which it read.
func readRanking(fields map[string]json.RawMessage) (r ranking, used map[string]bool, err error) {
	used = map[string]bool{}
	for name := range fields {
		if name == "ranking" || numberOf(name, "rank") > 0 {
			used[name] = true
		}
	}
	raw := fields["ranking"]
	switch {
	case raw != nil && len(used) > 1:
		return nil, nil, errors.New("it has \"ranking\" as well as \"rank1\", and could mean either")
	case raw != nil && raw[0] == '[':
		r, err = rankingList(raw)
	case raw != nil:
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil, nil, fmt.Errorf("field \"ranking\" is %s, want a list, best first, or a text like \"a > b = c\"", excerpt(string(raw)))
		}
		for place := range strings.SplitSeq(text, ">") {
			r = append(r, tiedNames(place))
		}
	default:
		var places []json.RawMessage
		if places, err = inOrder(fields, "rank"); err != nil {
			return nil, nil, err
		}
		for i, raw := range places {
			id, err := readID(raw)
			if err != nil {
				return nil, nil, fmt.Errorf("field \"rank%d\": %w", i+1, err)
			}
			r = append(r, tiedNames(id))
		}
	}
	if err == nil {
		err = r.check()
	}
	return r, used, err
}

// rankingList reads a list whose elements are ids, or lists of those that are tied.
func rankingList(raw json.RawMessage) (r ranking, err error) {
	var places []json.RawMessage
	if err := json.Unmarshal(raw, &places); err != nil {
		return nil, fmt.Errorf("field \"ranking\": %w", explain(err))
	}
	for i, place := range places {
		tied := []json.RawMessage{place}
		if place[0] == '[' {
			if err := json.Unmarshal(place, &tied); err != nil {
				return nil, fmt.Errorf("field \"ranking\", place %d: %w", i+1, explain(err))
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
	ids := strings.Split(place, "=")
	for i, id := range ids {
		ids[i] = strings.TrimSpace(id)
	}
	return ids
}

// check reports a ranking that has somebody twice, nobody in a place, or nothing to compare.
func (r ranking) check() error {
	seen := map[string]bool{}
	for i, place := range r {
		if len(place) == 0 {
			return fmt.Errorf("place %d of the ranking is empty", i+1)
		}
		for _, id := range place {
			switch {
			case id == "":
				return fmt.Errorf("place %d of the ranking is empty", i+1)
			case seen[id]:
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
	places := make([]string, len(r))
	for i, ids := range r {
		places[i] = strings.Join(ids, " = ")
	}
	return strings.Join(places, " > ")
}

// duels returns every pair of the ranking, better ones first. How often one comes before another is the same in a ranking as in a pair, under Thurstone's law and
// under Plackett and Luce's, so that what is learned from all pairs is right in the mean. Of neighbours it is not: two that stand side by side are mostly alike, and
// differences come out too small (Azari Soufiani, Chen, Parkes and Xia, "Generalized Method-of-Moments for Rank Aggregation", 2013, call the first breaking consistent, the other
// not). But pairs of one ranking are no independent answers, which the model takes them for: it is too sure. docs/formats.md has what that comes to.
func (r ranking) duels() (out []prefer.Duel) {
	type at struct {
		id    string
		place int
	}
	var all []at
	for i, ids := range r {
		for _, id := range ids {
			all = append(all, at{id, i})
		}
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
