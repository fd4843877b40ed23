// A program outside the module: a study, a list, two raters, a store, a method of its own and a mounted handler, with public packages only.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/acquisition"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// corners asks about the farthest corners of the cube.
func corners(_ context.Context, t acquisition.Task) (acquisition.Choice, error) {
	d := t.Posterior.Dim()
	c := acquisition.Choice{A: make([]float64, d), B: make([]float64, d), Value: math.NaN()}
	for i := range c.B {
		c.B[i] = 1
	}
	return c, nil
}

// play answers n questions of a rater who likes large values.
func play(ctx context.Context, s *prefer.Study, rater string, n int, utility func(space.Option) float64) error {
	for range n {
		q, err := s.Ask(ctx, prefer.Request{Rater: rater})
		if err != nil {
			return err
		}
		choice := prefer.First
		if utility(q.Second) > utility(q.First) {
			choice = prefer.Second
		}
		if _, err := s.Tell(ctx, q.ID, prefer.Answer{Choice: choice}); err != nil {
			return err
		}
	}
	return nil
}

func run(ctx context.Context, folder string) error {
	sugar := func(o space.Option) float64 { return o.Float("sugar") }
	tea := space.Box(space.Float("sugar", 0, 10), space.Float("degrees", 40, 100))

	alone, err := prefer.New(ctx, prefer.Config{Space: tea})
	if err != nil {
		return err
	}
	if err := play(ctx, alone, "", 10, sugar); err != nil {
		return err
	}
	verdict, err := alone.Verdict(ctx, prefer.Look{})
	if err != nil {
		return err
	}
	fmt.Println("study:", verdict.Answers, "answers, much sugar:", sugar(verdict.Best.Option) > 5)

	st, err := sqlstore.Open(ctx, folder+"/studies.db", sqlstore.Options{Choosers: map[string]acquisition.Method{"corners": corners}})
	if err != nil {
		return err
	}
	defer st.Close()
	list, err := st.Create(ctx, "names", prefer.Config{Space: space.Space{Items: []space.Item{{ID: "Ada"}, {ID: "Bo"}, {ID: "Cleo"}}}})
	if err != nil {
		return err
	}
	if err := play(ctx, list, "", 4, func(o space.Option) float64 { return float64(len(o.Item())) }); err != nil {
		return err
	}
	belief, err := list.Belief(ctx, prefer.Look{})
	if err != nil {
		return err
	}
	fmt.Println("list:", belief.Ranking(1)[0].Option.Item())

	pair, err := st.Create(ctx, "tea", prefer.Config{Space: tea, People: prefer.PerRater, Method: "corners", Chooser: corners})
	if err != nil {
		return err
	}
	for _, rater := range []string{"ann", "bob"} {
		if err := play(ctx, pair, rater, 3, sugar); err != nil {
			return err
		}
	}
	group, err := pair.Group(ctx, prefer.Look{})
	if err != nil {
		return err
	}
	again, err := st.Study(ctx, "tea")
	if err != nil {
		return err
	}
	fmt.Println("raters:", group.Raters, "kept:", again.Seq() == pair.Seq())

	srv, err := server.New(server.Config{Store: st, Prefix: "/taste", OwnerToken: "a token of the owner"})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/taste/", srv.Handler())
	site := httptest.NewServer(mux)
	defer site.Close()
	req, err := http.NewRequestWithContext(ctx, "GET", site.URL+"/taste/v1/studies/tea", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer a token of the owner")
	reply, err := site.Client().Do(req)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	_, err = io.Copy(io.Discard, reply.Body)
	fmt.Println("handler:", reply.StatusCode)
	return err
}

func main() {
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}
