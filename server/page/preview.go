package page

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/prefer-bo/prefer/server/problem"
)

//go:embed static/stage.html
var stagePage string

// stage is the page in which the form previews a template before there is a study: an origin of its own, what it shows is sent to it as a
// message and goes no further. Like a drawing of kind html it has no network; ?origin= lets it show pictures and pages from that one place, as a
// study of kind image or page would, and from no other.
func (p *Pages) stage(w http.ResponseWriter, r *http.Request) error {
	from := ""
	if text := r.URL.Query().Get("origin"); text != "" {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || text != u.Scheme+"://"+u.Host || strings.ContainsAny(text, " ;,'\"*") {
			return problem.Field("query.origin", text, fmt.Sprintf("origin is %.80q, want a scheme and a host like https://example.org", text))
		}
		from = " " + text
	}
	h := w.Header()
	h.Del("X-Frame-Options") // the policy says it better
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"+from+
		"; font-src data:; media-src data: blob:; frame-src"+cmp.Or(from, " 'none'")+"; frame-ancestors 'self'")
	_, err := io.WriteString(w, stagePage)
	return err
}
