package prefer_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/space"
)

// TestConceptFigures draws the figures of docs/concepts from a real posterior and from a table, and that of docs/results from another, and fails where a file differs. With -update it writes them.
func TestConceptFigures(t *testing.T) {
	for file, drawing := range map[string]string{"docs/concepts/belief.svg": beliefFigure(t), "docs/concepts/calibration.svg": calibrationFigure(t),
		"docs/results/growth.svg": growthFigure(t)} {
		if *update {
			if err := os.WriteFile(file, []byte(drawing), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if is, err := os.ReadFile(file); err != nil || !sameDrawing(string(is), drawing) {
			t.Errorf("%s is out of date (%v): go test . -run TestConceptFigures -update", file, err)
		}
	}
}

var numbers = regexp.MustCompile(`-?\d+(\.\d+)?`)

// sameDrawing reports whether two drawings differ in nothing but the last digit of coordinates, which are written to a tenth.
func sameDrawing(a, b string) bool {
	as, bs := numbers.FindAllString(a, -1), numbers.FindAllString(b, -1)
	if numbers.ReplaceAllString(a, "") != numbers.ReplaceAllString(b, "") || len(as) != len(bs) {
		return false
	}
	for i := range as {
		x, _ := strconv.ParseFloat(as[i], 64)
		y, _ := strconv.ParseFloat(bs[i], 64)
		if math.Abs(x-y) > 0.15 {
			return false
		}
	}
	return true
}

// figureStyle is the sheet of a figure that stands in a page of any colour: it brings its own background, light or dark as the reader's system is.
const figureStyle = `.paper { fill: var(--raised); } text { font: 13px system-ui, "Liberation Sans", sans-serif; fill: var(--soft); } .name { fill: var(--ink); font-weight: 600; }
.grid { stroke: var(--line); } .axis { stroke: var(--edge); } .band { fill: var(--accent); opacity: .18; } .curve { fill: none; stroke: var(--accent); stroke-width: 2.5; stroke-linejoin: round; }
.pick { stroke: var(--accent); stroke-dasharray: 4 3; } .picked { fill: var(--accent); font-weight: 600; } .asked { stroke: var(--edge); stroke-width: 1.5; } .option { fill: var(--warn); stroke: var(--raised); stroke-width: 1.5; }
.pair { stroke: var(--edge); stroke-width: 1.5; } .letter { fill: var(--warn); font-weight: 700; } .rugged { fill: var(--raised); stroke: var(--warn); stroke-width: 2; } .smooth { fill: var(--accent); stroke: var(--raised); stroke-width: 1.5; }
`

// styled ends a drawing and puts its style sheet in.
func styled(d *chart.Drawing) string {
	head, rest, _ := strings.Cut(string(d.HTML()), ">")
	return head + "><style>" + chart.Colours + figureStyle + "</style>" + strings.ReplaceAll(rest, "><", ">\n<") + "\n"
}

// sweetness is the belief about one parameter: how much better than the pick each amount of sugar is, in units of the noise, with its standard deviation.
type sweetness struct {
	answers  int
	mean, sd []float64
	best     float64
	asked    []float64 // amounts shown so far
}

const spoons = 10 // the end of the range

func spoonsOf(sugar float64) space.Option { return space.Option{"sugar": space.ValueOf(sugar)} }

func believe(t *testing.T, study *prefer.Study) (s sweetness) {
	t.Helper()
	belief, err := study.Belief(context.Background(), prefer.Look{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 101 {
		below, sd, err := belief.Below(spoonsOf(spoons * float64(i) / 100))
		if err != nil {
			t.Fatal(err)
		}
		s.mean, s.sd = append(s.mean, -below), append(s.sd, sd)
	}
	s.best, s.answers = belief.Best().Float("sugar"), belief.Answers
	for _, e := range study.History() {
		s.asked = append(s.asked, e.First.Float("sugar"), e.Second.Float("sugar"))
	}
	slices.Sort(s.asked)
	return s
}

// beliefFigure is the belief of a study of one parameter before and after the answer to one question. The first answers are given, so that the question is the same on
// every kind of processor.
func beliefFigure(t *testing.T) string {
	ctx := context.Background()
	study, err := prefer.New(ctx, prefer.Config{Space: space.Box(space.Float("sugar", 0, spoons)), Initial: -1, Modelling: prefer.Modelling{Margin: -1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, better := range [][2]float64{{2, 8}, {4, 9}, {2, 5}, {3, 5}} {
		duel := prefer.Duel{First: spoonsOf(better[0]), Second: spoonsOf(better[1]), Answer: prefer.Answer{Choice: prefer.First}}
		if _, err := study.Observe(ctx, duel); err != nil {
			t.Fatal(err)
		}
	}
	before := believe(t, study)
	q, err := study.Ask(ctx, prefer.Request{})
	if err != nil {
		t.Fatal(err)
	}
	choice, a, b := prefer.First, q.First.Float("sugar"), q.Second.Float("sugar")
	if a < b { // which of the two comes first is left to the last bits
		choice, a, b = prefer.Second, b, a
	}
	if _, err := study.Tell(ctx, q.ID, prefer.Answer{Choice: choice}); err != nil {
		t.Fatal(err)
	}
	after := believe(t, study)
	d := chart.New("", 760, 330, fmt.Sprintf("What a study believes about sugar after %d answers, and after the next one: the curve is the expected utility above or below the pick, the band its 90%% range.", before.answers))
	d.Rect("paper", 0, 0, 760, 330)
	before.draw(d, 20, a, b, fmt.Sprintf("After %d answers: is A or B better?", before.answers))
	after.draw(d, 395, a, b, "After the answer “A is better”")
	d.Text("", "middle", 380, 318, "spoons of sugar")
	return styled(d)
}

// draw is one panel, with the two amounts of the question.
func (s sweetness) draw(d *chart.Drawing, left, first, second float64, title string) {
	const width, top, bottom, high, low = 345, 48, 275, 5, -14
	x := func(sugar float64) float64 { return left + width*sugar/spoons }
	y := func(u float64) float64 { return top + (bottom-top)*(high-u)/(high-low) }
	at := func(of []float64, sugar float64) float64 { return of[int(math.Round(sugar/spoons*float64(len(of)-1)))] }
	d.Text("name", "start", left, 24, title)
	d.Line("grid", left, y(0), left+width, y(0))
	var curve, band [][2]float64
	for i := range s.mean {
		sugar := spoons * float64(i) / float64(len(s.mean)-1)
		_, up := chart.NineInTen(s.mean[i], s.sd[i])
		curve, band = append(curve, [2]float64{x(sugar), y(s.mean[i])}), append(band, [2]float64{x(sugar), y(up)})
	}
	for i := len(s.mean) - 1; i >= 0; i-- {
		down, _ := chart.NineInTen(s.mean[i], s.sd[i])
		band = append(band, [2]float64{curve[i][0], y(down)})
	}
	d.Clipped(left, top, width, bottom-top, func() {
		d.Path("band", true, band)
		d.Path("curve", false, curve)
	})
	d.Text("", "end", left+width-2, y(0)-5, "as good as the pick")
	d.Line("pick", x(s.best), top, x(s.best), bottom)
	d.Text("picked", "middle", max(x(s.best), left+12), top-4, "pick")
	for _, sugar := range s.asked {
		d.Line("asked", x(sugar), bottom, x(sugar), bottom+8)
	}
	d.Line("axis", left, bottom, left+width, bottom)
	for sugar := 0; sugar <= spoons; sugar += 2 {
		d.Text("", "middle", x(float64(sugar)), bottom+22, fmt.Sprint(sugar))
	}
	for i, sugar := range []float64{first, second} {
		d.Dot("option", x(sugar), y(at(s.mean, sugar)), 6, "")
		d.Text("letter", "middle", x(sugar)+12, y(at(s.mean, sugar))-9, "AB"[i:i+1])
	}
}

// statements are those of the calibration figure: the id in docs/results/statements.csv, what prefer says, and where the number of its dots stands beside the lower one.
var statements = []struct {
	id, says string
	dx, dy   float64
}{
	{"beats", "The pick beats this share of all options", -17, 5},
	{"few", "The pick is among the best few of a list", 8, -34},
	{"none-better", "Nothing is noticeably better than the pick", 10, 8},
	{"prediction", "You will choose this one", -5, -12},
	{"matters", "This parameter matters", 9, 5},
	{"matters-most", "This parameter matters most", -17, 5},
	{"order", "This item is better than the next", -17, 5},
	{"places", "This item is between places m and n", 10, 14},
}

// readTable returns the rows of a file of docs/results.
func readTable(t *testing.T, file string) [][]string {
	t.Helper()
	text, err := os.ReadFile("docs/results/" + file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// growthFigure shows how waiting grows with the answers of a study, both axes in ratios.
func growthFigure(t *testing.T) string {
	const left, top, right, bottom = 64, 30, 520, 330
	x := chart.Scale{Log: true, Low: 30, High: 10_000, From: left, To: right}
	y := chart.Scale{Log: true, Low: 5, High: 5_000, From: bottom, To: top}
	d := chart.New("", 760, 380, "Milliseconds that a rater waits for the first question after a study is opened, for the next question after an answer and for the pick, against the number of answers, both axes logarithmic.")
	d.Rect("paper", 0, 0, 760, 380)
	for _, v := range []float64{10, 100, 1000} {
		d.Line("grid", left, y.At(v), right, y.At(v))
		d.Text("", "end", left-8, y.At(v)+4, chart.Tick(v))
	}
	rows := readTable(t, "growth.csv")
	var labels []float64 // where they are, so that none covers another
	for _, column := range []struct{ name, says, class string }{
		{"first question (ms)", "first question, once opened", "asked"}, {"tell with next (ms)", "answer to next question, server", "pick"}, {"question (ms)", "question after an answer", "curve"}, {"best (ms)", "pick", "pair"},
	} {
		var points [][2]float64
		for _, row := range rows[1:] {
			n, _ := strconv.ParseFloat(row[0], 64)
			ms, err := strconv.ParseFloat(row[slices.Index(rows[0], column.name)], 64)
			if err != nil {
				t.Fatal(err)
			}
			points = append(points, [2]float64{x.At(n), y.At(ms)})
		}
		for i, p := range points {
			if i > 0 {
				d.Line(column.class, points[i-1][0], points[i-1][1], p[0], p[1])
			}
			d.Dot("smooth", p[0], p[1], 3.5, "")
		}
		label := points[len(points)-1][1] + 4
		for slices.ContainsFunc(labels, func(y float64) bool { return math.Abs(y-label) < 16 }) {
			label++
		}
		labels = append(labels, label)
		d.Text("", "start", right+10, label, column.says)
	}
	d.Line("axis", left, bottom, right, bottom)
	for _, n := range []float64{30, 100, 300, 1000, 3000, 10_000} {
		d.Text("", "middle", x.At(n), bottom+20, fmt.Sprintf("%.0f", n))
	}
	d.Text("", "middle", (left+right)/2, bottom+42, "answers in the study")
	d.Text("name", "start", left-44, 20, "milliseconds")
	return styled(d)
}

// calibrationFigure shows how often statements were true against how sure they were, from a table of rehearsed studies.
func calibrationFigure(t *testing.T) string {
	rows := readTable(t, "statements.csv")
	const left, top, side, low = 56, 34, 390, 0.4
	x := func(p float64) float64 { return left + side*(p-low)/(1-low) }
	y := func(p float64) float64 { return top + side*(1-p)/(1-low) }
	d := chart.New("", 800, 480, "How often statements of prefer were true, against the probability it gave them: near the diagonal for smooth preferences, below it for some statements about rugged ones.")
	d.Rect("paper", 0, 0, 800, 480)
	for p := low; p < 1.01; p += 0.1 {
		d.Line("grid", x(p), top, x(p), top+side)
		d.Line("grid", left, y(p), left+side, y(p))
		d.Text("", "middle", x(p), top+side+18, fmt.Sprintf("%.0f%%", 100*p))
		d.Text("", "end", left-8, y(p)+4, fmt.Sprintf("%.0f%%", 100*p))
	}
	d.Line("axis", x(low), y(low), x(1), y(1))
	d.Text("", "middle", left+side/2, top+side+40, "what prefer says")
	d.Text("", "start", left-40, 20, "how often it is true")
	d.Dot("smooth", 490, 60, 6, "")
	d.Text("", "start", 504, 65, "smooth taste")
	d.Dot("rugged", 620, 60, 6, "")
	d.Text("", "start", 634, 65, "rugged taste")
	for k, s := range statements {
		d.Text("name", "end", 496, float64(110+28*k), fmt.Sprint(k+1))
		d.Text("", "start", 506, float64(110+28*k), s.says)
		for _, r := range rows {
			if r[0] != "one" || r[1] != s.id {
				continue
			}
			var dots [2][2]float64
			for i := range dots {
				for j := range 2 {
					var err error
					if dots[i][j], err = strconv.ParseFloat(r[2+3*i+j], 64); err != nil {
						t.Fatal(err)
					}
				}
			}
			smooth, rugged := dots[0], dots[1]
			d.Line("pair", x(smooth[0]), y(smooth[1]), x(rugged[0]), y(rugged[1]))
			d.Dot("rugged", x(rugged[0]), y(rugged[1]), 6, "")
			d.Dot("smooth", x(smooth[0]), y(smooth[1]), 6, "")
			d.Text("name", "start", x(rugged[0])+s.dx, y(min(rugged[1], smooth[1]))+s.dy, fmt.Sprint(k+1))
		}
	}
	return styled(d)
}
