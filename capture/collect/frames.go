package collect

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// atOnce is how many frames are read at the same time. Frames of one process take
// turns anyway; the rest hides the way there and back.
const atOnce = 6

// tries is how often a frame is read that navigates meanwhile.
const tries = 3

// children reads the frames inside the main frame, level by level, until there are
// no more. A page may have frames within frames; each knows only its own elements.
func (r *reader) children(ctx context.Context) {
	if len(r.parts[0].cols.Windows) == 0 {
		return
	}
	until := time.Now().Add(r.frames)
	late, frames := 0, 0
	for level := r.parts[:1]; len(level) > 0; {
		var jobs []*childFrame
		for _, p := range level {
			jobs = append(jobs, r.windowsOf(p)...)
		}
		var work sync.WaitGroup
		slots := make(chan struct{}, atOnce)
		for _, j := range jobs {
			if !j.read {
				continue
			}
			slots <- struct{}{}
			frames++
			if time.Now().After(until) {
				<-slots
				late++
				j.frame.Why = "the time for reading frames was over"
				continue
			}
			work.Go(func() {
				defer func() { <-slots }()
				r.readChild(ctx, r.known, j)
			})
		}
		work.Wait()
		first := len(r.parts)
		for _, j := range jobs {
			r.adopt(ctx, j)
		}
		level = r.parts[first:]
	}
	if late > 0 {
		r.c.Failed = append(r.c.Failed, snapshot.Failure{Layer: "frames",
			Why: fmt.Sprintf("%d of %d frames were not read: the time for reading frames was over", late, frames)})
	}
}

// childFrame is a frame to be read, and then what was read.
type childFrame struct {
	up     *part
	k      int // place of the frame element in up
	window window
	node   int64 // backendNodeId of the frame element
	frame  snapshot.Frame
	read   bool // false: nothing of it can be seen, or it could not be requested
	failed string
	got    *reading
	remote bool
}

// windowsOf lists the frames that a part's elements show.
func (r *reader) windowsOf(up *part) []*childFrame {
	cols := up.cols
	var jobs []*childFrame
	rows(cols.Windows, 8, len(up.nodes), func(k int, w []float64) {
		jobs = append(jobs, &childFrame{
			up: up, k: k, window: windowOf(w),
			frame: snapshot.Frame{Parent: up.frame, Owner: k, URL: up.nodes[k].Attrs["src"]},
		})
	})
	facts, err := up.got.windows, up.got.unasked
	kept := jobs[:0]
	for n, j := range jobs {
		hide := cols.Hide[j.k]
		switch {
		case err != nil || n >= len(facts):
			j.failed = "it could not be asked for: " + why(err)
		case facts[n].Frame == "" && !snapshot.IsFrame(up.nodes[j.k].Tag):
			continue // an object or embed that shows no document
		case facts[n].Frame == "":
			j.frame.Why = "it has no document"
		default:
			j.frame.ID, j.node = facts[n].Frame, facts[n].Node
			if j.read = j.window.shown() && (hide == hideNone || hidesAll(hide)); !j.read {
				// There is nothing to be seen in it, and no failure either.
				j.frame.Why = "the frame element is not rendered"
			}
		}
		kept = append(kept, j)
	}
	return kept
}

// readChild reads the document of one frame. It runs beside others.
func (r *reader) readChild(ctx context.Context, known *knownFrames, j *childFrame) {
	id := j.frame.ID
	for try := 1; ; try++ {
		s, info, broken := known.of(id)
		j.remote = s != nil
		if s == nil {
			s = j.up.realm.Session()
		}
		if info.URL != "" {
			j.frame.URL = info.URL
		}
		j.frame.Loader, j.frame.Origin = info.Loader, info.Origin
		switch {
		case broken != nil:
			j.failed = "its process could not be attached to: " + busy(ctx, broken, r.patience).Error()
			return
		case info.Unreachable != "":
			j.frame.URL = info.Unreachable
			j.failed = r.tab.WhyBlocked(id)
			return
		}
		got, err := r.inside(j).document(ctx, s, id, r.patience, nil)
		if err == nil {
			if j.got = got; info.Loader != got.realm.Loader { // it came after the frames were asked for
				known.refresh(ctx)
				_, info, _ = known.of(id)
				j.frame.Origin = info.Origin
			}
			return
		}
		// It moved to another document or process while it was read.
		var reply *cdproto.Error
		if try == tries || ctx.Err() != nil || !errors.Is(err, browser.ErrNavigated) &&
			!errors.Is(err, browser.ErrDetached) &&
			!errors.As(err, &reply) {
			j.failed = why(err)
			return
		}
		known.refresh(ctx)
	}
}

// adopt makes a frame that was read part of the capture.
func (r *reader) adopt(ctx context.Context, j *childFrame) {
	index := len(r.c.Frames)
	around := r.transforms[j.up.frame]
	at := around.Within(transformAt(j.window.x, j.window.y, j.window.kx, j.window.ky))
	if j.node != 0 {
		j.up.cols.learn(j.k, j.node)
	}
	if j.got != nil {
		doc := j.got.cols.Doc
		toRoot := r.transforms[r.localRoot(j.up.frame)].inverse().Within(around)
		at = around.Within(j.window.transform(ctx, Element{Realm: j.up.realm, Node: j.node}, doc.Width,
			doc.Height, toRoot))
	}
	j.frame.Offset = [2]float64{hundredth(at.e), hundredth(at.f)}
	if s := at.scale(); s != [2]float64{1, 1} {
		j.frame.Scale = s
	}
	r.transforms = append(r.transforms, at)
	if j.got == nil {
		if j.failed != "" {
			j.frame.Why = j.failed
			r.c.Failed = append(r.c.Failed, snapshot.Failure{Layer: "frame", Frame: index, Why: j.failed})
		}
		r.c.Frames = append(r.c.Frames, j.frame)
		r.sources = append(r.sources, source{})
		return
	}
	cols := j.got.cols
	j.frame.OutOfProcess = j.remote
	j.frame.Readable = true
	j.frame.URL = cols.Doc.URL
	j.frame.Loader = j.got.realm.Loader
	r.c.Frames = append(r.c.Frames, j.frame)
	r.sources = append(r.sources, source{j.got.realm.Session(), j.frame.ID, j.got.realm})
	if hide := j.up.cols.Hide[j.k]; hidesAll(hide) {
		faint(cols, hide)
	}
	p := newPart(cols, index, at)
	p.got, p.up, p.owner, p.realm = j.got, j.up, j.k, j.got.realm
	window := at.Box(snapshot.Box{0, 0, cols.Doc.Width, cols.Doc.Height}).Intersect(j.up.nodes[j.k].VisibleBox())
	clipToWindow(p.nodes, window, r.c.Viewport.Box())
	p.window, p.over = window, r.over(j)
	r.parts = append(r.parts, p)
	r.byFrame[index] = p
	r.account(index, j.got)
}

// localRoot is the nearest frame around, or the frame itself, that has a process of its
// own: the browser places nodes in its viewport.
func (r *reader) localRoot(frame int) int {
	for frame > 0 && !r.c.Frames[frame].OutOfProcess {
		frame = r.c.Frames[frame].Parent
	}
	return frame
}

// account adds what a reading cost and what failed in it to the capture.
func (r *reader) account(frame int, d *reading) {
	t := &r.c.Timings
	t.Walk += d.cols.Doc.Walk
	t.Hit += d.cols.Doc.Hit
	t.Listeners += d.listeners
	for _, f := range d.failed {
		f.Frame = frame
		r.c.Failed = append(r.c.Failed, f)
	}
	r.noteLimit(frame, d.cols.Doc)
}

// hidesAll reports whether an element is laid out and yet nothing of what is in it can be seen.
func hidesAll(hide int) bool {
	return hide == hideTransparent || hide == hideClipped || hide == hideTurned
}

// faint passes on to a frame's document that nothing of it can be seen.
func faint(cols *columns, hide int) {
	for k := range cols.Hide {
		if cols.Hide[k] == hideNone {
			cols.Hide[k], cols.Culprit[k] = hide, -1
		}
		cols.Flags[k] &^= flagVisible
	}
}

// knownFrames is what the browser reports about a tab's frames. Safe for concurrent use.
type knownFrames struct {
	tab      *browser.Tab
	patience time.Duration

	mu     sync.Mutex
	info   map[string]browser.FrameInfo
	remote map[string]*browser.Session
	broken map[string]error
}

func (k *knownFrames) of(id string) (*browser.Session, browser.FrameInfo, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.remote[id], k.info[id], k.broken[id]
}

// refresh asks the browser again.
func (k *knownFrames) refresh(ctx context.Context) {
	ctx, cancel := browser.Within(ctx, k.patience)
	defer cancel()
	remote, broken := k.tab.FrameSessions(ctx)
	info := map[string]browser.FrameInfo{}
	var mu sync.Mutex
	learn := func(s *browser.Session) {
		tree, err := s.FrameTree(ctx)
		if err != nil {
			return // its frames are then known by their own documents only
		}
		mu.Lock()
		defer mu.Unlock()
		for _, f := range tree {
			info[f.ID] = f
		}
	}
	learn(k.tab.Session())
	var work sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, s := range remote {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			learn(s)
		})
	}
	work.Wait()
	k.mu.Lock()
	k.info, k.remote, k.broken = info, remote, broken
	k.mu.Unlock()
}

// inertFrames marks what lies in the document of an inert frame element: it is inert too (HTML, 6.3), which the
// document itself does not know.
func inertFrames(c *snapshot.Capture) {
	for i := range c.Nodes { // what is around a frame comes before what is in it
		n := &c.Nodes[i]
		if n.Frame <= 0 || n.Frame >= len(c.Frames) || n.States.Is("inert") {
			continue
		}
		if owner := c.Node(c.Frames[n.Frame].Owner); owner != nil && owner.States.Is("inert") {
			if n.States == nil {
				n.States = snapshot.States{}
			}
			n.States["inert"] = true
		}
	}
}
