package webp

import (
	"container/heap"
	mathbits "math/bits"
)

// huffman is a canonical prefix code. A symbol alone takes no bits.
type huffman struct {
	lengths []uint8
	codes   []uint16 // reversed, as they are written
	used    int
}

// newHuffman makes the code for symbols that occur so often, no length over limit.
func newHuffman(counts []int, limit int) huffman {
	h := huffman{lengths: make([]uint8, len(counts)), codes: make([]uint16, len(counts))}
	last := 0
	for s, n := range counts {
		if n > 0 {
			h.used, last = h.used+1, s
		}
	}
	switch h.used {
	case 0:
		return h
	case 1:
		h.lengths[last] = 1
		return h
	}
	// Where the code is too deep, rare symbols are made less rare: with a floor of all
	// px over the number of symbols at last, every length is the same.
	for floor := 1; ; floor *= 2 {
		if lengths(counts, floor, h.lengths) <= limit {
			break
		}
	}
	var n [16]uint16 // codes of each length
	for _, l := range h.lengths {
		n[l]++
	}
	n[0] = 0
	var next [17]uint16
	for l := 1; l <= 15; l++ {
		next[l+1] = (next[l] + n[l]) << 1
	}
	for s, l := range h.lengths {
		if l > 0 {
			h.codes[s] = mathbits.Reverse16(next[l]) >> (16 - l)
			next[l]++
		}
	}
	return h
}

func (h *huffman) put(b *bits, symbol int) {
	if h.used > 1 {
		b.put(uint32(h.codes[symbol]), uint(h.lengths[symbol]))
	}
}

// node is a symbol or, from len(counts) on, two nodes together.
type node struct{ count, id int }

type nodes []node

func (h nodes) Len() int { return len(h) }
func (h nodes) Less(i, k int) bool {
	return h[i].count < h[k].count || h[i].count == h[k].count && h[i].id < h[k].id
}
func (h nodes) Swap(i, k int) { h[i], h[k] = h[k], h[i] }
func (h *nodes) Push(v any)   { *h = append(*h, v.(node)) }
func (h *nodes) Pop() any {
	v := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return v
}

// lengths sets the length of each symbol that occurs, counted as floor at least, and
// is the longest.
func lengths(counts []int, floor int, out []uint8) (longest int) {
	var h nodes
	for s, n := range counts {
		if n > 0 {
			h = append(h, node{max(n, floor), s})
		}
	}
	heap.Init(&h)
	parent := make([]int, len(counts)+len(h))
	next := len(counts)
	for ; len(h) > 1; next++ {
		a, c := heap.Pop(&h).(node), heap.Pop(&h).(node)
		parent[a.id], parent[c.id] = next, next
		heap.Push(&h, node{a.count + c.count, next})
	}
	depth := make([]int, next)
	for id := next - 2; id >= 0; id-- { // the root has none
		if id >= len(counts) || counts[id] > 0 {
			depth[id] = depth[parent[id]] + 1
		}
	}
	for s, n := range counts {
		out[s] = 0
		if n > 0 {
			out[s] = uint8(min(depth[s], 255))
			longest = max(longest, depth[s])
		}
	}
	return longest
}

// write writes the code itself (Simple and Normal Code Length Code): one or two symbols
// under 256 by name, else the lengths, which have a code of their own.
func (h *huffman) write(b *bits) {
	var symbols []int
	for s, l := range h.lengths {
		if l > 0 && len(symbols) < 3 {
			symbols = append(symbols, s)
		}
	}
	if len(symbols) == 0 {
		symbols = []int{0}
	}
	if n := len(symbols); n <= 2 && symbols[n-1] < 256 {
		b.flag(true)
		b.put(uint32(n-1), 1)
		b.flag(true) // the first has 8 bits, too
		for _, s := range symbols {
			b.put(uint32(s), 8)
		}
		return
	}
	b.flag(false)
	runs := h.runs()
	counts := make([]int, 19)
	for _, r := range runs {
		counts[r.symbol]++
	}
	own := newHuffman(counts, 7)
	order := [19]int{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	n := len(order)
	for n > 4 && own.lengths[order[n-1]] == 0 {
		n--
	}
	b.put(uint32(n-4), 4)
	for _, s := range order[:n] {
		b.put(uint32(own.lengths[s]), 3)
	}
	b.flag(false) // all symbols follow
	for _, r := range runs {
		own.put(b, r.symbol)
		b.put(r.extra, r.bits)
	}
}

// run is a length, or a repetition: 17 is 3 to 10 zeros, 18 is 11 to 138.
type run struct {
	symbol int
	extra  uint32
	bits   uint
}

func (h *huffman) runs() (out []run) {
	for i := 0; i < len(h.lengths); {
		zeros := 0
		for i+zeros < len(h.lengths) && h.lengths[i+zeros] == 0 && zeros < 138 {
			zeros++
		}
		switch {
		case zeros >= 11:
			out = append(out, run{18, uint32(zeros - 11), 7})
		case zeros >= 3:
			out = append(out, run{17, uint32(zeros - 3), 3})
		default:
			zeros = 1
			out = append(out, run{symbol: int(h.lengths[i])})
		}
		i += zeros
	}
	return out
}
