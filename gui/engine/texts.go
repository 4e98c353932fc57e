package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"runtime"
	"strings"
	"sync"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

// Bounds of the texts that are kept for searches, in bytes: of all, and of one message that is not looked through.
const (
	maxTexts   = 192 << 20
	maxMessage = 4 << 20
)

// texts are the texts of turns in lower case, for searches: a turn on the disk does not change.
type texts struct {
	of    *turn.Store
	turns map[int]string
	size  int
}

// SearchTurns implements [timeline.Engine].
func (l *Live) SearchTurns(ctx context.Context, words []string, each func(n, left int, counts []int)) error {
	store := l.inUse()
	if store == nil {
		return nil
	}
	list, _, err := store.List(ctx) // what is damaged holds no text
	if err != nil {
		return fmt.Errorf("listing the turns: %w", err)
	}
	type counted struct {
		n      int
		counts []int
	}
	// Each worker has turns that follow one another: what a request repeats of the one before is no news.
	workers := max(1, min(runtime.GOMAXPROCS(0), len(list)/8))
	results := make(chan counted)
	var group sync.WaitGroup
	for k := range workers {
		part := list[k*len(list)/workers : (k+1)*len(list)/workers]
		group.Go(func() {
			r := textReader{live: l, store: store}
			for _, t := range part {
				text, ok := r.text(ctx, t.N)
				c := counted{n: t.N, counts: make([]int, len(words))}
				for i, w := range words {
					if ok {
						c.counts[i] = strings.Count(text, w)
					}
				}
				select {
				case results <- c:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		group.Wait()
		close(results)
	}()
	left := len(list)
	for c := range results {
		left--
		each(c.n, left, c.counts)
	}
	return ctx.Err()
}

// textReader reads the texts of turns one after another.
type textReader struct {
	live  *Live
	store *turn.Store
	// last has the hashes of what the request of the turn before said.
	last map[uint64]bool
	seed maphash.Seed
}

// text is that of a turn: what its page says, and what is new in its messages; false where it cannot be read.
func (r *textReader) text(ctx context.Context, n int) (string, bool) {
	l := r.live
	l.mu.Lock()
	if l.texts.of != r.store {
		l.texts = texts{of: r.store, turns: map[int]string{}}
	}
	known, ok := l.texts.turns[n]
	l.mu.Unlock()
	if ok {
		return known, true
	}
	rec, err := r.store.Load(ctx, n)
	if err != nil {
		l.opt.Log.Debug("a turn has no text", "turn", n, "error", err)
		return "", false
	}
	var b strings.Builder
	pageText(&b, rec.Capture)
	r.messages(&b, rec)
	text := strings.ToLower(b.String())
	l.mu.Lock()
	if l.texts.of == r.store && l.texts.size+len(text) <= maxTexts {
		l.texts.turns[n] = text
		l.texts.size += len(text)
	}
	l.mu.Unlock()
	return text, true
}

// pageText writes what a page says, each thing once.
func pageText(b *strings.Builder, c *snapshot.Capture) {
	if c == nil {
		return
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Rendered() {
			continue
		}
		for k, s := range [...]string{n.Text, n.Name, n.Value} {
			if s != "" && (k == 0 || s != n.Text) {
				b.WriteString(s)
				b.WriteByte('\n')
			}
		}
	}
}

// messages writes the strings of what is stored with a turn that the turn before had not: requests repeat what was
// said.
func (r *textReader) messages(b *strings.Builder, rec *turn.Record) {
	if r.last == nil {
		r.seed, r.last = maphash.MakeSeed(), map[uint64]bool{}
	}
	now := map[uint64]bool{}
	for _, p := range rec.Payloads {
		if len(p.Bytes) > maxMessage*8 {
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(p.Bytes))
		for {
			t, err := dec.Token()
			if err != nil { // the end, or a body that is not JSON: the strings before it count
				break
			}
			s, ok := t.(string)
			if !ok || len(s) < 2 || len(s) > maxMessage || encoded(s) {
				continue
			}
			h := maphash.String(r.seed, s)
			if !r.last[h] && !now[h] {
				b.WriteString(s)
				b.WriteByte('\n')
			}
			now[h] = true
		}
	}
	if len(now) > 0 {
		r.last = now
	}
}

// encoded reports whether a string is a picture or other bytes in letters: long, and without a blank at its beginning.
func encoded(s string) bool { return len(s) > 2048 && !strings.ContainsAny(s[:1024], " \n") }
