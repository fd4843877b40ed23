package paste

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/prefer-bo/prefer/space"
)

// Place is a value that could vary.
type Place struct {
	Param space.Parameter `json:"param"`
	Value space.Value     `json:"value"`          // as it was found
	Unit  string          `json:"unit,omitempty"` // what stands after it
	On    bool            `json:"on"`             // proposed to vary; else it stays at the value

	colour bool // it is a part of one
}

const (
	maxPlaces  = 24 // that are offered
	maxColours = 4  // of three each
	calmest    = 6  // that vary at first: twenty answers find a favourite among so many
)

// finder collects what could vary.
type finder struct {
	places []Place
	same   map[string]string // by custom property, what stands in place of its value: declared twice it is one parameter
	taken  map[string]bool   // names
	left   int               // values that are not offered

	colours int // that were found
}

// add offers a place, and returns the text that stands for it.
func (f *finder) add(p Place) string {
	f.places = append(f.places, p)
	return "{{" + p.Param.Name + "}}"
}

// free returns a name that no place has yet.
func (f *finder) free(name string) string {
	name = strings.TrimSpace(strings.NewReplacer("{", "", "}", "").Replace(name))
	if r := []rune(name); len(r) > 40 {
		name = strings.TrimSpace(string(r[:40]))
	}
	if name == "" {
		name = "value"
	}
	out := name
	for n := 2; f.taken[out]; n++ {
		out = fmt.Sprintf("%s %d", name, n)
	}
	f.taken[out] = true
	return out
}

// full says that no further value is offered, and counts it.
func (f *finder) full() bool {
	if len(f.places) < maxPlaces {
		return false
	}
	f.left++
	return true
}

// calm lets no more vary at first than twenty answers can tell apart, sizes before colours.
func (f *finder) calm() {
	on := 0
	for _, colours := range []bool{false, true} {
		for i := range f.places {
			if p := &f.places[i]; p.On && p.colour == colours {
				on++
				p.On = on <= calmest
			}
		}
	}
}

var (
	measured = regexp.MustCompile(`^([+-]?(?:\d+\.?\d*|\.\d+))(px|pt|em|rem|ch|vw|vh|%|deg|turn|ms|s)?$`)
	family   = regexp.MustCompile(`(?i)\b(sans-serif|serif|monospace|cursive|system-ui|ui-\w+)\s*$`)
)

// styled returns what stands in place of a value of a style: the value itself where nothing can vary. shared values of the same name
// are one parameter.
func (f *finder) styled(name, value string, shared bool) string {
	if to, ok := f.same[name]; shared && ok {
		return to
	}
	to := value
	if number := measured.FindStringSubmatch(value); number != nil {
		if v, err := strconv.ParseFloat(number[1], 64); err == nil && sized(v) && !f.full() {
			to = f.add(numbered(f.free(name), v, number[1], number[2])) + number[2]
		}
	} else if c, ok := parseColour(value); ok {
		if f.colours++; f.colours > maxColours {
			f.left++
		} else if !f.full() {
			to = f.colour(name, c)
		}
	} else if family.MatchString(value) && len(value) < 120 && !strings.ContainsAny(value, "(){}&<>") && !f.full() {
		to = f.add(faces(f.free(name), strings.NewReplacer(`"`, "", `'`, "").Replace(value)))
	}
	if shared && to != value {
		f.same[name] = to
	}
	return to
}

// worded returns what stands in place of a value of a query; ok is false where it stays.
func (f *finder) worded(name, value string) (to string, ok bool) {
	if number := measured.FindStringSubmatch(value); number != nil {
		v, err := strconv.ParseFloat(number[1], 64)
		if err != nil || !sized(v) || f.full() {
			return "", false
		}
		unit := number[2]
		if unit == "%" {
			return f.add(numbered(f.free(name), v, number[1], unit)) + "%25", true
		}
		return f.add(numbered(f.free(name), v, number[1], unit)) + unit, true
	}
	switch low := strings.ToLower(value); {
	case low == "true" || low == "false":
		if f.full() {
			return "", false
		}
		return f.add(Place{Param: space.Switch(f.free(name)), Value: space.ValueOf(low == "true"), On: true}), true
	case value == "" || len(value) > 40 || f.full():
		return "", false
	case family.MatchString(value):
		return f.add(faces(f.free(name), value)), true
	}
	// One word is no choice yet: who wants to vary it names others.
	return f.add(Place{Param: space.Categorical(f.free(name), value), Value: space.ValueOf(value)}), true
}

// faces offers type faces that most machines have beside the one found.
func faces(name, found string) Place {
	choices := []string{found}
	for _, c := range []string{"system-ui, sans-serif", "Georgia, serif", "ui-monospace, monospace"} {
		if c != found {
			choices = append(choices, c)
		}
	}
	return Place{Param: space.Categorical(name, choices...), Value: space.ValueOf(found), On: true}
}
