package batch

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shard is part I of N, from 1 on.
type Shard struct{ I, N int }

// maxShards is the most parts of a list.
const maxShards = 10_000

// ParseShard reads I/N; "" is the whole.
func ParseShard(s string) (Shard, error) {
	if s == "" {
		return Shard{1, 1}, nil
	}
	i, n, _ := strings.Cut(s, "/")
	var sh Shard
	var err1, err2 error
	sh.I, err1 = strconv.Atoi(i)
	sh.N, err2 = strconv.Atoi(n)
	if err1 != nil || err2 != nil || sh.N < 1 || sh.N > maxShards || sh.I < 1 || sh.I > sh.N {
		return sh, fmt.Errorf("%q is not a shard: write it as 1/4, up to 4/4", s)
	}
	return sh, nil
}

// String is I/N, "" for the whole.
func (s Shard) String() string {
	if s.N <= 1 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

// Of are the pages of the shard, in the order of the list. Each page is in one shard. It is
// chosen by its key alone, so that a page which comes or goes moves no other; where durations of
// an earlier run are given (seconds by key), the longest pages are dealt out first, each to the
// shard that has least to do, and what was not there takes as long as the one in the middle.
func (s Shard) Of(pages []Page, durations map[string]float64) []Page {
	if s.N <= 1 {
		return pages
	}
	mine := func(key string) bool { return part(key, s.N) == s.I }
	if len(durations) > 0 {
		dealt := deal(pages, durations, s.N)
		mine = func(key string) bool { return dealt[key] == s.I }
	}
	var out []Page
	for _, p := range pages {
		if mine(p.Key()) {
			out = append(out, p)
		}
	}
	return out
}

// part is the shard of a key by its hash, 1 to n.
func part(key string, n int) int {
	sum := sha256.Sum256([]byte(key))
	return 1 + int(binary.BigEndian.Uint64(sum[:8])%uint64(n))
}

// deal is the shard of each page.
func deal(pages []Page, durations map[string]float64, n int) map[string]int {
	type cost struct {
		key     string
		seconds float64
	}
	var known []float64
	costs := make([]cost, len(pages))
	for i := range pages {
		costs[i].key = pages[i].Key()
		if d, ok := durations[costs[i].key]; ok {
			costs[i].seconds = d
			known = append(known, d)
		}
	}
	middle := 1.0
	if len(known) > 0 {
		slices.Sort(known)
		middle = known[len(known)/2]
	}
	for i := range costs {
		if costs[i].seconds == 0 {
			costs[i].seconds = middle
		}
	}
	slices.SortFunc(costs, func(a, b cost) int {
		return cmp.Or(cmp.Compare(b.seconds, a.seconds), cmp.Compare(a.key, b.key))
	})
	load, dealt := make([]float64, n), make(map[string]int, len(pages))
	for _, c := range costs {
		least := 0
		for i := range load {
			if load[i] < load[least] {
				least = i
			}
		}
		load[least] += c.seconds
		dealt[c.key] = least + 1
	}
	return dealt
}
