package report

import (
	"testing"
	"time"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/chart"
	"github.com/prefer-bo/prefer/internal/sentence"
	"github.com/prefer-bo/prefer/internal/view"
	"github.com/prefer-bo/prefer/say"
	"github.com/prefer-bo/prefer/space"
)

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		sentence.Percent(0.914): "91%", view.Decimal(-0.5): "−0.50", view.Decimal(-0.001): "0.00", view.Decimal(2.345): "2.35",
		chart.Number(space.ValueOf(12345)): "12345", chart.Number(space.ValueOf(-3)): "−3", chart.Number(space.ValueOf(0.123456)): "0.123", chart.Number(space.ValueOf("a-b")): "a-b",
		chart.Number(space.ValueOf(12345.678)): "12346", chart.Number(space.ValueOf(true)): "true",
		view.Seconds(0): "–", view.Seconds(1540 * time.Millisecond): "1.5 s", view.Seconds(90 * time.Second): "90 s", view.Seconds(20 * time.Minute): "20 min",
		say.Count(1, "item"): "1 item", say.Count(0, "item"): "0 items",
		view.Share(prefer.Share{Count: 12, Of: 20, Low: 0.387, High: 0.781}): "12 of 20, 60% [39, 78]", view.Share(prefer.Share{}): "–",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
