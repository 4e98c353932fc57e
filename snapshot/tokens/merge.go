package tokens

// Merging: byte pair encoding starts from the single bytes of a piece and joins, as
// long as there is one, the neighbouring pair whose union is the token with the
// lowest rank, the leftmost of equals first.

// none is the rank of a pair that is no token.
const none = ^uint32(0)

// merger joins the bytes of one piece after another and keeps its memory.
type merger struct {
	ranks map[string]uint32
	parts []part
	heap  []candidate
}

// part is a stretch of the piece that begins at its index in merger.parts.
type part struct {
	prev, next int32 // where the neighbours begin; next is also where this one ends
	rank       uint32
}

// candidate is a pair that may be joined: the part that begins at at and the next
// one. It is out of date where that part's rank has changed since.
type candidate struct {
	rank uint32
	at   int32
}

func (c candidate) before(o candidate) bool {
	return c.rank < o.rank || c.rank == o.rank && c.at < o.at
}

// merge yields the tokens of the piece with their lengths in bytes. A heap of
// candidates makes it n log n in the bytes of the piece.
func (m *merger) merge(piece string, yield func(id uint32, size int)) {
	n := int32(len(piece))
	m.parts, m.heap = m.parts[:0], m.heap[:0]
	for i := range n {
		m.parts = append(m.parts, part{prev: i - 1, next: i + 1, rank: none})
	}
	for i := range n {
		m.offer(piece, i)
	}
	for len(m.heap) > 0 {
		c := m.pop()
		p := &m.parts[c.at]
		if p.rank != c.rank {
			continue
		}
		gone := p.next
		m.parts[gone].rank = none
		p.next = m.parts[gone].next
		if p.next < n {
			m.parts[p.next].prev = c.at
		}
		m.offer(piece, c.at)
		if p.prev >= 0 {
			m.offer(piece, p.prev)
		}
	}
	for i := int32(0); i < n; {
		next := m.parts[i].next
		yield(m.ranks[piece[i:next]], int(next-i))
		i = next
	}
}

// offer works out what joining the part at i with its neighbour would give.
func (m *merger) offer(piece string, i int32) {
	p := &m.parts[i]
	p.rank = none
	if int(p.next) >= len(piece) {
		return
	}
	if rank, ok := m.ranks[piece[i:m.parts[p.next].next]]; ok {
		p.rank = rank
		m.push(candidate{rank, i})
	}
}

func (m *merger) push(c candidate) {
	m.heap = append(m.heap, c)
	i := len(m.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !c.before(m.heap[up]) {
			break
		}
		m.heap[i] = m.heap[up]
		i = up
	}
	m.heap[i] = c
}

func (m *merger) pop() candidate {
	top, end := m.heap[0], len(m.heap)-1
	c := m.heap[end]
	m.heap = m.heap[:end]
	i := 0
	for {
		down := 2*i + 1
		if down >= end {
			break
		}
		if right := down + 1; right < end && m.heap[right].before(m.heap[down]) {
			down = right
		}
		if !m.heap[down].before(c) {
			break
		}
		m.heap[i] = m.heap[down]
		i = down
	}
	if end > 0 {
		m.heap[i] = c
	}
	return top
}
