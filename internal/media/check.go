package media

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // formats that a header can be of
	_ "image/jpeg"
	_ "image/png"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/webp"
)

// Check reports why nobody could look at or listen to a file, in words for its owner; nil if there is nothing to be seen
// against it. Of a picture the header is read, and whether it has its end, which a copy that was cut short has not;
// a drawing must be XML to its end; a text must be one. Of films and sounds only the first bytes are looked at.
func Check(name string, f io.ReadSeeker) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	switch ending := strings.ToLower(path.Ext(name)); {
	case err != nil:
		return errors.New("it cannot be read")
	case size == 0:
		return errors.New("it is empty")
	case Type(name) == "text":
		_, err := ReadText(f)
		return err
	case ending == ".svg":
		return checkDrawing(f)
	case ending == ".avif":
		return checkBox(f)
	case !Browsers(name):
		return nil // a picture of a kind that this program does not know
	case Type(name) == "image":
		return checkPicture(f, size)
	}
	return checkPlayed(f)
}

// ReadText returns a text that is short enough for a log.
func ReadText(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxText+1))
	switch {
	case err != nil:
		return "", errors.New("it cannot be read")
	case len(data) > MaxText:
		return "", fmt.Errorf("it is longer than %d KB", MaxText>>10)
	case !utf8.Valid(data):
		return "", errors.New("it is not UTF-8")
	}
	return strings.TrimPrefix(string(data), "\ufeff"), nil
}

// checkPicture reads a header, and whether the picture has its end. Browsers go by the content, so a JPEG called .png is shown.
func checkPicture(f io.ReadSeeker, size int64) error {
	of, kind, err := image.DecodeConfig(f)
	switch {
	case errors.Is(err, image.ErrFormat):
		return errors.New("it is not a picture, whatever its name says")
	case err != nil:
		return errors.New("the picture is damaged")
	case of.Width < 1 || of.Height < 1:
		return errors.New("the picture has no size")
	}
	return checkEnd(kind, f, size)
}

// entity is how a drawing declares one, as some programs do for names of namespaces.
var entity = regexp.MustCompile(`<!ENTITY\s+(\w+)\s+["']([^"']*)["']`)

// checkDrawing reads all of an SVG: a browser shows nothing of one that is not well-formed, or that does not say what it is.
func checkDrawing(f io.Reader) error {
	const space = "http://www.w3.org/2000/svg"
	d := xml.NewDecoder(f)
	d.Entity = map[string]string{}
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for root := false; ; {
		token, err := d.Token()
		switch e := token.(type) {
		case nil:
			if err == io.EOF && root {
				return nil
			}
			return errors.New("the drawing is no SVG that can be read to its end")
		case xml.Directive:
			for _, m := range entity.FindAllSubmatch(e, -1) {
				d.Entity[string(m[1])] = string(m[2])
			}
		case xml.StartElement:
			if !root && e.Name != (xml.Name{Space: space, Local: "svg"}) {
				return fmt.Errorf("it does not begin with <svg xmlns=%q>, so that browsers show nothing", space)
			}
			root = true
		}
	}
}

// checkBox looks whether a file begins with the box that AVIF has.
func checkBox(f io.Reader) error {
	var head [12]byte
	if _, err := io.ReadFull(f, head[:]); err != nil || string(head[4:8]) != "ftyp" {
		return errors.New("it is not a picture, whatever its name says")
	}
	return nil
}

// checkPlayed looks whether the beginning of a film or sound may be one. There are many kinds, so only what surely is none
// is told apart: a text, a page, an archive.
func checkPlayed(f io.Reader) error {
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	head = head[:n]
	switch {
	case len(bytes.Trim(head, "\x00")) == 0:
		return errors.New("there is nothing but zeros in it")
	case !bytes.ContainsFunc(head, func(r rune) bool { return r == utf8.RuneError || r < ' ' && r != '\n' && r != '\r' && r != '\t' }) || bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return errors.New("it is neither film nor sound, whatever its name says")
	}
	return nil
}
