package foreign

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// entry is a file in a zip.
type entry struct {
	name             string
	packed, unpacked uint64 // bytes; 0 where a zip that is cut off does not tell
	open             func() (io.ReadCloser, error)
}

// archive is a zip's files. In one that is cut off, they are those before the cut.
type archive struct {
	entries []entry
	cutOff  bool
}

// openZip reads a zip's directory. Where there is none, for it stands at the end and
// the file is cut off, the files are looked for one after the other from the beginning.
func openZip(r io.ReaderAt, size int64) (*archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		a := &archive{entries: salvage(r, size), cutOff: true}
		if len(a.entries) == 0 {
			return nil, fmt.Errorf("its zip directory cannot be read (%w): the file is cut off or damaged: get it again", err)
		}
		return a, nil
	}
	if len(z.File) > MaxEntries {
		return nil, fmt.Errorf("%w: %d files in the zip, at most %d are read", ErrTooLarge, len(z.File), MaxEntries)
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
// Their checksums are not looked at. It stops at the first file whose end is not known:
// that one is the last, and cut off.
func salvage(r io.ReaderAt, size int64) []entry {
	const headerSize = 30
	var out []entry
	left := int64(salvageBytes)
	for at := int64(0); at+headerSize <= size && len(out) < MaxEntries; {
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
		described := flags&8 != 0 // the sizes stand behind the file
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

// inflated reads a packed file to its end, and says how many bytes it unpacks to and
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

// afterDescriptor is where the next header begins behind a file whose sizes stand behind
// it: 12 to 24 bytes further.
func afterDescriptor(r io.ReaderAt, at int64) int64 {
	var b [32]byte
	n, _ := r.ReadAt(b[:], at) // fewer bytes at the end of the file
	if i := bytes.Index(b[:n], []byte("PK\x03\x04")); i >= 0 {
		return at + int64(i)
	}
	return at + int64(n)
}
