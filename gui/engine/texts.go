package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Bounds of the texts that are kept for searches, in bytes: of all, and of one message that is not looked through.
const (
	maxTexts   = 192 << 20
	maxMessage = 4 << 20
)

// texts are the texts of turns in lower case, for searches: a turn on the disk does not change.
type texts struct {
	of    *turn.Store
	turns map[int]said
	pages map[string]string // what a page says, by the hash of its part: turns share it
	size  int
	full  bool // the last one did not fit
}

// said is what a turn says: its page, and what is new in its messages since the turn before.
type said struct{ page, messages string }

func (s said) count(word string) int {
	return strings.Count(s.page, word) + strings.Count(s.messages, word)
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
				text := r.text(whole, list, i)
				c := counted{n: list[i], counts: make([]int, len(words))}
				for i, w := range words {
					c.counts[i] = text.count(w)
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
	// last has the hashes of what was said in the newest turn that said something, of the first next turns: each string
	// as it was spelled, and what it is. Its payloads are those of parts.
	last  heard
	parts []turn.Part
	next  int
	seed  maphash.Seed
}

// heard has the hash of each string of a turn's messages, by the hash of how it is spelled, with its escapes.
type heard struct {
	spelled map[uint64]uint64
	strings map[uint64]bool
}

// text is that of a turn: what its page says, and what is new in its messages since the turn before that had any. What
// cannot be read has none.
func (r *textReader) text(ctx context.Context, list []int, i int) said {
	l, n := r.live, list[i]
	l.mu.Lock()
	if l.texts.of != r.store {
		l.texts = texts{of: r.store, turns: map[int]said{}, pages: map[string]string{}}
	}
	known, ok := l.texts.turns[n]
	l.mu.Unlock()
	if ok {
		return known
	}
	for k := i - 1; k >= r.next; k-- { // those between are known, but not what they said word for word
		if _, payloads, err := r.from.Parts(ctx, list[k]); err == nil && r.messages(nil, payloads) {
			break
		}
	}
	r.next = i + 1
	page, payloads, err := r.from.Parts(ctx, n)
	if err != nil {
		l.opt.Log.Debug("a turn has no text", "turn", n, "error", err)
		return said{}
	}
	var b strings.Builder
	r.messages(&b, payloads)
	text := said{page: r.page(n, page), messages: strings.ToLower(b.String())}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.texts.of != r.store {
		return text
	}
	size := len(text.messages)
	if _, ok := l.texts.pages[page.SHA256]; !ok {
		size += len(text.page)
	}
	if l.texts.full = l.texts.size+size > maxTexts; !l.texts.full {
		l.texts.turns[n], l.texts.pages[page.SHA256] = text, text.page
		l.texts.size += size
	}
	return text
}

// page is what the page of a turn says, in lower case.
func (r *textReader) page(n int, page turn.Part) string {
	l := r.live
	l.mu.Lock()
	known, ok := l.texts.pages[page.SHA256]
	l.mu.Unlock()
	if ok {
		return known
	}
	var b strings.Builder
	if err := r.from.Drawn(page, func(s string) {
		b.WriteString(s)
		b.WriteByte('\n')
	}); err != nil {
		l.opt.Log.Debug("a page has no text", "turn", n, "error", err)
		return ""
	}
	return strings.ToLower(b.String())
}

// textsFull reports whether there is room for no further text.
func (l *Live) textsFull() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.texts.full
}

// messages writes the strings of what is stored with a turn that the turn before had not: requests repeat what was
// said. Nil only takes note of them. It reports whether there are any.
func (r *textReader) messages(b *strings.Builder, payloads []turn.Part) bool {
	if len(payloads) == 0 {
		return false
	}
	if slices.Equal(payloads, r.parts) {
		return true
	}
	if r.last.strings == nil {
		r.seed = maphash.MakeSeed()
	}
	now := heard{map[uint64]uint64{}, map[uint64]bool{}}
	hear := func(quoted []byte) {
		if len(quoted) > maxMessage || encoded(quoted) {
			return
		}
		spelled := maphash.Bytes(r.seed, quoted)
		if h, ok := r.last.spelled[spelled]; ok {
			now.spelled[spelled], now.strings[h] = h, true
			return
		}
		text := quoted[1 : len(quoted)-1]
		if bytes.IndexByte(quoted, '\\') >= 0 {
			text = []byte(turn.Unquoted(quoted))
		}
		if len(text) < 2 {
			return
		}
		h := maphash.Bytes(r.seed, text)
		if b != nil && !r.last.strings[h] && !now.strings[h] {
			b.Write(text)
			b.WriteByte('\n')
		}
		now.spelled[spelled], now.strings[h] = h, true
	}
	for _, p := range payloads {
		body, err := r.from.Payload(p)
		if err != nil || len(body) > maxMessage*8 {
			continue
		}
		if a := streamed(p, body); a != nil { // whose words are cut where an event ends
			if whole, err := json.Marshal(a); err == nil {
				body = whole
			}
		}
		turn.Strings(body, hear)
	}
	if len(now.strings) == 0 {
		return false
	}
	r.last, r.parts = now, payloads
	return true
}

// streamed is an answer that came as a stream of events; nil for all that is JSON itself.
func streamed(p turn.Part, body []byte) *wire.Answer {
	if start := bytes.TrimLeft(body, " \r\n\t"); p.Way != turn.Answer || len(start) == 0 || start[0] == '{' {
		return nil
	}
	a, err := wire.ReadAnswer(p.Dialect, body)
	if err != nil {
		return nil
	}
	return a
}

// encoded reports whether a string is a picture or other bytes in letters: long, and without a blank at its beginning.
func encoded(quoted []byte) bool {
	if len(quoted) <= 2048 {
		return false
	}
	head := quoted[:1024]
	return bytes.IndexByte(head, ' ') < 0 && !bytes.Contains(head, []byte(`\n`))
}
