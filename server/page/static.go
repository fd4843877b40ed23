package page

import (
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/prefer-bo/prefer/internal/chart"
)

// static sends a script, a picture, a font, or the sheet of styles.
func static(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	file := r.PathValue("file")
	if strings.HasSuffix(file, ".woff2") {
		w.Header().Set("Cache-Control", "public, max-age=2592000") // a font of another look has another name
		w.Header().Set("Content-Type", "font/woff2")               // which not every system knows
		http.ServeFileFS(w, r, chart.Fonts, "fonts/"+file)
		return
	}
	if file != "style.css" {
		http.ServeFileFS(w, r, files, "static/"+file)
		return
	}
	http.ServeContent(w, r, "style.css", time.Time{}, strings.NewReader(sheet()))
}

// sheet is the colours, styles/base.css, and after it that of all charts and, in the order of their names, the sheets of single parts of the pages: one request for all.
var sheet = sync.OnceValue(func() string {
	names, err := fs.Glob(files, "styles/*.css")
	if err != nil {
		panic(err) // a pattern that is no pattern
	}
	base, rest := "", ""
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		switch {
		case err != nil:
			panic(err) // it is in the program
		case name == "styles/base.css":
			base = string(text)
		default:
			rest += "\n" + string(text)
		}
	}
	return chart.Colours + base + "\n" + chart.Style + rest
})
