package codec

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"io"

	"github.com/klauspost/compress/zlib"
)

// quickRead reads the PNG that a browser makes of a page, of 8 bits for each of three or four colours, in half the time
// that image/png takes: that makes a copy in colours of its own first. false where it is another kind of PNG, is not
// opaque, or is damaged: whoever asks reads it the slow way then, which says what is wrong. The header was checked.
func quickRead(b []byte, width, height int) (*image.RGBA, bool) {
	const signature = "\x89PNG\r\n\x1a\n"
	if !bytes.HasPrefix(b, []byte(signature)) {
		return nil, false
	}
	var kind byte
	var data []io.Reader
	for at := len(signature); ; {
		if len(b)-at < 12 {
			return nil, false
		}
		size := int(binary.BigEndian.Uint32(b[at:]))
		if size < 0 || size > len(b)-at-12 {
			return nil, false
		}
		name, body := string(b[at+4:at+8]), b[at+8:at+8+size]
		if crc32.ChecksumIEEE(b[at+4:at+8+size]) != binary.BigEndian.Uint32(b[at+8+size:]) {
			return nil, false
		}
		switch name {
		case "IHDR":
			if size != 13 || kind != 0 || body[8] != 8 || body[9] != 2 && body[9] != 6 ||
				body[10]|body[11]|body[12] != 0 {
				return nil, false
			}
			kind = body[9]
		case "IDAT":
			data = append(data, bytes.NewReader(body))
		case "tRNS", "PLTE":
			return nil, false
		case "IEND":
			if kind == 0 || size != 0 || len(b) != at+12 {
				return nil, false
			}
			return quickPixels(io.MultiReader(data...), width, height, map[byte]int{2: 3, 6: 4}[kind])
		}
		at += 12 + size
	}
}

// quickPixels reads the lines of a picture of n bytes a pixel, 3 or 4, without their filters.
func quickPixels(data io.Reader, width, height, n int) (*image.RGBA, bool) {
	z, err := zlib.NewReader(data)
	if err != nil {
		return nil, false
	}
	defer func() { _ = z.Close() }() // it was read to its end
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	line, before := make([]byte, 1+width*n), make([]byte, 1+width*n)
	for y := range height {
		if _, err := io.ReadFull(z, line); err != nil || !unfilter(line[0], line[1:], before[1:], n) {
			return nil, false
		}
		out := img.Pix[y*img.Stride : y*img.Stride+4*width]
		switch n {
		case 3:
			for x, k := 0, 1; x < len(out); x, k = x+4, k+3 {
				p, q := line[k:k+3:k+3], out[x:x+4:x+4]
				q[0], q[1], q[2], q[3] = p[0], p[1], p[2], 0xff
			}
		default:
			copy(out, line[1:])
			for x := 3; x < len(out); x += 4 {
				if out[x] != 0xff {
					return nil, false
				}
			}
		}
		line, before = before, line
	}
	if n, err := z.Read(line[:1]); n != 0 || err != io.EOF { // the checksum is at the end
		return nil, false
	}
	return img, true
}

// unfilter takes the filter of one line away, by the line above (PNG 3, 9.2); false for a filter that is unknown.
func unfilter(filter byte, line, above []byte, n int) bool {
	switch filter {
	case 0:
	case 1:
		for i := n; i < len(line); i++ {
			line[i] += line[i-n]
		}
	case 2:
		for i := range line {
			line[i] += above[i]
		}
	case 3:
		for i := range min(n, len(line)) {
			line[i] += above[i] / 2
		}
		for i := n; i < len(line); i++ {
			line[i] += byte((int(line[i-n]) + int(above[i])) / 2)
		}
	case 4:
		for i := range min(n, len(line)) {
			line[i] += above[i]
		}
		for i := n; i < len(line); i++ {
			a, b, c := int(line[i-n]), int(above[i]), int(above[i-n])
			pa, pb, pc := b-c, a-c, a+b-2*c
			pa, pb, pc = max(pa, -pa), max(pb, -pb), max(pc, -pc)
			switch {
			case pa <= pb && pa <= pc:
				line[i] += byte(a)
			case pb <= pc:
				line[i] += byte(b)
			default:
				line[i] += byte(c)
			}
		}
	default:
		return false
	}
	return true
}
