package media

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

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

// completeJPEG goes from marker to marker until EOI after a scan (ITU-T T.81, annex B). A segment has its length, so that a preview
// within the metadata is passed over; in the data of a scan 0xFF is followed by 0 or the number of a restart.
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

// completeGIF goes from block to block until the trailer (GIF89a, section 27). After a whole image the trailer may be missing: some
// programs forget it, and everything can be seen.
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
