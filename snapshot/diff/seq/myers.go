package seq

// myers aligns a[a0:a1] with b[b0:b1] by splitting at a point of a shortest edit
// path, and both halves in turn. Neither range is empty, and they differ at both
// ends; inner ranges are trimmed here.
func (l *aligner) myers(a0, a1, b0, b1 int) {
	l.between(a0, a1, b0, b1, func(a0, a1, b0, b1 int) {
		x, y := l.split(a0, a1, b0, b1)
		l.myers(a0, x, b0, y)
		l.myers(x, a1, y, b1)
	})
}

// split is a point x, y through which a shortest edit path goes, or a good one
// where the search costs too much. It is neither the start nor the end of the
// ranges, which are not empty and differ at both ends.
//
// Diagonal k holds the points with (x-a0) - (y-b0) == k. The forward search keeps
// for each diagonal how far x gets with d edits from the start, the backward search
// how far it gets from the end; where they meet, the path is known.
func (l *aligner) split(a0, a1, b0, b1 int) (x, y int) {
	n, m := a1-a0, b1-b0
	limit := min((n+m+1)/2, maxCost)
	size := 2*limit + 3
	if len(l.forward) < size {
		l.forward, l.backward = make([]int, size), make([]int, size)
	}
	mid := limit + 1 // index of diagonal 0, of both searches
	fw, bw := l.forward, l.backward
	fw[mid+1], bw[mid+1] = 0, 0
	delta := n - m // backward diagonal k is forward diagonal delta-k
	for d := 0; d <= limit; d++ {
		for k := -d; k <= d; k += 2 {
			px := step(fw, mid, d, k)
			py := px - k
			for px < n && py < m && px >= 0 && py >= 0 && l.a[a0+px] == l.b[b0+py] {
				px, py = px+1, py+1
			}
			fw[mid+k] = px
			if back := delta - k; delta&1 != 0 && back >= -(d-1) && back <= d-1 && within(px, py, n, m) &&
				px+bw[mid+back] >= n {
				return a0 + px, b0 + py
			}
		}
		for k := -d; k <= d; k += 2 {
			px := step(bw, mid, d, k)
			py := px - k
			for px < n && py < m && px >= 0 && py >= 0 && l.a[a1-1-px] == l.b[b1-1-py] {
				px, py = px+1, py+1
			}
			bw[mid+k] = px
			if fore := delta - k; delta&1 == 0 && fore >= -d && fore <= d && within(px, py, n, m) &&
				px+fw[mid+fore] >= n {
				return a1 - px, b1 - py
			}
		}
	}
	return l.bestSplit(a0, a1, b0, b1, limit)
}

// step is how far x gets on diagonal k with one more edit than before.
func step(v []int, mid, d, k int) int {
	if k == -d || k != d && v[mid+k-1] < v[mid+k+1] {
		return v[mid+k+1]
	}
	return v[mid+k-1] + 1
}

func within(x, y, n, m int) bool { return x >= 0 && y >= 0 && x <= n && y <= m }

// bestSplit is the point that got furthest, of the searches as they are after
// limit edits. With as many edits some point is at least that far from its end.
func (l *aligner) bestSplit(a0, a1, b0, b1, limit int) (x, y int) {
	n, m := a1-a0, b1-b0
	best := 0
	x, y = a0+(n+1)/2, b0+m/2
	for k := -limit; k <= limit; k += 2 {
		if px := l.forward[limit+1+k]; within(px, px-k, n, m) && 2*px-k > best && 2*px-k < n+m {
			best, x, y = 2*px-k, a0+px, b0+px-k
		}
		if px := l.backward[limit+1+k]; within(px, px-k, n, m) && 2*px-k > best && 2*px-k < n+m {
			best, x, y = 2*px-k, a1-px, b1-(px-k)
		}
	}
	return x, y
}
