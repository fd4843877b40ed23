package pixels

import (
	"errors"
	"fmt"
	"image"
	_ "image/gif" // formats that are read
	_ "image/jpeg"
	_ "image/png"
	"io"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/webp"
)

// MaxPixels is the size of the largest picture that is read: 400 MB of memory, if it has four bytes to a pixel.
const MaxPixels = 100 << 20

// ErrLarge is wrapped by the error about a picture of more pixels.
var ErrLarge = errors.New("it has too many pixels")

// Size returns how many pixels a picture has, from its header.
func Size(r io.Reader) (int, error) {
	c, _, err := image.DecodeConfig(r)
	if err != nil {
		return 0, err
	}
	if c.Width < 1 || c.Height < 1 || c.Width > MaxPixels/c.Height {
		return 0, fmt.Errorf("%d × %d: %w, want at most %d million", c.Width, c.Height, ErrLarge, MaxPixels>>20)
	}
	return c.Width * c.Height, nil
}

// Read decodes a picture, PNG, JPEG, GIF, WebP or BMP, and describes it; of one that moves the first frame.
func Read(r io.ReadSeeker) (Features, error) {
	if _, err := Size(r); err != nil {
		return Features{}, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return Features{}, err
	}
	m, _, err := image.Decode(r)
	if err != nil {
		return Features{}, err
	}
	return Of(m), nil
}
