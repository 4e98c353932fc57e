package collect

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// Moment asks every frame that was read for its mutation counter and layout hash
// again and compares: the proof that nothing changed since the walk (N-5). A frame
// that no longer answers has gone to another document, so the moment is torn.
//
// Only a main frame that cannot be asked is an error.
func (res *Result) Moment(ctx context.Context) (snapshot.Moment, error) {
	var m snapshot.Moment
	before, after := make([]string, 0, len(res.parts)), make([]string, 0, len(res.parts))
	all, errs := make([]instant, len(res.parts)), make([]error, len(res.parts))
	var work sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for k, p := range res.parts {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			all[k], errs[k] = res.sources[p.frame].moment(ctx)
		})
	}
	work.Wait()
	res.ended = all
	for k, p := range res.parts {
		now, err := all[k], errs[k]
		if err != nil && k == 0 && !errors.Is(err, browser.ErrNavigated) {
			return m, err
		}
		if err != nil {
			now.Mutations, now.Layout = p.cols.Doc.Mutations+1, ""
			res.left = res.left || k == 0
		}
		m.MutationsDuring += now.Mutations - p.cols.Doc.Mutations
		before, after = append(before, p.cols.Doc.Layout), append(after, now.Layout)
	}
	m.LayoutBefore, m.LayoutAfter = joined(before), joined(after)
	m.Torn = m.MutationsDuring != 0 || m.LayoutBefore != m.LayoutAfter
	return m, nil
}

// Left reports whether the tab had left the main document by the time of [Result.Moment].
func (res *Result) Left() bool { return res.left }

// FramesChanged reports whether a document inside the main one has changed from a time on until it was read, as far as
// its observer noted it.
func (res *Result) FramesChanged(from time.Time) bool {
	for _, p := range res.parts[1:] {
		read := time.UnixMicro(int64(p.cols.Doc.Done * 1000))
		for _, e := range p.cols.Doc.Events {
			if !read.Add(-time.Duration(e.Age * float64(time.Millisecond))).Before(from) {
				return true
			}
		}
	}
	return false
}

// instant is the state of a frame at one time.
type instant struct {
	Mutations int    `json:"mutations"`
	Layout    string `json:"layout"`
	State     string `json:"state"` // as [document.State]
	// Remembered is how often the backendNodeIds of its elements were written down for readings to come.
	Remembered int `json:"remembered"`
}

func (s source) moment(ctx context.Context) (instant, error) {
	var now instant
	text, err := s.eval(ctx, momentScript)
	if err != nil {
		return now, err
	}
	if err := json.Unmarshal([]byte(text), &now); err != nil {
		return now, fmt.Errorf("decoding the moment: %w", err)
	}
	return now, nil
}

// joined is one hash for the layouts of all frames: the main frame's own where it is
// alone.
func joined(layouts []string) string {
	if len(layouts) == 1 {
		return layouts[0]
	}
	h := fnv.New32a()
	for _, l := range layouts {
		_, _ = h.Write([]byte(l + " ")) // a hash takes everything
	}
	return fmt.Sprintf("%08x", h.Sum32())
}

// Release frees the elements that the collector still holds in the page, also where the context has ended.
func (res *Result) Release(ctx context.Context) {
	for _, p := range res.parts {
		p.realm.Post(context.WithoutCancel(ctx), releaseScript)
	}
}

// maxMutations are kept in a capture: the latest of all frames.
const maxMutations = 50

// Noted is one change as the observer in the page notes it: [age in ms, type, category, what, text].
type Noted struct{ snapshot.Mutation }

// UnmarshalJSON reads the observer's five entries.
func (n *Noted) UnmarshalJSON(data []byte) error {
	fields := []any{&n.Age, &n.Type, &n.Category, &n.What, &n.Text}
	if err := json.Unmarshal(data, &fields); err != nil {
		return fmt.Errorf("a noted change: %w", err)
	}
	return nil
}

// mutations joins what the observers of all frames noted, oldest first. They note
// changes from the load event of their document on, so a page that only loads has
// none; what was typed, and what lies in password, code and card fields, they never
// note (browser/observer.js).
func (r *reader) mutations() []snapshot.Mutation {
	var all []snapshot.Mutation
	for _, p := range r.parts {
		for _, e := range p.cols.Doc.Events {
			e.Text = r.redactor.Clean(e.Text)
			all = append(all, e.Mutation)
		}
	}
	slices.SortStableFunc(all, func(a, b snapshot.Mutation) int { return cmp.Compare(b.Age, a.Age) })
	if len(all) > maxMutations {
		all = all[len(all)-maxMutations:]
	}
	return all
}
