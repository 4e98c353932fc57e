package importer

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/refscope/refscope/snapshot"
	"golang.org/x/image/webp"
)

// entry is a file in a zip.
type entry struct {
	name             string
	packed, unpacked uint64 // bytes; 0 if unknown, in a zip that is cut off
	open             func() (io.ReadCloser, error)
}

// archive is a zip's files. In one that is cut off, they are those before the cut.
type archive struct {
	entries []entry
	cutOff  bool
}

// openZip reads a zip's directory. Where there is none, for it is at the end and
// the file is cut off, the files are looked for one after the other from the beginning.
func openZip(r io.ReaderAt, size int64) (*archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		a := &archive{entries: salvage(r, size), cutOff: true}
		if len(a.entries) == 0 {
			return nil, fmt.Errorf(
				"its zip directory cannot be read (%w): the file is cut off or damaged: get it again", err)
		}
		return a, nil
	}
	if len(z.File) > maxEntries {
		return nil, fmt.Errorf("%w: %d files in the zip, at most %d are read", ErrTooLarge, len(z.File), maxEntries)
	}
	a := &archive{}
	for _, f := range z.File {
		a.entries = append(a.entries, entry{f.Name, f.CompressedSize64, f.UncompressedSize64, f.Open})
	}
	return a, nil
}

// salvageBytes is how much is unpacked, at most, to find where files end.
const salvageBytes = 1 << 30

// salvage finds the files of a zip by the headers in front of them (APPNOTE.TXT, 4.3.7).
// Their checksums are not looked at. It stops at the first file whose end is unknown:
// that one is the last, and cut off.
func salvage(r io.ReaderAt, size int64) []entry {
	const headerSize = 30
	var out []entry
	left := int64(salvageBytes)
	for at := int64(0); at+headerSize <= size && len(out) < maxEntries; {
		var h [headerSize]byte
		if _, err := r.ReadAt(h[:], at); err != nil || !bytes.HasPrefix(h[:], []byte("PK\x03\x04")) {
			break
		}
		flags, method := binary.LittleEndian.Uint16(h[6:]), binary.LittleEndian.Uint16(h[8:])
		packed := int64(binary.LittleEndian.Uint32(h[18:]))
		unpacked := int64(binary.LittleEndian.Uint32(h[22:]))
		names, extra := int64(binary.LittleEndian.Uint16(h[26:])), int64(binary.LittleEndian.Uint16(h[28:]))
		name := make([]byte, names)
		if _, err := r.ReadAt(name, at+headerSize); err != nil {
			break
		}
		from := at + headerSize + names + extra
		if from >= size || method != zip.Store && method != zip.Deflate || packed == 1<<32-1 {
			break
		}
		described := flags&8 != 0 // the sizes follow the file
		e := entry{name: string(name), packed: uint64(packed), unpacked: uint64(unpacked)}
		end := from + packed
		if described {
			e.packed, e.unpacked, end = 0, 0, size
			if method == zip.Deflate {
				if n, used, err := inflated(io.NewSectionReader(r, from, size-from), left); err == nil {
					e.packed, e.unpacked, end = uint64(used), uint64(n), from+used
					left -= n
				}
			}
		}
		section := io.NewSectionReader(r, from, min(end, size)-from)
		e.open = func() (io.ReadCloser, error) {
			in := io.NewSectionReader(section, 0, section.Size())
			if method == zip.Store {
				return io.NopCloser(in), nil
			}
			return flate.NewReader(in), nil
		}
		out = append(out, e)
		if end >= size {
			break
		}
		if described {
			end = afterDescriptor(r, end)
		}
		at = end
	}
	return out
}

// inflated reads a packed file to its end, and describes how many bytes it unpacks to and
// takes.
func inflated(r io.Reader, limit int64) (unpacked, packed int64, err error) {
	in := &counted{r: bufio.NewReaderSize(r, 64<<10)}
	z := flate.NewReader(in)
	defer z.Close()
	n, err := io.Copy(io.Discard, newBounded(z, limit))
	return n, in.n, err
}

// counted counts what is read byte by byte, so that nothing beyond the end is.
type counted struct {
	r *bufio.Reader
	n int64
}

func (c *counted) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// afterDescriptor is where the next header begins after a file whose sizes follow
// it: 12 to 24 bytes further.
func afterDescriptor(r io.ReaderAt, at int64) int64 {
	var b [32]byte
	n, _ := r.ReadAt(b[:], at) // fewer bytes at the end of the file
	if i := bytes.Index(b[:n], []byte("PK\x03\x04")); i >= 0 {
		return at + int64(i)
	}
	return at + int64(n)
}

// errLimit is the error of a reader that gave as much as it may.
var errLimit = errors.New("over the limit")

// bounded reads at most left bytes, then returns [errLimit] where more follow.
type bounded struct {
	r    io.Reader
	left int64
}

func newBounded(r io.Reader, limit int64) *bounded { return &bounded{r, limit} }

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		var one [1]byte
		if n, err := b.r.Read(one[:]); n == 0 {
			return 0, err
		}
		return 0, errLimit
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}

// eachLine calls fn with each line that is not empty, numbered from 1, and tooLong
// instead where a line is longer than max bytes. What fn gets is valid only in the
// call. It stops at the first error of fn or of the reader.
func eachLine(r io.Reader, max int, fn func(n int, line []byte) error, tooLong func(n int)) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for n := 1; ; n++ {
		line = line[:0]
		long := false
		var err error
		for {
			var piece []byte
			piece, err = in.ReadSlice('\n')
			if !long {
				if line = append(line, piece...); len(line) > max+1 {
					long = true
				}
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		switch {
		case long:
			tooLong(n)
		case len(line) > 0:
			if ferr := fn(n, line); ferr != nil {
				return ferr
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after line %d: %w", n, err)
		}
	}
}

// skipBOM is the reader behind a byte order mark.
func skipBOM(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	if b, err := in.Peek(3); err == nil && string(b) == "\xEF\xBB\xBF" {
		_, _ = in.Discard(3) // they are in the buffer
	}
	return in
}

// picturePNG is a picture file, PNG, JPEG or WebP, as the PNG that a turn holds, with its
// size in image px. A PNG that decodes is kept byte for byte. The declared size is
// checked before anything is decoded.
func picturePNG(data []byte) (out []byte, size image.Point, err error) {
	if len(data) > maxPicture {
		return nil, size, fmt.Errorf("it has %d bytes, at most %d are read", len(data), maxPicture)
	}
	kind, config, decode := "", image.Config{}, (func([]byte) (image.Image, error))(nil)
	in := bytes.NewReader(data)
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		kind = "PNG"
		config, err = png.DecodeConfig(in)
		decode = func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) }
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		kind = "JPEG"
		config, err = jpeg.DecodeConfig(in)
		decode = func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		kind = "WebP"
		config, err = webp.DecodeConfig(in)
		decode = func(b []byte) (image.Image, error) { return webp.Decode(bytes.NewReader(b)) }
	default:
		return nil, size, errors.New("it is no PNG, JPEG or WebP")
	}
	if err != nil {
		return nil, size, fmt.Errorf("its header as a %s is damaged: %w", kind, err)
	}
	if config.Width <= 0 || config.Height <= 0 || int64(config.Width)*int64(config.Height) > snapshot.MaxPixels {
		return nil, size, fmt.Errorf("it declares %d by %d px, at most %d px in all are decoded",
			config.Width, config.Height,
			snapshot.MaxPixels)
	}
	img, err := decode(data)
	if err != nil {
		return nil, size, fmt.Errorf("it cannot be decoded as %s: %w", kind, err)
	}
	size = img.Bounds().Size()
	if kind == "PNG" {
		return data, size, nil
	}
	// The encoder has a fast path for this kind of image, none for those of JPEG and WebP.
	flat := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(flat, flat.Bounds(), img, img.Bounds().Min, draw.Src)
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, flat); err != nil {
		return nil, size, fmt.Errorf("writing it as PNG: %w", err)
	}
	return b.Bytes(), size, nil
}
