package media

import (
	"mime"
	"net/url"
	"path"
	"strings"
)

// MaxText bounds a text that becomes an item: it is kept in the log.
const MaxText = 64 << 10

// types are the endings of media, and what they are served as: systems disagree about some.
var types = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".svg": "image/svg+xml", ".bmp": "image/bmp",
	".mp3": "audio/mpeg", ".wav": "audio/wav", ".ogg": "audio/ogg", ".oga": "audio/ogg", ".opus": "audio/ogg", ".flac": "audio/flac", ".m4a": "audio/mp4", ".aac": "audio/aac",
	".mp4": "video/mp4", ".m4v": "video/mp4", ".webm": "video/webm", ".ogv": "video/ogg", ".mov": "video/quicktime",
	".md": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8",
}

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

// Type returns the kind of media a name or an address stands for, by its ending: image, audio, video, text or other.
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
