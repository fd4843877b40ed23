//go:build !js

package pack

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/internal/language"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/xslices"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/logfile"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store"
)

//go:embed loader.js
var loader string

//go:embed loader.css
var style string

//go:embed worker.js
var worker string

//go:embed file.html
var frame string

// File is what goes into one HTML file.
type File struct {
	// Name is that of the study.
	Name string

	// Config is the study. Everybody who opens the file has the same, seed included.
	Config prefer.Config

	// Log, in place of Config, is how a running study was made and changed (logfile.Beginning), so that answers can go back into it.
	Log []prefer.Event

	// Settings are how it is run: checks, practice, whether people see the result, how it looks.
	Settings live.Settings

	// Read returns the file that an item calls its media. Nil: no item has one.
	Read func(name string) ([]byte, error)

	// Limit is how many bytes the media may have together. Defaults to 25 MB (MaxMedia).
	Limit int64

	// Upload is the address that answers can be sent to, and Token what is shown there. Empty: they can be saved, and go nowhere.
	Upload, Token string

	// Core is the program that runs in the page. Defaults to what FindCore finds.
	Core Core
}

// MaxMedia is how many bytes the media of a file may have together, unless it says otherwise.
const MaxMedia = 25 << 20

// Write makes the study and writes the file. The same File with the same clock and seed is the same bytes.
func Write(ctx context.Context, w io.Writer, f File) error {
	study, err := f.open(ctx)
	connect, bad := f.connects()
	if err = cmp.Or(err, bad); err != nil {
		return err
	}
	files, texts, err := f.media(study.Items(false))
	if err != nil {
		return err
	}
	packed, err := json.Marshal(Study{Name: f.Name, Log: study.Events(0), Settings: f.Settings, Texts: texts, Upload: f.Upload})
	if err != nil {
		return err
	}
	if len(f.Core.Program) == 0 {
		if f.Core, err = FindCore(ctx); err != nil {
			return &CoreError{err}
		}
	}
	sum := sha256.Sum256(packed)
	page, err := json.Marshal(map[string]any{
		"name": f.Name, "id": fmt.Sprintf("%x", sum[:12]), "study": string(packed), "worker": f.Core.Runtime + "\n" + worker, "upload": f.Upload, "token": f.Token,
		"language": f.Settings.Page.Language, "words": words(),
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, frame, html.EscapeString(f.policy(connect)), html.EscapeString(cmp.Or(study.Config().Prompt, f.Name)), style, page, base64.StdEncoding.EncodeToString(f.Core.Program))
	for _, m := range files {
		fmt.Fprintf(out, "<script type=\"text/plain\" data-media=\"%s\" data-type=\"%s\">%s</script>\n", html.EscapeString(m.name), html.EscapeString(media.ContentType(m.name)), base64.StdEncoding.EncodeToString(m.data))
	}
	fmt.Fprintf(out, "<script>%s</script>\n</body>\n</html>\n", loader)
	return out.Flush()
}

func (f File) open(ctx context.Context) (*prefer.Study, error) {
	if f.Log != nil {
		return prefer.Open(ctx, f.Log, prefer.OpenOptions{})
	}
	cfg := f.Config
	cfg.Journal = nil
	if err := f.Settings.Validate(ctx, cfg); err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	cfg.Budget = cmp.Or(cfg.Budget, f.Settings.Page.Goal)
	return prefer.New(ctx, cfg)
}

func (f File) connects() (string, error) {
	if f.Upload == "" {
		if f.Token != "" {
			return "", fmt.Errorf("pack: an upload token without an address to upload to")
		}
		return "'none'", nil
	}
	u, err := url.Parse(f.Upload)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || strings.ContainsAny(u.Host, " ;,'\"") {
		return "", fmt.Errorf("pack: upload is %.80q, want an address like https://prefer.example.org/v1/upload", f.Upload)
	}
	if f.Token == "" {
		return "", fmt.Errorf("pack: upload to %s without a token: the study's owner makes one", f.Upload)
	}
	return u.Scheme + "://" + u.Host, nil
}

// policy is what the file may do: run what is in it, and connect to where answers are sent. A drawing in HTML that has scripts brings them inline.
func (f File) policy(connect string) string {
	sum := sha256.Sum256([]byte(loader))
	scripts := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	if f.Settings.Page.Template.Kind == "html" {
		scripts = "'unsafe-inline'"
	}
	return strings.Join([]string{"default-src 'none'", "script-src " + scripts + " blob: 'wasm-unsafe-eval'", "worker-src blob:", "style-src 'unsafe-inline'",
		"img-src data: blob:", "media-src data: blob:", "font-src data: blob:", "connect-src " + connect, "form-action 'none'", "base-uri 'none'"}, "; ")
}

// words are what the loader says, in all languages: it speaks before the core does.
func words() map[string]map[string]language.Entry {
	keys := xslices.Map(said.FindAllStringSubmatch(loader, -1), func(m []string) string { return m[1] })
	return xslices.ToMap(language.Tags(), func(tag string) (string, map[string]language.Entry) {
		in, _ := language.Of(tag)
		return tag, in.Entries(keys)
	})
}

// said is where the loader says something.
var said = regexp.MustCompile(`\bt\("([^"]+)"`)

// Current returns how a study of a store was made and changed, none of its answers, and how it is run.
func Current(ctx context.Context, st store.Store, name string, study *prefer.Study) ([]prefer.Event, live.Settings, error) {
	settings, err := live.SettingsIn(ctx, st, name, study)
	if err == nil && settings.Page.Paused {
		err = &live.Error{Code: live.Paused, Detail: "the study is paused, and so would be everybody's file for good: let people answer again, then pack it"}
	}
	return logfile.Beginning(study.Events(0)), settings, err
}

// carried is a file within the file.
type carried struct {
	name string
	data []byte
}

// media reads the files of items: texts for the core, which sanitizes them, the rest for the page. What lies elsewhere, or is too much, is refused.
func (f File) media(items []space.Item) (files []carried, texts map[string]string, err error) {
	if kind := f.Settings.Page.Template.Kind; kind == "image" || kind == "page" {
		return nil, nil, fmt.Errorf("pack: the template loads from %s, and a packed file has no network: use a template in SVG or HTML", f.Settings.Page.Template.Origin())
	}
	limit, total := cmp.Or(f.Limit, MaxMedia), int64(0)
	seen := map[string]bool{}
	texts = map[string]string{}
	var largest carried
	for _, it := range items {
		if it.Media == "" || seen[it.Media] {
			continue
		}
		seen[it.Media] = true
		if u, err := url.Parse(it.Media); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
			return nil, nil, fmt.Errorf("pack: item %q lies at %s, and a packed file has no network: save it, and name the file", it.ID, it.Media)
		}
		if f.Read == nil {
			return nil, nil, fmt.Errorf("pack: item %q has the file %q, and nothing says where files are", it.ID, it.Media)
		}
		data, err := f.Read(it.Media)
		if err != nil {
			return nil, nil, fmt.Errorf("pack: item %q: %w", it.ID, err)
		}
		total += int64(len(data))
		if media.Type(it.Media) == "text" {
			if len(data) > media.MaxText {
				return nil, nil, fmt.Errorf("pack: the text %q has %d bytes, want at most %d", it.Media, len(data), media.MaxText)
			}
			texts[it.Media] = string(data)
			continue
		}
		files = append(files, carried{it.Media, data})
		if len(data) > len(largest.data) {
			largest = files[len(files)-1]
		}
	}
	if total > limit {
		return nil, nil, fmt.Errorf("pack: %d files have %.1f MB together, the largest %q %.1f MB, want at most %.1f MB: make them smaller, or allow more", len(seen), mb(total), largest.name, mb(int64(len(largest.data))), mb(limit))
	}
	slices.SortFunc(files, func(a, b carried) int { return cmp.Compare(a.name, b.name) })
	return files, texts, nil
}

func mb(bytes int64) float64 { return float64(bytes) / (1 << 20) }
