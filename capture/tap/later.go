package tap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Paired is what became of a turn of [PairLater].
type Paired struct {
	Turn int `json:"turn"` // of the session with the requests, and of the new one
	// Page is the turn with the page that the request is about, 0 for none.
	Page    int              `json:"page,omitempty"`
	Pairing exchange.Pairing `json:"pairing"`
}

const (
	// pageAge is how much older than a request its page may be: an agent thinks, and a person who
	// steps through one waits.
	pageAge = 10 * time.Minute
	// pageLate is how much later a page may be, for a capture that began when the request did.
	pageLate = 3 * time.Second
	// pageLevels is how many turns of a tab are tried, newest first.
	pageLevels = 4
)

// PairLater copies the turns of requests to the session into, and gives each request that has
// no page the one that it is about, of the turns of pages: by evidence as while it was recorded,
// and by time. requests and pages may be the same session. Neither changes.
func PairLater(ctx context.Context, requests, pages, into *turn.Store, each func(Paired)) error {
	asked, damage, err := requests.List(ctx)
	if err == nil && !turn.Whole(damage) {
		err = &turn.DamagedError{Damage: damage}
	}
	if err != nil {
		return err
	}
	b := &pageBook{store: pages, loaded: map[int]*turn.Record{}}
	if b.list, _, err = pages.List(ctx); err != nil {
		return err
	}
	for _, s := range asked {
		rec, err := requests.Load(ctx, s.N)
		if err != nil {
			return err
		}
		done, isRequest, err := b.pair(ctx, rec)
		if err != nil {
			return fmt.Errorf("turn %d: %w", s.N, err)
		}
		rec.N = 0
		kept, err := into.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
			for i := range rec.Capture.Nodes { // numbers are those of the new session
				rec.Capture.Nodes[i].Ref = 0
			}
			l.Assign(rec.Meta.Target, l.NextTurn(), rec.Capture)
			return rec, nil
		})
		if err != nil {
			return err
		}
		if isRequest {
			done.Turn = kept.N
			each(done)
		}
	}
	return nil
}

// pageBook are the turns that have pages.
type pageBook struct {
	store  *turn.Store
	list   []turn.Summary
	loaded map[int]*turn.Record
	links  links // requests before
}

// pair gives a turn the page that its request is about; false where it is no request, or has
// a page.
func (b *pageBook) pair(ctx context.Context, rec *turn.Record) (Paired, bool, error) {
	var e Exchange
	if len(rec.Exchange) == 0 || len(rec.Payloads) == 0 || json.Unmarshal(rec.Exchange, &e) != nil ||
		e.Pairing.Paired && !wire.Chains(e.Dialect) && e.Socket == nil {
		return Paired{}, false, nil
	}
	asked, err := e.Asked(rec.Payloads[0].Bytes)
	if err == nil {
		asked = b.links.follow(asked)
		b.links.remember(asked, e.Answer)
	}
	if e.Pairing.Paired {
		return Paired{}, false, nil
	}
	if err != nil {
		return Paired{Pairing: e.Pairing}, true, nil
	}
	var best exchange.Pairing
	for level := range pageLevels + 1 {
		turns, err := b.at(ctx, e.Began, level)
		if err != nil {
			return Paired{}, false, err
		}
		if len(turns) == 0 {
			continue
		}
		candidates := make([]Page, len(turns))
		for i, t := range turns {
			candidates[i] = Page{Tab: fmt.Sprint(t.N), Capture: t.Capture, Picture: t.Picture}
		}
		page, found := Pair(asked, candidates)
		if best.Why == "" || found.Paired || found.Score > best.Score {
			best = found
		}
		if page == nil {
			continue
		}
		at := slices.IndexFunc(turns, func(t *turn.Record) bool { return fmt.Sprint(t.N) == page.Tab })
		return Paired{Page: turns[at].N, Pairing: found}, true, b.take(rec, turns[at], found)
	}
	if best.Why == "" {
		best.Why = "the session has no page of that time"
	}
	return Paired{Pairing: best}, true, b.take(rec, nil, best)
}

// at are the turns that show the tabs as they were at a moment: the newest of each, or the one
// that is level turns older; at [pageLevels] the first one after the moment.
func (b *pageBook) at(ctx context.Context, moment time.Time, level int) ([]*turn.Record, error) {
	before := map[string]int{} // turns that were passed over, by tab
	shown := map[string]bool{} // by the hash of their state
	var out []*turn.Record
	list, from, to := slices.Clone(b.list), moment.Add(-pageAge), moment
	if level == pageLevels {
		level, from, to = 0, moment.Add(1), moment.Add(pageLate)
	} else {
		slices.Reverse(list)
	}
	for _, s := range list {
		if s.Counts.Nodes == 0 || s.Time.Before(from) || s.Time.After(to) {
			continue
		}
		if before[s.Meta.Target]++; before[s.Meta.Target] != level+1 {
			continue
		}
		rec := b.loaded[s.N]
		if rec == nil {
			var err error
			if rec, err = b.store.Load(ctx, s.N); err != nil {
				if _, ok := errors.AsType[*turn.DamagedError](err); ok {
					continue
				}
				return nil, err
			}
			if len(b.loaded) >= 4*maxWatched {
				b.loaded = map[int]*turn.Record{}
			}
			b.loaded[s.N] = rec
		}
		// Of turns that show the same, the newest counts: no evidence tells them apart.
		hash := snapshot.StateHash(rec.Capture)
		if shown[hash] {
			continue
		}
		shown[hash] = true
		if out = append(out, rec); len(out) == maxWatched {
			break
		}
	}
	return out, nil
}

// take puts the page of another turn into a turn; nil leaves it without one.
func (b *pageBook) take(rec *turn.Record, page *turn.Record, found exchange.Pairing) error {
	if was := exchange.PairingOf(rec.Exchange); was != nil {
		rec.Lacks = slices.DeleteFunc(rec.Lacks, func(s string) bool { return s == was.Lack() })
	}
	if page == nil {
		rec.Lacks = append(rec.Lacks, found.Lack())
	} else {
		c := *page.Capture
		c.Nodes = slices.Clone(c.Nodes)
		rec.Capture, rec.Picture, rec.Meta = &c, page.Picture, page.Meta
	}
	// The members that this program does not know stay.
	var all map[string]json.RawMessage
	if err := json.Unmarshal(rec.Exchange, &all); err != nil {
		return err
	}
	raw, err := json.Marshal(found)
	if err != nil {
		return err
	}
	all["pairing"] = raw
	rec.Exchange, err = json.Marshal(all)
	return err
}
