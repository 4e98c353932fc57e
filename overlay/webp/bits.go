package webp

import mathbits "math/bits"

// bits collects bits, the lowest first.
type bits struct {
	out  []byte
	word uint64
	n    uint
}

// put adds the n lowest bits of v, 32 at most; the others are zero.
func (b *bits) put(v uint32, n uint) {
	b.word |= uint64(v) << b.n
	for b.n += n; b.n >= 8; b.n -= 8 {
		b.out = append(b.out, byte(b.word))
		b.word >>= 8
	}
}

func (b *bits) flag(v bool) {
	if v {
		b.put(1, 1)
		return
	}
	b.put(0, 1)
}

// bytes ends the stream: the last byte is filled with zeros.
func (b *bits) bytes() []byte {
	if b.n > 0 {
		b.put(0, 8-b.n)
	}
	return b.out
}

// prefix is the code of a length or distance, 1 or more, and the bits that follow it
// (LZ77 Backward Reference): up to 4 are their own code, then two codes share every
// power of two.
func prefix(v int32) (code int, n uint, extra uint32) {
	u := uint32(v - 1)
	if u < 4 {
		return int(u), 0, 0
	}
	high := uint(mathbits.Len32(u) - 1)
	n = high - 1
	return int(2*high) + int(u>>n&1), n, u & (1<<n - 1)
}
