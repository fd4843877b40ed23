package prefer

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer/internal/coding"
	"github.com/prefer-bo/prefer/space"
)

var (
	listSeeds = flag.Int("lists", 0, "studies of each row of docs/results/lists.csv, which TestListsEnd prints; 0: some of 12 items, and no table")
	listRows  = flag.String("listrows", "", "rows of that table to play, by the start of their names, separated by commas; empty: all")
)

// listTaste is a hidden taste for the items of a list: how much each is worth, by code that shares nothing with the model. Items are names alone; pictures, which
// have ten features that hang together and something of their own; or rows of a table with three features, with or without something of their own beside.
// Of a taste for features half are slopes and half have an ideal point.
func listTaste(kind string, n int, seed uint64) (space.Space, []float64) {
	rng := rand.New(rand.NewPCG(seed, 0x11575))
	worth, items := make([]float64, n), make([]space.Item, n)
	d := map[string]int{"pictures": 10, "table": 3, "own": 3}[kind]
	weight, ideal, bent := make([]float64, d), make([]float64, d), rng.IntN(2) == 0
	for j := range d {
		if weight[j], ideal[j] = rng.NormFloat64(), rng.Float64(); j >= 4 {
			weight[j] /= 5
		}
	}
	for i := range items {
		items[i].ID = fmt.Sprintf("render %02d.png", i)
		if d == 0 {
			worth[i] = rng.NormFloat64()
			continue
		}
		items[i].Features = map[string]space.Value{}
		for j := range d {
			x := rng.Float64()
			if kind == "pictures" && j > 0 {
				x = (x + items[i].Features["f0"].Float()) / 2
			}
			items[i].Features[fmt.Sprintf("f%d", j)] = space.ValueOf(x)
			if bent {
				worth[i] -= 3 * math.Abs(weight[j]) * (x - ideal[j]) * (x - ideal[j])
			} else {
				worth[i] += weight[j] * x
			}
		}
	}
	if d > 0 { // a standard deviation of 1, and 0.3 that no feature tells
		var sum, squares float64
		for _, w := range worth {
			sum, squares = sum+w, squares+w*w
		}
		mean := sum / float64(n)
		sd := math.Sqrt(squares/float64(n) - mean*mean)
		for i := range worth {
			worth[i] = (worth[i]-mean)/sd + 0.3*rng.NormFloat64()
		}
	}
	return space.Space{Items: items, Own: kind == "own" || kind == "pictures"}, worth
}

// listEnd is how a study of a list went.
type listEnd struct {
	promised [2]int
	answers  int
	said     float64 // that the pick is among the best few, or that the shortlist is right
	held     bool    // it is
	done     bool
}

// listPlay is a study of a list with a rater who takes the worse item with probability errs.
type listPlay struct {
	*Study
	t     *testing.T
	name  string
	place map[string]int // of an item by its worth, 0 for the best
	errs  float64
	rng   *rand.Rand
}

func startList(t *testing.T, kind string, n, shortlist int, errs float64, seed uint64) *listPlay {
	t.Helper()
	sp, worth := listTaste(kind, n, seed)
	p := &listPlay{start(t, Config{Space: sp, Seed: seed, Shortlist: shortlist}), t, fmt.Sprintf("%s %d %d %v, seed %d", kind, n, shortlist, errs, seed),
		map[string]int{}, errs, rand.New(rand.NewPCG(seed, 77))}
	for k, i := range coding.ByScore(worth) {
		p.place[sp.Items[i].ID] = k
	}
	return p
}

// look returns the verdict, and whether it is right: that the pick is among the best few, or that the shortlist is.
func (p *listPlay) look() (v Verdict, said float64, held bool) {
	p.t.Helper()
	v, err := p.Verdict(ctx, Look{})
	if err != nil {
		p.t.Fatal(err)
	}
	if k := len(v.Shortlist); k > 0 {
		return v, v.ShortlistSure, !slices.ContainsFunc(v.Shortlist, func(o space.Option) bool { return p.place[o.Item()] >= k })
	}
	return v, v.Best.Top, float64(p.place[v.Best.Option.Item()]) < math.Round(v.Best.TopShare*float64(len(p.place)))
}

// answer asks the rater a question.
func (p *listPlay) answer() {
	p.t.Helper()
	q := ask(p.t, p.Study, "")
	if why := q.Method; why != "kg" && why != methodDesign && why != methodShortlist || why == "kg" && q.Value < -1e-9 {
		p.t.Errorf("%s: a question is by %s and worth %v", p.name, why, q.Value)
	}
	c := First
	if (p.place[q.Second.Item()] < p.place[q.First.Item()]) != (p.rng.Float64() < p.errs) {
		c = Second
	}
	tell(p.t, p.Study, q.ID, c)
}

// playList plays a study of a list to its end, in at most twice as many answers as promised.
func playList(t *testing.T, kind string, n, shortlist int, errs float64, seed uint64) (out listEnd) {
	t.Helper()
	for p := startList(t, kind, n, shortlist, errs, seed); ; p.answer() {
		v, said, held := p.look()
		if v.Answers == 0 {
			out.promised = v.Left
		}
		if out.answers, out.done, out.said, out.held = v.Answers, v.Kind.Done(), said, held; out.done || out.answers >= 2*out.promised[1] {
			return out
		}
	}
}

// TestTopThree: a study of a list that looks for the best three has most of them long before it is sure, which it says. With -lists 10 it plays the rows of
// docs/results/lists-top3.csv, and prints them: what a study says after 40, 80 and 120 answers, or when it ended, and how often that is true.
func TestTopThree(t *testing.T) {
	studies, most, rows := 1, 40, []string{"pictures-12-0%"}
	if *listSeeds > 0 {
		studies, most, rows = *listSeeds, 120, []string{"names-30-0%", "names-30-10%", "pictures-30-0%", "pictures-30-10%", "pictures-60-0%", "pictures-60-10%"}
		fmt.Println("row,studies,ended,said 40,true 40,said 80,true 80,said 120,true 120")
	}
	for _, row := range rows {
		var kind string
		var n, percent int
		if _, err := fmt.Sscanf(strings.ReplaceAll(row, "-", " "), "%s %d %d%%", &kind, &n, &percent); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(row, *listRows) {
			continue
		}
		ended, said, held := 0, map[int]float64{}, map[int]float64{}
		for seed := range uint64(studies) {
			p := startList(t, kind, n, 3, float64(percent)/100, 101+seed)
			v, sure, right := p.look()
			for answers := 1; answers <= most; answers++ {
				if !v.Kind.Done() {
					if p.answer(); answers%20 == 0 {
						v, sure, right = p.look()
					}
				}
				if said[answers] += sure; right {
					held[answers]++
				}
			}
			if v.Kind.Done() {
				ended++
			}
		}
		of := float64(studies)
		if *listSeeds > 0 {
			fmt.Printf("%s,%d,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f\n", row, studies, ended, said[40]/of, held[40]/of, said[80]/of, held[80]/of, said[120]/of, held[120]/of)
		}
		if few := 2 * math.Sqrt(of*0.25); held[most] < said[most]-few {
			t.Errorf("%s: after %d answers %.0f of %d are right, of which they said %.1f", row, most, held[most], studies, said[most])
		}
	}
}

// TestListsEnd: lists of names, of pictures and of rows end within the range that they promise for most raters, with and without errors, and never later than
// half as long again; what they then say of the pick, or of a shortlist of three, is true as often as they say. With -lists 20 it plays the rows of
// docs/results/lists.csv, on seeds that no constant was chosen by, and prints them.
func TestListsEnd(t *testing.T) {
	seeds, table := *listSeeds, *listSeeds > 0
	if table {
		fmt.Println("row,studies,promised_from,promised_to,within,latest,median,said,true")
	}
	for _, kind := range []string{"names", "pictures", "own", "table"} {
		for _, goal := range []int{0, 3} {
			for _, n := range []int{12, 30, 60} {
				for _, errs := range []float64{0, 0.1} {
					name := fmt.Sprintf("%s-%d-%s-%.0f%%", kind, n, map[int]string{0: "favourite", 3: "top3"}[goal], 100*errs)
					if !table && (n != 12 || kind == "own" || kind == "table" || goal > 0 && (errs > 0 || kind == "pictures")) ||
						table && !slices.ContainsFunc(strings.Split(*listRows, ","), func(row string) bool { return strings.HasPrefix(name, row) }) {
						continue
					}
					if !table {
						seeds = map[int]int{0: 4, 3: 1}[goal]
					}
					checkListEnds(t, name, playLists(t, kind, n, goal, errs, seeds), goal > 0)
				}
			}
		}
	}
}

func playLists(t *testing.T, kind string, n, goal int, errs float64, seeds int) (out []listEnd) {
	for seed := range uint64(seeds) {
		out = append(out, playList(t, kind, n, goal, errs, 101+seed))
	}
	return out
}

// checkListEnds compares the ends of studies with what they promised and said. A shortlist may take longer: its end is sure of the set, or a budget.
func checkListEnds(t *testing.T, name string, all []listEnd, shortlist bool) {
	var said, held, ended float64
	within, latest, answers := 0, 0, []int{}
	for _, e := range all {
		if e.promised[0] <= e.answers && e.answers <= e.promised[1] && e.done {
			within++
		}
		latest = max(latest, e.answers)
		if answers = append(answers, e.answers); e.done {
			ended++
			said += e.said
			if e.held {
				held++
			}
		}
		if !shortlist && (!e.done || 2*e.answers > 3*e.promised[1]) {
			t.Errorf("%s: %d answers, %v were promised", name, e.answers, e.promised)
		}
	}
	slices.Sort(answers)
	n, promised := len(all), all[0].promised
	if *listSeeds > 0 {
		fmt.Printf("%s,%d,%d,%d,%d,%d,%d,%.2f,%.2f\n", name, n, promised[0], promised[1], within, latest, answers[n/2], said/ended, held/ended)
	}
	if !shortlist && 10*within < 7*n-5 {
		t.Errorf("%s: %d of %d studies ended within %v answers: %v", name, within, n, promised, answers)
	}
	if few := 2 * math.Sqrt(ended*0.25); held < said-few {
		t.Errorf("%s: %.0f of %.0f endings are true, of which they said %.1f", name, held, ended, said)
	}
}
