package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// Stages of a resolution, in the order in which they are tried (C-6, S-12).
const (
	StageRegistry = "registry" // the same object, by our world's registry
	StageBackend  = "backend"  // the same object, by its backendNodeId
	StagePath     = "path"     // a substitute at the same path, the only one of its role and name
	StageGhost    = "ghost"    // a substitute elsewhere, the only one of its role and name
)

// Resolution is the live element that a ref represents.
type Resolution struct {
	Element
	Stage string
	// ReResolved: it is not the object that the ref was assigned to. The step
	// must report that, assign it a ref of its own and link the two in the ledger.
	ReResolved bool
	// Capture is the fresh capture that a substitute was found in, Match its node; nil where the object itself was
	// found.
	Capture *snapshot.Capture
	Match   *snapshot.Node
}

// Candidate is an element that resembles one that is gone.
type Candidate struct {
	Node  *snapshot.Node
	Score float64 // 0 to 1
}

// GoneError is the refusal to act on a guess: the element is gone, and not exactly
// one other has its role and name.
type GoneError struct {
	Identity   Identity
	Equal      int         // how many have the same role and name
	Candidates []Candidate // the best five, best first
}

// Error names the ref and what to do.
func (e *GoneError) Error() string {
	what := "nothing has the same role and name now"
	if e.Equal > 1 {
		what = strconv.Itoa(e.Equal) + " elements have the same role and name now"
	}
	return fmt.Sprintf("%s is gone and %s: take a new snapshot and choose", e.Identity.Called(), what)
}

// Resolve finds the live element of a ref. First the object itself; where it is gone,
// the page is read again and the single element of equal role and name takes its
// place. Anything less certain is a [*GoneError] with the candidates. It never gives
// another element silently: see [Resolution.ReResolved].
func Resolve(ctx context.Context, tab *browser.Tab, id Identity, o Options) (*Resolution, error) {
	el, stage, err := live(ctx, tab, id)
	if err == nil {
		return &Resolution{Element: el, Stage: stage}, nil
	}
	if !errors.Is(err, errNotThere) && !errors.Is(err, browser.ErrNavigated) {
		return nil, fmt.Errorf("looking for %s: %w", id.Called(), err)
	}
	res, err := Read(ctx, tab, o)
	if err != nil {
		return nil, fmt.Errorf("looking for %s: %w", id.Called(), err)
	}
	defer res.Release(ctx)
	match, err := Substitute(res.Capture, id)
	if err != nil {
		return nil, err
	}
	el, err = res.Element(ctx, match.I)
	if err != nil {
		return nil, fmt.Errorf("looking for %s: %w", id.Called(), err)
	}
	r := &Resolution{Element: el, Stage: StageGhost, ReResolved: true, Capture: res.Capture, Match: match}
	if id.Path != "" && match.Path == id.Path {
		r.Stage = StagePath
	}
	return r, nil
}

// Element is the live element of node i (its index in the capture), which also learns
// its backendNodeId. It must be called before Release.
func (res *Result) Element(ctx context.Context, i int) (Element, error) {
	for _, p := range res.parts {
		for k, id := range p.ids {
			if id != i {
				continue
			}
			if err := identify(ctx, p.realm, p.cols, []int{k}); err != nil {
				return Element{}, err
			}
			n := &res.Capture.Nodes[i]
			n.BackendNodeID = p.cols.backend[k]
			return Element{Realm: p.realm, Node: n.BackendNodeID, UID: n.UID}, nil
		}
	}
	return Element{}, fmt.Errorf("node %d of the capture is in no frame", i)
}

// Substitute is the one kept element of a capture that has the role and name of one
// that is gone; else a [*GoneError].
func Substitute(c *snapshot.Capture, id Identity) (*snapshot.Node, error) {
	refused := &GoneError{Identity: id}
	var only *snapshot.Node
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() {
			continue
		}
		score := resemblance(n, id)
		if n.Kind() == snapshot.KindOf(id.Role, id.Tag) && called(n) == id.Name {
			refused.Equal++
			only = n
		}
		if score > 0 {
			refused.Candidates = append(refused.Candidates, Candidate{n, score})
		}
	}
	slices.SortStableFunc(refused.Candidates, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	if len(refused.Candidates) > 5 {
		refused.Candidates = refused.Candidates[:5]
	}
	if refused.Equal != 1 {
		return nil, refused
	}
	return only, nil
}

// near is how far an element may have moved to count as in its place, CSS px.
const near = 50

// resemblance is 0.4 for the same text, 0.3 for the role and 0.3 for the place (S-12). A text that is only like the
// other adds nothing: "Cancel order" is not nearly "Submit order".
func resemblance(n *snapshot.Node, id Identity) float64 {
	score := 0.0
	if name := called(n); name != "" && name == id.Name {
		score += 0.4
	}
	if n.Kind() == snapshot.KindOf(id.Role, id.Tag) {
		score += 0.3
	}
	x, y := n.Box.Center()
	x2, y2 := id.Box.Center()
	if !n.Box.Empty() && !id.Box.Empty() && math.Hypot(x-x2, y-y2) <= near {
		score += 0.3
	}
	return score
}
