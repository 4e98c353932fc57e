package turn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"strings"

	"github.com/klauspost/compress/zstd"
)

const (
	zstdMagic  = 0xFD2FB528
	skipMagic  = 0x184D2A50 // to 0x184D2A5F
	baseMagic  = 0x184D2A5E // our skippable frame, which names the base
	basePrefix = "refscope-base "
	// patchMax is the largest content, in bytes, that is stored as a difference:
	// the window of the frame has to hold base and content.
	patchMax = 64 << 20
	// patchMin is the smallest: a file takes a block of the disk whatever it holds.
	patchMin = 4 << 10
	// windowMax is the window that every Zstandard decoder has to support.
	windowMax = 8 << 20
)

// hashOf is the name of a part: the SHA-256 of its content, in hex.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// isHash reports whether s can be the name of a part.
func isHash(s string) bool {
	if len(s) != 2*sha256.Size {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func magicOf(b []byte) uint32 {
	if len(b) < 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

// isZstd reports whether bytes are a Zstandard file, or content that must be
// wrapped so as not to be taken for one.
func isZstd(b []byte) bool {
	m := magicOf(b)
	return m == zstdMagic || m&^0xF == skipMagic
}

// windowFor is the smallest window, a power of two, that holds n bytes. The
// encoder takes memory for all of it.
func windowFor(n int) int { return 1 << bits.Len(uint(max(n, zstd.MinWindowSize))) }

// levelFor is how hard n bytes are compressed. The tables of the better level cost
// an encoder 5 MB, whatever the content; below 64 KiB they gain about 4 %.
func levelFor(n int) zstd.EncoderLevel {
	if n < 64<<10 {
		return zstd.SpeedFastest
	}
	return zstd.SpeedBetterCompression
}

// compressor keeps the encoders of small contents, by their window: making one costs
// more than using it. It is for one goroutine.
type compressor struct{ small map[int]*zstd.Encoder }

// compress is content as a Zstandard file.
func (c *compressor) compress(content []byte) ([]byte, error) {
	level, window := levelFor(len(content)), min(windowFor(len(content)), windowMax)
	small := level == zstd.SpeedFastest
	if e := c.small[window]; small && e != nil {
		return e.EncodeAll(content, nil), nil
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(window))
	if err != nil {
		return nil, err
	}
	if !small {
		return e.EncodeAll(content, nil), e.Close()
	}
	if c.small == nil {
		c.small = map[int]*zstd.Encoder{}
	}
	c.small[window] = e
	return e.EncodeAll(content, nil), nil
}

// patch is content as a difference from base, the content of the part baseHash.
func patch(content, base []byte, baseHash string) ([]byte, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(levelFor(len(content))), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderDictRaw(0, base), zstd.WithWindowSize(windowFor(len(content)+len(base))))
	if err != nil {
		return nil, err
	}
	note := basePrefix + baseHash
	b := binary.LittleEndian.AppendUint32(nil, baseMagic)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(note)))
	b = append(b, note...)
	return e.EncodeAll(content, b), e.Close()
}

// baseOf is the base that a part file is a difference from, "" for none.
func baseOf(file []byte) (string, error) {
	if magicOf(file) != baseMagic || len(file) < 8 {
		return "", nil
	}
	n := binary.LittleEndian.Uint32(file[4:])
	if uint64(n) > uint64(len(file)-8) {
		return "", errors.New("it is cut off")
	}
	hash, ok := bytes.CutPrefix(file[8:8+n], []byte(basePrefix))
	if !ok {
		return "", nil
	}
	if !isHash(string(hash)) {
		return "", errors.New("the name of its base is not a hash")
	}
	return string(hash), nil
}

// decompress undoes compress, and patch where base is given. The content must
// have size bytes; more is never unpacked.
func decompress(file, base []byte, size int64) ([]byte, error) {
	// The decoder counts a window, of 2 KiB for content of 1 KiB; the caller compares the size.
	o := []zstd.DOption{zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(uint64(max(size, 4*zstd.MinWindowSize))),
		zstd.WithDecoderMaxWindow(1 << 30)}
	if base != nil {
		o = append(o, zstd.WithDecoderDictRaw(0, base))
	}
	d, err := zstd.NewReader(nil, o...)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	b, err := d.DecodeAll(file, nil)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, fmt.Errorf("it unpacks to more than the %d bytes that the turn states", size)
	case err != nil:
		return nil, fmt.Errorf("it cannot be unpacked: %w", err)
	}
	return b, nil
}

// errSeal: the bytes are not those that were written.
var errSeal = errors.New("its checksum does not match: it was cut off or changed")

func crc(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// sealLine is v as one line of JSON, closed by a checksum and a line break. v
// must encode to an object with at least one member.
func sealLine(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	b = b[:len(b)-1]
	return fmt.Appendf(b, ",\"crc\":\"%08x\"}\n", crc(b)), nil
}

// sealFile is v as indented JSON for people, closed by a checksum.
func sealFile(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	b = bytes.TrimSuffix(b, []byte("\n}"))
	return fmt.Appendf(b, ",\n  \"crc\": \"%08x\"\n}\n", crc(b)), nil
}

// unseal checks the checksum of what sealLine or sealFile made and decodes it.
// The checksum holds no comma, so the last comma is the one in front of it.
func unseal(b []byte, v any) error {
	if err := checkSeal(b); err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// checkSeal compares the checksum of sealed bytes.
func checkSeal(b []byte) error {
	i := bytes.LastIndexByte(b, ',')
	if i < 0 {
		return errSeal
	}
	tail := strings.Join(strings.Fields(string(b[i+1:])), "")
	if tail != fmt.Sprintf(`"crc":"%08x"}`, crc(b[:i])) {
		return errSeal
	}
	return nil
}
