package page

import (
	"net/url"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/space"
)

// TestContextPages: a link without a context asks for it, in a form whose every choice is an address; one with it has it in all options; the
// result is under one setting and leads to the others.
func TestContextPages(t *testing.T) {
	noise := space.Categorical("noise", "quiet", "babble, loud")
	outside := space.Float("outside", -20, 40)
	noise.Context, outside.Context = true, true
	look := told(t, 0, prefer.Config{Space: space.Box(space.Float("gain", 0, 40), noise, outside)}, nil)
	page := look("/s/tea?more=1")
	for _, want := range []string{`<select name="fixed" required><option value=""></option>`, `<option value="{&#34;noise&#34;:&#34;babble, loud&#34;}">babble, loud</option>`, `<input name="fixed" required value="outside=">`, `<input type="hidden" name="more" value="1">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page that asks for the situation has no %s: %s", want, page)
		}
	}
	if page := look("/s/tea?" + url.Values{"fixed": {"noise=quiet"}}.Encode()); !strings.Contains(page, `value="outside="`) {
		t.Error("with one of two contexts it does not ask for the other")
	}
	at := url.Values{"fixed": {`{"noise":"babble, loud"}`, "outside=21.5"}}.Encode()
	if page := look("/s/tea?" + at); !strings.Contains(page, `data-fixed="{&#34;noise&#34;:&#34;babble, loud&#34;,&#34;outside&#34;:21.5}"`) || strings.Contains(page, "data-skip") {
		t.Errorf("under a context: %s", page)
	}

	tea := space.Categorical("tea", "black", "green")
	tea.Context = true
	look = told(t, 0, prefer.Config{Space: space.Box(space.Float("sugar", 0, 5), tea)}, nil)
	if page := look("/s/tea"); !strings.Contains(page, `<button class="large" name="fixed" value="{&#34;tea&#34;:&#34;green&#34;}"><bdi>green</bdi></button>`) || strings.Contains(page, `type="submit"`) {
		t.Errorf("one context is not chosen by one press: %s", page)
	}
	page = look("/s/tea/result")
	if !strings.Contains(page, "Under tea black") || !strings.Contains(page, `href="?fixed=%7B%22tea%22%3A%22green%22%7D"`) {
		t.Errorf("the result does not say under what, or does not lead to the others: %s", page)
	}
	if page := look("/s/tea/result?fixed=tea=green"); !strings.Contains(page, "Under tea green") || !strings.Contains(page, "%22black%22") {
		t.Errorf("the result under green: %s", page)
	}
}
