package chaos

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"time"
)

// makeStudies makes small studies that two cores can carry: most ask at random, some by expected utility of
// the best option, one in five by the knowledge gradient; every second one learns each rater's own taste.
func makeStudies(ctx context.Context, p plan, f *fleet, l *ledger) (names []string, err error) {
	c := client{fleet: f, random: rand.New(rand.NewPCG(p.seed, 0)), ledger: l}
	for i := range p.studies {
		name := fmt.Sprintf("study%02d", i)
		method := []string{"kg", "random", "eubo", "random", "random"}[i%5]
		people := []string{"shared", "per_rater"}[i/5%2]
		sent, err := c.sendOnce(ctx, "POST", "/v1/studies", smallStudy(name, i, method, people), http.StatusConflict)
		if err != nil {
			return nil, err
		}
		l.made(name, sent.last)
		names = append(names, name)
	}
	return names, nil
}

func smallStudy(name string, seed int, method, people string) map[string]any {
	return map[string]any{
		"name": name, "seed": seed, "method": method, "people": people,
		"search": map[string]int{"candidates": 64, "starts": 2, "finalists": 1, "evals": 30},
		"params": []map[string]any{{"name": "milk", "type": "float", "low": 0, "high": 1}, {"name": "sugar", "type": "float", "low": 0, "high": 5}},
	}
}

// question is what a rater is shown.
type question struct {
	ID      string `json:"question_id"`
	Options []struct {
		Params map[string]float64 `json:"params"`
	} `json:"options"`
}

// shown returns the options as the ledger has them.
func (q *question) shown() [2]string {
	return [2]string{string(text(q.Options[0].Params)), string(text(q.Options[1].Params))}
}

// rater is somebody with a favourite, who answers one study's questions.
type rater struct {
	client
	name, study string
	think       time.Duration
	milk, sugar float64 // their favourite
	open        string  // the question they have, empty for none
	answers     int
}

func newRater(p plan, i int, study string, f *fleet, l *ledger) *rater {
	r := rand.New(rand.NewPCG(p.seed, uint64(i)+1))
	return &rater{
		client: client{fleet: f, random: r, ledger: l},
		name:   fmt.Sprintf("rater%04d", i), study: study, think: p.think, milk: r.Float64(), sugar: 5 * r.Float64(),
	}
}

// work asks, looks and answers until ctx ends; an answer that was begun is finished.
func (r *rater) work(ctx context.Context) {
	lasting, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	if sleep(ctx, time.Duration(r.random.Float64()*float64(r.think))) != nil { // they do not come all at once
		return
	}
	var q *question
	for ctx.Err() == nil {
		if q == nil {
			if q = r.ask(lasting); q == nil {
				return
			}
		}
		if sleep(ctx, time.Duration(r.random.ExpFloat64()*float64(r.think))) != nil {
			return
		}
		if r.random.IntN(10) == 0 { // the page is loaded again
			if q = r.ask(lasting); q == nil {
				return
			}
		}
		var given *answer
		if given, q = r.tell(lasting, q, r.taste(q)); given == nil {
			return
		}
	}
}

// ask returns the question they should answer.
func (r *rater) ask(ctx context.Context) *question {
	var q question
	start := time.Now()
	_, err := r.send(ctx, "POST", "/v1/studies/"+r.study+"/ask", map[string]any{"rater": r.name}, &q)
	if err == nil && len(q.Options) != 2 {
		err = fmt.Errorf("question %s has %d options", q.ID, len(q.Options))
	}
	if err != nil {
		r.ledger.violated("%s asked: %v", r.name, err)
		return nil
	}
	r.ledger.took("ask", start)
	r.see(q.ID)
	return &q
}

// see holds a question against the one they have: until they have answered that, there is no other.
func (r *rater) see(id string) {
	if r.open != "" && r.open != id {
		r.ledger.violated("%s in %s was given %s while %s is open", r.name, r.study, id, r.open)
	}
	r.open = id
}

// taste returns which option they like better, as a rule.
func (r *rater) taste(q *question) string {
	if r.far(q.Options[0].Params) > r.far(q.Options[1].Params)+0.1*r.random.NormFloat64() {
		return "second"
	}
	return "first"
}

// key returns one that stays the same however often an answer is sent.
func (r *rater) key() string {
	r.answers++
	return fmt.Sprintf("%s-%d", r.name, r.answers)
}

// tell answers a question, and returns the next one if it came along; nil for an answer that was refused.
func (r *rater) tell(ctx context.Context, q *question, choice string) (given *answer, next *question) {
	given = r.ledger.gave(answer{study: r.study, rater: r.name, key: r.key(), question: q.ID, choice: choice, shown: q.shown(), next: r.random.IntN(4) > 0})
	path := "/v1/studies/" + r.study + "/tell"
	if given.next {
		path += "?next=true"
	}
	body := map[string]any{"rater": r.name, "question_id": q.ID, "choice": choice, "key": given.key}
	var out struct {
		Answer string    `json:"answer_id"`
		Next   *question `json:"next"`
	}
	start := time.Now()
	twice := r.random.IntN(20) == 0 // an impatient browser
	done := make(chan error, 1)
	if twice {
		impatient := client{fleet: r.fleet, random: rand.New(rand.NewPCG(r.random.Uint64(), 0)), ledger: r.ledger, pause: r.pause}
		go func() {
			_, err := impatient.send(ctx, "POST", "/v1/studies/"+r.study+"/tell", body, nil)
			done <- err
		}()
	}
	sent, err := r.send(ctx, "POST", path, body, &out)
	if twice {
		if again := <-done; again != nil && err == nil {
			err = again
		}
	}
	if err != nil {
		r.ledger.violated("%s told %s: %v", r.name, q.ID, err)
		return nil, nil
	}
	r.ledger.took("tell", start)
	r.ledger.kept(given, out.Answer, sent.last)
	if r.random.IntN(20) == 0 { // a page that was restored
		again := out
		if _, err := r.send(ctx, "POST", "/v1/studies/"+r.study+"/tell", body, &again); err != nil || again.Answer != out.Answer {
			r.ledger.violated("%s told %s again: %s, after %s (%v)", r.name, q.ID, again.Answer, out.Answer, err)
		}
	}
	r.open = ""
	if out.Next != nil {
		r.see(out.Next.ID)
	}
	return given, out.Next
}

// observe tells a duel nobody asked for.
func (r *rater) observe(ctx context.Context) *answer {
	winner, loser := map[string]float64{"milk": r.random.Float64(), "sugar": r.milk}, map[string]float64{"milk": r.random.Float64(), "sugar": r.sugar}
	given := r.ledger.gave(answer{study: r.study, rater: r.name, key: r.key(), choice: "first", shown: [2]string{string(text(winner)), string(text(loser))}})
	var out struct {
		Answer string `json:"answer_id"`
	}
	sent, err := r.send(ctx, "POST", "/v1/studies/"+r.study+"/tell", map[string]any{"rater": r.name, "winner": winner, "loser": loser, "key": given.key}, &out)
	if err != nil {
		r.ledger.violated("%s told a duel: %v", r.name, err)
		return nil
	}
	r.ledger.kept(given, out.Answer, sent.last)
	return given
}

// undo takes an answer back; its question is open again.
func (r *rater) undo(ctx context.Context, given *answer) bool {
	r.ledger.regrets(given)
	sent, err := r.sendOnce(ctx, "DELETE", "/v1/studies/"+given.study+"/answers/"+given.id, nil, http.StatusNotFound)
	if err != nil {
		r.ledger.violated("%s took %s back: %v", r.name, given.id, err)
		return false
	}
	r.ledger.undone(given, sent.last)
	r.open = given.question
	return true
}

// far is how far an option is from their favourite.
func (r *rater) far(o map[string]float64) float64 {
	return math.Hypot(o["milk"]-r.milk, (o["sugar"]-r.sugar)/5)
}
