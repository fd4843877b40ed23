// Package media has the files behind the items of studies: pictures, sounds, films and texts, uploaded or in a folder that
// a study was made of. It tells what kind a file is by its ending, and whether a browser could show it. An upload is named by its content, and served under no other type than its ending's.
package media

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"mime"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/prefer-bo/prefer/space"
)

// Limits and kinds of files.
const (
	MaxUpload = 64 << 20                   // bytes of the files of one request of the API together
	MaxText   = 64 << 10                   // bytes of a text that becomes an item: it is kept in the log
	Unknown   = "application/octet-stream" // the type of a file that cannot be shown or played
)

// What may be brought through the page: one file, all at once, and how many of them.
const (
	MaxFile     = 1 << 30
	MaxTogether = 4 << 30
	MaxCount    = 10_000
)

// Files are where the media of studies lie.
type Files struct {
	// Uploads is the folder for uploaded files. Empty: nothing can be uploaded.
	Uploads string

	// Folders are where the media of a study lie that were not uploaded, by the study's name.
	Folders map[string]string

	// Held are contents of files that lie in no folder, by the names that items have for them, whatever the study.
	Held map[string][]byte

	// Prefix is where the server is mounted.
	Prefix string
}

// Upload is a file that was kept.
type Upload struct {
	Name  string `json:"name" doc:"The file's name."`
	Media string `json:"media" doc:"The name to use in an item."`
	Type  string `json:"type"`
	URL   string `json:"url"`
	Text  string `json:"-"` // of a text
}

// Item returns the item a file becomes.
func (u Upload) Item() space.Item {
	if u.Type == "text" {
		return space.Item{ID: u.Name, Text: u.Text}
	}
	return space.Item{ID: u.Name, Media: u.Media}
}

// Of returns where a page finds the media of an item. The sum of a known content is part of the address: a file that was changed since is not shown.
func (f *Files) Of(study string, item space.Item) string {
	at := f.URL(study, item.Media)
	if item.Sum == "" || !strings.HasPrefix(at, f.Prefix+"/m/") {
		return at
	}
	return at + "?sum=" + url.QueryEscape(item.Sum)
}

// Small returns where a page finds a thumbnail of the media of an item: beside a file on this server, else the media itself.
func (f *Files) Small(study string, item space.Item) string {
	at := f.Of(study, item)
	if !strings.HasPrefix(at, f.Prefix+"/m/") {
		return at
	}
	return at + map[bool]string{true: "&", false: "?"}[strings.Contains(at, "?")] + "small=1"
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

// Unreadable is a file that nobody could look at or listen to.
type Unreadable struct{ Name, Why string }

func (u Unreadable) Error() string { return fmt.Sprintf("%q: %s", u.Name, u.Why) }

// Name returns what the file of a part of a form is called, from its Content-Disposition: its path, if the browser tells one within a folder.
func Name(disposition string) string {
	_, said, err := mime.ParseMediaType(disposition)
	name := strings.ReplaceAll(said["filename"], "\\", "/")
	if err != nil || name == "" {
		return ""
	}
	if strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' { // where it was on a machine is nobody's business
		return path.Base(name)
	}
	return path.Clean("/" + name)[1:]
}

// Keep keeps a file in the folder of a study's uploads, under the hash of its content. One that nobody could look at is not kept: the error is an Unreadable.
func (f *Files) Keep(root *os.Root, study, name string, from io.Reader) (Upload, error) {
	u := Upload{Name: name, Type: Type(name)}
	if u.Type == "other" {
		return u, Unreadable{name, "it is neither image, sound, film nor text by its ending"}
	}
	half := rand.Text() + ".part" // a reader must not see half of it
	out, err := root.OpenFile(half, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return u, err
	}
	defer root.Remove(half)
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), io.LimitReader(from, MaxFile+1))
	switch {
	case err != nil:
	case n > MaxFile:
		err = Unreadable{name, fmt.Sprintf("it has more than %d MB", MaxFile>>20)}
	default:
		if why := Check(name, out); why != nil {
			err = Unreadable{name, why.Error()}
		} else if u.Type == "text" {
			if _, err = out.Seek(0, io.SeekStart); err == nil {
				u.Text, err = ReadText(out)
			}
		}
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return u, err
	}
	u.Media = fmt.Sprintf("%x%s", sum.Sum(nil)[:12], strings.ToLower(path.Ext(name)))
	u.URL = f.URL(study, u.Media)
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

// Rename has the uploads of a study be those of another that has none.
func (f *Files) Rename(study, to string) error {
	if err := os.RemoveAll(f.folder(to)); err != nil { // of a study that was deleted
		return err
	}
	return os.Rename(f.folder(study), f.folder(to))
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
func (f *Files) Read(study, name string) ([]byte, error) { return f.read(study, name, math.MaxInt64) }

// read reads at most so many bytes of a file on disk.
func (f *Files) read(study, name string, most int64) ([]byte, error) {
	if data, ok := f.Held[name]; ok {
		return data, nil
	}
	file, err := f.Open(study, name, true)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

// ReadText returns the beginning of a file of text that an item has, all of one that is no longer than MaxText.
func (f *Files) ReadText(study, name string) (string, error) {
	data, err := f.read(study, name, MaxText)
	return string(data), err
}

// types are the endings of media, and what they are served as: systems disagree about some.
var types = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".svg": "image/svg+xml", ".bmp": "image/bmp",
	".mp3": "audio/mpeg", ".wav": "audio/wav", ".ogg": "audio/ogg", ".oga": "audio/ogg", ".opus": "audio/ogg", ".flac": "audio/flac", ".m4a": "audio/mp4", ".aac": "audio/aac",
	".mp4": "video/mp4", ".m4v": "video/mp4", ".webm": "video/webm", ".ogv": "video/ogg", ".mov": "video/quicktime",
	".md": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8",
}

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

// Type returns the kind of media a name or an address stands for, by its ending: image, audio, video, text or other.
func Type(name string) string {
	if u, err := url.Parse(name); err == nil && u.Scheme != "" {
		name = u.Path
	}
	if kind, _, _ := strings.Cut(ContentType(name), "/"); things[kind] != "" {
		return kind
	}
	return "other"
}

// Thing is what people call one of these, given how many there are of each type.
func Thing(types map[string]int) string {
	for t := range types {
		if len(types) == 1 && things[t] != "" {
			return things[t]
		}
	}
	return "item"
}

var things = map[string]string{"image": "picture", "audio": "sound", "video": "film", "text": "text"}

// Browsers reports whether a file of this ending is one that every browser shows: a list of files is made of those.
func Browsers(name string) bool { return types[strings.ToLower(path.Ext(name))] != "" }

// Endings are those of Browsers, in words.
const Endings = ".png .jpg .jpeg .gif .webp .avif .svg .bmp, .mp3 .wav .ogg .oga .opus .flac .m4a .aac, .mp4 .m4v .webm .ogv .mov, .txt .md"
