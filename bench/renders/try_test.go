package renders
import ("testing";"os";"fmt";"strconv";"time";"slices")
func TestTry(t *testing.T) {
	setup := os.Getenv("SETUP"); if setup == "" { t.Skip() }
	n, _ := strconv.Atoi(os.Getenv("N")); k, _ := strconv.Atoi(os.Getenv("TASTES")); a, _ := strconv.Atoi(os.Getenv("ANSWERS"));e, _ := strconv.Atoi(os.Getenv("EVERY"))
	own, _ := strconv.ParseFloat(os.Getenv("OWN"), 64)
	start := time.Now()
	all, err := Plan{Pictures: n, Tastes: k, Answers: a, Own: own, Setup: setup, Every: e}.Run(t.Context(), nil)
	if err != nil { t.Fatal(err) }
	var beats []float64; seen, most := 0, 0.0
	for _, p := range all { beats = append(beats, p.Beats); seen += p.Seen; most = max(most, p.Most) }
	slices.Sort(beats)
	fmt.Printf("%s n=%d own=%g: reached %d stayed %d; beats median %.3f worst %.3f; seen %d most %.2f; %v\n", setup, n, own, Median(all, func(p Played) int { return p.Reached }), Median(all, func(p Played) int { return p.Stayed }), beats[len(beats)/2], beats[0], seen/len(all), most, time.Since(start).Round(time.Second))
}
