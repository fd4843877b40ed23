package media

import (
	"bufio"
	"bytes"
	"encoding/binary"
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

// Check reports why nobody could look at or listen to a file, in words for its owner, or nil. Of a picture the header and the end are read; a drawing must be
// XML to its end, a text UTF-8; of films and sounds only the first bytes are looked at.
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
			return errors.New("the drawing is not an SVG that can be read to its end")
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

// checkPlayed refuses files that are certainly neither film nor sound: a text, a page, an archive.
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

// errCut is the error about a picture that ends before its own format says so.
var errCut = errors.New("the picture is cut short")

// checkEnd goes through a picture until its end, without decoding it. kind is what package image calls the format.
func checkEnd(kind string, f io.ReadSeeker, size int64) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return errCut
	}
	var complete bool
	switch r := bufio.NewReaderSize(f, 64<<10); kind {
	case "png":
		complete = completePNG(f, size)
	case "jpeg":
		complete = completeJPEG(r)
	case "gif":
		complete = completeGIF(r)
	case "webp":
		complete = completeWebP(r, size)
	case "bmp":
		complete = completeBMP(r, size)
	default:
		return nil
	}
	if !complete {
		return errCut
	}
	return nil
}

// completePNG goes from chunk to chunk until IEND: length, four letters, so many bytes, a checksum.
func completePNG(f io.ReadSeeker, size int64) bool {
	var head [8]byte
	for at := int64(len("\x89PNG\r\n\x1a\n")); at+12 <= size; {
		if _, err := f.Seek(at, io.SeekStart); err != nil {
			return false
		}
		if _, err := io.ReadFull(f, head[:]); err != nil {
			return false
		}
		at += 12 + int64(binary.BigEndian.Uint32(head[:4]))
		if string(head[4:]) == "IEND" {
			return at <= size
		}
	}
	return false
}

// completeJPEG goes from marker to marker until EOI after a scan (ITU-T T.81, annex B). Segments have lengths; in a scan 0xFF is followed by 0 or a restart.
func completeJPEG(r *bufio.Reader) bool {
	const soi, eoi, sos, tem = 0xd8, 0xd9, 0xda, 0x01
	for scanned := false; ; {
		if skipTo(r, 0xff) != nil { // the data of a scan, or stray bytes, which browsers forgive
			return false
		}
		marker, err := r.ReadByte()
		for err == nil && marker == 0xff { // fill bytes
			marker, err = r.ReadByte()
		}
		switch restart := marker >= 0xd0 && marker <= 0xd7; {
		case err != nil:
			return false
		case marker == eoi:
			return scanned
		case marker == 0 || marker == soi || marker == tem || restart:
			continue
		}
		var length [2]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return false
		}
		n := int(binary.BigEndian.Uint16(length[:])) - len(length)
		if n < 0 {
			return false
		}
		if _, err := r.Discard(n); err != nil {
			return false
		}
		scanned = scanned || marker == sos
	}
}

// skipTo reads up to a byte, and the byte.
func skipTo(r *bufio.Reader, b byte) error {
	for {
		_, err := r.ReadSlice(b)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// completeGIF goes from block to block until the trailer (GIF89a, section 27), which some programs forget after a whole image.
func completeGIF(r *bufio.Reader) bool {
	table := func(flags byte) int { // bytes of the colours that may follow
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (1 + flags&7)
	}
	var head [13]byte // signature, and the screen
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return false
	}
	if _, err := r.Discard(table(head[10])); err != nil {
		return false
	}
	for shown := false; ; {
		kind, err := r.ReadByte()
		if err != nil {
			return shown
		}
		switch kind {
		case 0x3b: // trailer
			return true
		case 0x21: // an extension: its label
			_, err = r.Discard(1)
		case 0x2c: // an image: place and size, colours, width of its codes
			if _, err = io.ReadFull(r, head[:9]); err == nil {
				_, err = r.Discard(table(head[8]) + 1)
			}
		default:
			return shown
		}
		for n := byte(1); err == nil && n > 0; { // blocks of its data, the last of which is empty
			if n, err = r.ReadByte(); err == nil {
				_, err = r.Discard(int(n))
			}
		}
		if err != nil {
			return false
		}
		shown = shown || kind == 0x2c
	}
}

// completeWebP compares the length that the file says it has with the one it has.
func completeWebP(r io.Reader, size int64) bool {
	var head [8]byte // RIFF, and how many bytes follow
	_, err := io.ReadFull(r, head[:])
	return err == nil && int64(binary.LittleEndian.Uint32(head[4:]))+int64(len(head)) <= size
}

// completeBMP computes where the last row ends. Package bmp has refused what is compressed.
func completeBMP(r io.Reader, size int64) bool {
	var head [30]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return false
	}
	number := func(at int) int64 { return int64(int32(binary.LittleEndian.Uint32(head[at:]))) }
	width, height, bits := number(18), number(22), int64(binary.LittleEndian.Uint16(head[28:]))
	row := (width*bits + 31) / 32 * 4
	return number(10)+row*max(height, -height) <= size
}
