package engine

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"runtime"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

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
	full  bool // the last one did not fit
}

// SearchTurns implements [timeline.Engine].
func (l *Live) SearchTurns(ctx context.Context, words []string, each func(n, left int, counts []int)) error {
	return l.searchTurns(ctx, runtime.GOMAXPROCS(0), words, each)
}

// ReadTexts implements [timeline.Engine].
func (l *Live) ReadTexts(ctx context.Context) error {
	return l.searchTurns(ctx, 1, nil, func(int, int, []int) {})
}

func (l *Live) searchTurns(ctx context.Context, most int, words []string,
	each func(n, left int, counts []int)) error {
	store := l.inUse()
	if store == nil {
		return nil
	}
	list, err := store.Numbers()
	if err != nil {
		return fmt.Errorf("listing the turns: %w", err)
	}
	type counted struct {
		n      int
		counts []int
	}
	// Each worker has turns that follow one another: what a request repeats of the one before is no news.
	workers := max(1, min(most, len(list)/8))
	results := make(chan counted)
	var group sync.WaitGroup
	for k := range workers {
		from, to := k*len(list)/workers, (k+1)*len(list)/workers
		group.Go(func() {
			r := textReader{live: l, store: store, from: store.TextReader()}
			whole := context.WithoutCancel(ctx) // a turn that was begun is read, so that each call gets on
			for i := from; i < to && ctx.Err() == nil; i++ {
				if len(words) == 0 && l.textsFull() {
					return // what cannot be kept is not read ahead
				}
				n, before := list[i], 0
				if i > 0 {
					before = list[i-1]
				}
				text := r.text(whole, n, before)
				c := counted{n: n, counts: make([]int, len(words))}
				for i, w := range words {
					c.counts[i] = strings.Count(text, w)
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
	from  *turn.TextReader
	// last has the hashes of what the newest request said up to turn at.
	last map[uint64]bool
	at   int
	seed maphash.Seed
}

// text is that of a turn: what its page says, and what is new in its messages since the turn before, 0 for none. What
// cannot be read has none.
func (r *textReader) text(ctx context.Context, n, before int) string {
	l := r.live
	l.mu.Lock()
	if l.texts.of != r.store {
		l.texts = texts{of: r.store, turns: map[int]string{}}
	}
	known, ok := l.texts.turns[n]
	l.mu.Unlock()
	if ok {
		return known
	}
	var b strings.Builder
	if before > 0 && r.at != before {
		if payloads, err := r.from.Read(ctx, before, func(string) {}); err == nil {
			r.messages(&b, payloads)
			b.Reset()
		}
	}
	r.at = n
	payloads, err := r.from.Read(ctx, n, func(s string) {
		b.WriteString(s)
		b.WriteByte('\n')
	})
	if err != nil {
		l.opt.Log.Debug("a turn has no text", "turn", n, "error", err)
		b.Reset()
	}
	r.messages(&b, payloads)
	text := strings.ToLower(b.String())
	l.mu.Lock()
	if l.texts.of == r.store {
		if l.texts.full = l.texts.size+len(text) > maxTexts; !l.texts.full {
			l.texts.turns[n] = text
			l.texts.size += len(text)
		}
	}
	l.mu.Unlock()
	return text
}

// textsFull reports whether there is room for no further text.
func (l *Live) textsFull() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.texts.full
}

// messages writes the strings of what is stored with a turn that the turn before had not: requests repeat what was
// said.
func (r *textReader) messages(b *strings.Builder, payloads [][]byte) {
	if r.last == nil {
		r.seed, r.last = maphash.MakeSeed(), map[uint64]bool{}
	}
	now := map[uint64]bool{}
	for _, body := range payloads {
		if len(body) > maxMessage*8 {
			continue
		}
		dec := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true),
			jsontext.AllowInvalidUTF8(true))
		for {
			t, err := dec.ReadToken()
			if err != nil { // the end, or a body that is not JSON: the strings before it count
				break
			}
			if t.Kind() != '"' {
				continue
			}
			s := t.String()
			if len(s) < 2 || len(s) > maxMessage || encoded(s) {
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
