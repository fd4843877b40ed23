package server

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/chromedp/kb"
)

// person answers at the page by a hidden taste of their own, sometimes wrongly. They know of an option what is on the screen, and
// shares nothing with prefer: not its tastes, not its noise, not its space.
type person struct {
	likes func(seen) float64
	wrong float64 // how often they take the one they like less
	rng   *rand.Rand
}

// seen is an option as the page draws it: the values in its address, or the text of a card.
type seen map[string]string

func (s seen) number(name string) float64 {
	x, err := strconv.ParseFloat(s[name], 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// look reads the options in boxes of the page.
func (b *tab) look(boxes string) []seen {
	b.t.Helper()
	return js[[]seen](b, `[...document.querySelectorAll(`+strconv.Quote(boxes)+`)].map(box => {
		const drawn = box.querySelector('img, iframe, audio, video');
		if (!drawn) return {text: box.textContent};
		const at = new URL(drawn.src, location.href);
		return {path: decodeURIComponent(at.pathname).split('/').slice(3).join('/'), ...Object.fromEntries(at.searchParams)};
	})`)
}

// answers answers questions until the end, at most so many, and returns how many it were.
func (p *person) answers(b *tab, most int) int {
	b.t.Helper()
	q := ""
	for n := range most {
		b.wait(finished + ` || ` + questionNow + ` && ` + questionNow + ` !== ` + strconv.Quote(q) + ` && !document.querySelector('#pair.told') && document.querySelector('#pair').dataset.painted`)
		if b.text(finished) == "true" {
			return n
		}
		q = b.question(q)
		p.answer(b)
	}
	b.wait(finished + ` || ` + questionNow + ` !== ` + strconv.Quote(q) + ` && !document.querySelector('#pair.told')`)
	return most
}

// answer takes one of the two options on the screen.
func (p *person) answer(b *tab) {
	b.t.Helper()
	two := b.look(".card .show")
	if len(two) != 2 {
		b.t.Fatalf("%d options on the screen", len(two))
	}
	for _, key := range []string{"1", "2"} { // what is to be heard or watched must have played
		if b.text(`document.querySelectorAll('.card :is(audio, video)').length`) == "2" {
			b.press(key)
			b.wait(`[...document.querySelectorAll('.card :is(audio, video)')][` + key + ` - 1].currentTime > 0`)
		}
	}
	key := kb.ArrowLeft
	if (p.likes(two[1]) > p.likes(two[0])) != (p.rng.Float64() < p.wrong) {
		key = kb.ArrowRight
	}
	b.press(key)
}

// beats is the share of options that one is better than, to them.
func (p *person) beats(one seen, others []seen) float64 {
	worse := 0
	for _, o := range others {
		if p.likes(o) < p.likes(one) {
			worse++
		}
	}
	return float64(worse) / float64(len(others))
}

// trait is a parameter or feature as a study's description has it.
type trait struct {
	Name      string
	Type      string
	Low, High float64
	Circular  bool
	Choices   []string
}

// draw is a value of it, all alike.
func (f trait) draw(rng *rand.Rand) string {
	x := f.Low + (f.High-f.Low)*rng.Float64()
	switch f.Type {
	case "categorical", "ordinal":
		return f.Choices[rng.IntN(len(f.Choices))]
	case "bool":
		return strconv.FormatBool(rng.IntN(2) == 0)
	case "int":
		x = math.Round(x)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// random are options drawn evenly.
func random(rng *rand.Rand, traits []trait, n int) []seen {
	out := make([]seen, n)
	for i := range out {
		out[i] = seen{}
		for _, f := range traits {
			out[i][f.Name] = f.draw(rng)
		}
	}
	return out
}

// somebody draws a person: every trait matters more or less to them, most of them little; of a number they have a value that they
// likes best, of a circle a direction, of words some more than others; and two traits go together or not.
func somebody(rng *rand.Rand, traits []trait) *person {
	weights := make([]float64, len(traits))
	parts := make([]func(string) float64, len(traits))
	for i, f := range traits {
		weights[i] = math.Pow(rng.ExpFloat64(), 1.5)
		at := f.Low + (f.High-f.Low)*rng.Float64()
		likes := map[string]float64{}
		for _, c := range append(slices.Clone(f.Choices), "true", "false") {
			likes[c] = rng.NormFloat64()
		}
		parts[i] = func(text string) float64 {
			x, err := strconv.ParseFloat(text, 64)
			switch {
			case err != nil || len(f.Choices) > 0:
				return likes[text]
			case f.Circular:
				return 1.5 * math.Cos(2*math.Pi*(x-at)/(f.High-f.Low))
			}
			return -4 * math.Pow(math.Abs(x-at)/(f.High-f.Low), 1.5)
		}
	}
	one, two, pull := rng.IntN(len(traits)), rng.IntN(len(traits)), rng.NormFloat64()
	return &person{wrong: 0.12, rng: rng, likes: func(o seen) float64 {
		u := 0.0
		for i, f := range traits {
			u += weights[i] * parts[i](o[f.Name])
		}
		return u + pull*parts[one](o[traits[one].Name])*parts[two](o[traits[two].Name])
	}}
}

// quantile is the p-quantile of values, one of them.
func quantile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

func (s seen) String() string {
	var parts []string
	for name, value := range s {
		parts = append(parts, name+"="+value)
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}
