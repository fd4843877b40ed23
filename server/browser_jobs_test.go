package server

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowserJobs: a click starts simulated people and returns at once; progress and then the sentence come by
// themselves, a reload finds them again, and a report can be opened.
func TestBrowserJobs(t *testing.T) {
	h := newPageHouse(t)
	h.want(201, "POST", "/v1/studies", tea, nil)
	b := h.open(t, newBrowser(t))
	b.size(1280, 1700, "light")
	b.visit("/")
	if to := b.text(`document.querySelector('.studies a[href$="#plan"]')?.getAttribute('href')`); to != "/s/tea/owner#plan" {
		t.Errorf("a study without answers offers %q", to)
	}
	b.visit("/s/tea/owner")
	b.wait(`document.querySelector('#simulate')`)
	if after := js[bool](b, `document.querySelector('#simulate').compareDocumentPosition(document.querySelector('#invite')) & Node.DOCUMENT_POSITION_PRECEDING && !document.querySelector('#simulate').checkVisibility() ? true : false`); !after {
		t.Error("before anybody has answered the simulation comes before the invitation")
	}
	b.visit("/s/tea/owner#plan")
	b.wait(`document.querySelector('#simulate').checkVisibility()`)
	js[bool](b, `document.querySelector('#sim-raters').value = 3, document.querySelector('#sim-questions').value = 12, document.querySelector('#sim-noise').value = 'prior,low,high', true`)
	b.do(chromedp.Click(chromedp.CSS("#simulate button")))
	b.wait(`document.querySelectorAll('#plan-state .told').length === 3 && document.querySelector('#plan-state').dataset.busy === 'false'`)
	sentence := b.text(`document.querySelector('#plan-state .told').textContent`)
	if !strings.HasPrefix(sentence, "In a simulation with 3 simulated participants") {
		t.Errorf("it says %q", sentence)
	}
	b.wait(`document.querySelector('#live').textContent.startsWith('In a simulation')`)
	b.audit("simulation, light")
	b.visit("/s/tea/owner")
	b.wait(`document.querySelector('#plan-state .told')`)
	if again := b.text(`document.querySelector('#plan-state .told')?.textContent`); again != sentence {
		t.Errorf("after a reload it says %q", again)
	}
	h.sayTea("ann", 2)
	js[bool](b, `document.querySelector('#report').closest('details').open = true, document.querySelector('#write button').focus(), true`)
	b.press(kb.Enter)
	b.wait(`document.querySelector('#report-state a')`)
	b.audit("report, light")
	page := b.text(`document.querySelector('#report-state a').getAttribute('href')`)
	b.size(1280, 1700, "dark")
	b.audit("jobs, dark")
	b.size(390, 844, "light")
	if over := js[float64](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("on a phone the page is %g px too wide", over)
	}
	b.shot("owner-jobs-phone")
	b.visit(page)
	if title := b.text(`document.querySelector('h1').textContent`); title != "tea" {
		t.Errorf("the report is headed %q", title)
	}
	b.shot("report")
}

// TestBrowserNoWorker: where nobody does the work the page says what to start.
func TestBrowserNoWorker(t *testing.T) {
	h := newTestServer(t, func(c *Config) { c.Runner = lonelyRunner{newSlowRunner(t, nil)} })
	h.want(201, "POST", "/v1/studies", tea, nil)
	b := h.open(t, newBrowser(t))
	b.visit("/s/tea/owner#plan")
	b.wait(`document.querySelector('#simulate').checkVisibility()`)
	b.do(chromedp.Click(chromedp.CSS("#simulate button")))
	b.wait(`document.querySelector('#plan-state code')?.textContent.startsWith('prefer worker')`)
	b.audit("no worker")
}
