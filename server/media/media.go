// Package media is the files behind the items of studies: pictures, sounds, films and texts, uploaded or in a folder
// that a study was made of. A file is named by its content, and served to nobody under another type than its ending's.
package media

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/server/problem"
)

// MaxUpload bounds the files of one request together, MaxText a text file that becomes an item: its text is kept in the
// log.
const (
	MaxUpload = 64 << 20
	MaxText   = 64 << 10
)

// Files are where the media of studies lie.
type Files struct {
	// Uploads is the folder for uploaded files. Empty: nothing can be uploaded.
	Uploads string

	// Folders are where the media of a study lie that were not uploaded, by the study's name.
	Folders map[string]string

	// Prefix is where the server is mounted.
	Prefix string
}

// Upload is a file that was kept.
type Upload struct {
	Name  string `json:"name" doc:"What it was called."`
	Media string `json:"media" doc:"What an item calls it."`
	Type  string `json:"type"`
	URL   string `json:"url"`
	Text  string `json:"-"` // of a text
}

// Item returns the item a file becomes.
func (u Upload) Item() prefer.Item {
	if u.Type == "text" {
		return prefer.Item{ID: u.Name, Text: u.Text}
	}
	return prefer.Item{ID: u.Name, Media: u.Media}
}

// Show returns what a page needs to show the media of an item.
func (f *Files) Show(study, name string) *live.Media {
	return &live.Media{Type: Type(name), URL: f.URL(study, name)}
}

// URL returns where a page finds the media of an item: an address as it is, a file on this server.
func (f *Files) URL(study, name string) string {
	if u, err := url.Parse(name); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return name
	}
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return f.Prefix + "/m/" + url.PathEscape(study) + "/" + strings.Join(parts, "/")
}

// Type returns the kind of media a name stands for, by its ending: image, audio, video, text or other.
func Type(name string) string {
	if u, err := url.Parse(name); err == nil && u.Scheme != "" {
		name = u.Path
	}
	kind, _, _ := strings.Cut(ContentType(name), "/")
	switch kind {
	case "image", "audio", "video", "text":
		return kind
	}
	return "other"
}

// types are those that systems disagree about.
var types = map[string]string{".webp": "image/webp", ".avif": "image/avif", ".svg": "image/svg+xml", ".opus": "audio/ogg", ".oga": "audio/ogg",
	".ogg": "audio/ogg", ".flac": "audio/flac", ".m4a": "audio/mp4", ".aac": "audio/aac", ".mp3": "audio/mpeg", ".wav": "audio/wav", ".mp4": "video/mp4",
	".m4v": "video/mp4", ".webm": "video/webm", ".ogv": "video/ogg", ".mov": "video/quicktime", ".md": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8"}

// Unknown is the type of a file that is none of the media.
const Unknown = "application/octet-stream"

// ContentType returns the type a file is served as.
func ContentType(name string) string {
	ending := strings.ToLower(path.Ext(name))
	if t := types[ending]; t != "" {
		return t
	}
	if t := mime.TypeByExtension(ending); strings.HasPrefix(t, "image/") {
		return t
	}
	return Unknown
}

// Keep keeps a file of a form in the folder of a study's uploads, under the hash of its content: the same file again is
// the same file, and no name can be taken from another.
func (f *Files) Keep(root *os.Root, study string, part *multipart.Part) (Upload, error) {
	name := path.Base(strings.ReplaceAll(part.FileName(), "\\", "/"))
	u := Upload{Name: name, Type: Type(name)}
	data, err := io.ReadAll(part)
	switch {
	case err != nil:
		return u, problem.Field("body", name, "the file cannot be read: "+err.Error())
	case u.Type == "other":
		return u, problem.Field("body", name, fmt.Sprintf("%q is neither image, sound, film nor text by its ending", name))
	case u.Type == "text":
		if len(data) > MaxText || !utf8.Valid(data) {
			return u, problem.Field("body", name, fmt.Sprintf("%q is longer than %d KB or not UTF-8", name, MaxText>>10))
		}
		u.Text = string(data)
	}
	sum := sha256.Sum256(data)
	u.Media = fmt.Sprintf("%x%s", sum[:12], strings.ToLower(path.Ext(name)))
	u.URL = f.URL(study, u.Media)
	half := u.Media + ".part" // a reader must not see half of it
	if err := root.WriteFile(half, data, 0o600); err != nil {
		return u, err
	}
	return u, root.Rename(half, u.Media)
}

// folder is where the uploads of a study are. The name of a study, escaped, has nothing in it that leads elsewhere.
func (f *Files) folder(study string) string {
	return filepath.Join(f.Uploads, "study "+url.PathEscape(study))
}

// Remove deletes the uploads of a study.
func (f *Files) Remove(study string) error {
	if f.Uploads == "" {
		return nil
	}
	return os.RemoveAll(f.folder(study))
}

// Root opens the folder of a study's uploads, and makes it if need be.
func (f *Files) Root(study string) (*os.Root, error) {
	if err := os.MkdirAll(f.folder(study), 0o700); err != nil {
		return nil, err
	}
	return os.OpenRoot(f.folder(study))
}

// Open opens a file of the folder a study was made of, if an item has it, or of its uploads.
func (f *Files) Open(study, name string, item bool) (*os.File, error) {
	if dir := f.Folders[study]; dir != "" && item {
		if file, err := os.OpenInRoot(dir, name); err == nil {
			return file, nil
		}
	}
	if f.Uploads == "" {
		return nil, fs.ErrNotExist
	}
	return os.OpenInRoot(f.folder(study), name)
}

// Read returns a file that an item has.
func (f *Files) Read(study, name string) ([]byte, error) {
	file, err := f.Open(study, name, true)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
