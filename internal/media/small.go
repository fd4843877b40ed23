package media

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"golang.org/x/image/draw"
)

// Sizes of thumbnails.
const (
	smallSide = 480       // pixels of the longer side
	smallFile = 64 << 10  // bytes up to which a picture is its own thumbnail
	mostSmall = 64 << 20  // bytes of thumbnails that are kept in memory
	maxPixels = 100 << 20 // of a picture that is read: 400 MB of memory, if it has four bytes to a pixel
)

// Thumbnails makes small copies of pictures, each once, and keeps them in memory. It is safe for concurrent use.
type Thumbnails struct {
	mu   sync.Mutex
	made map[thumbnailOf][]byte // nil: the picture is its own
	size int
}

type thumbnailOf struct {
	study, name string
	at          time.Time
	size        int64
}

// Of returns a small copy of a picture and its type; nil where the picture itself is to be shown: it is small, moves, is a drawing, or cannot be made smaller.
// One picture is read at a time, since a large one takes much memory.
func (t *Thumbnails) Of(study, name string, f io.ReadSeeker, info os.FileInfo) ([]byte, string) {
	kind := ContentType(name)
	if info.Size() <= smallFile || kind != "image/png" && kind != "image/jpeg" && kind != "image/webp" && kind != "image/bmp" {
		return nil, ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	key := thumbnailOf{study, name, info.ModTime(), info.Size()}
	small, ok := t.made[key]
	if !ok {
		small = shrink(f)
		if t.made == nil || t.size+len(small) > mostSmall {
			t.made, t.size = map[thumbnailOf][]byte{}, 0
		}
		t.made[key], t.size = small, t.size+len(small)
	}
	if small == nil {
		return nil, ""
	}
	return small, "image/" + map[bool]string{true: "png", false: "jpeg"}[bytes.HasPrefix(small, []byte("\x89PNG"))]
}

// shrink returns a small copy of a picture; nil where there is none, as of one that is too large to read.
func shrink(f io.ReadSeeker) []byte {
	turned := isTurned(bufio.NewReader(f))
	if _, err := f.Seek(0, io.SeekStart); err != nil || turned {
		return nil
	}
	c, _, err := image.DecodeConfig(f)
	if err != nil || c.Width < 1 || c.Height < 1 || c.Width > maxPixels/c.Height {
		return nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil
	}
	m, _, err := image.Decode(f) // of one that moves the first frame
	if err != nil || max(m.Bounds().Dx(), m.Bounds().Dy()) <= smallSide {
		return nil
	}
	small, _, err := Shrink(m, smallSide)
	if err != nil {
		return nil
	}
	return small
}

// Shrink returns a picture whose longer side has at most so many pixels, as JPEG or, if it can be seen through, as PNG, and its type.
func Shrink(m image.Image, side int) ([]byte, string, error) {
	size := m.Bounds().Size()
	scale := math.Min(1, float64(side)/float64(max(size.X, size.Y)))
	small := image.NewNRGBA(image.Rect(0, 0, max(1, int(math.Round(scale*float64(size.X)))), max(1, int(math.Round(scale*float64(size.Y))))))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	if small.Opaque() {
		err := jpeg.Encode(&b, small, &jpeg.Options{Quality: 82})
		return b.Bytes(), "image/jpeg", err
	}
	err := png.Encode(&b, small)
	return b.Bytes(), "image/png", err
}

// isTurned reports whether a JPEG says in its Exif data that it is to be shown turned, which a copy would not say.
func isTurned(r *bufio.Reader) bool {
	head, _ := r.Peek(4096) // of a short file what there is
	_, exif, ok := bytes.Cut(head, []byte("Exif\x00\x00"))
	if !ok || len(exif) < 8 || !bytes.HasPrefix(head, []byte("\xff\xd8")) {
		return false
	}
	var order binary.ByteOrder = binary.BigEndian
	if exif[0] == 'I' {
		order = binary.LittleEndian
	}
	const orientation = 0x0112
	for at := int(order.Uint32(exif[4:])) + 2; at >= 2 && at+12 <= len(exif); at += 12 { // the entries of the first directory
		if order.Uint16(exif[at:]) == orientation {
			return order.Uint16(exif[at+8:]) > 1
		}
	}
	return false
}
