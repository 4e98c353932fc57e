package session

import (
	"context"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot"
)

// againMost is how many elements a page has at most whose shot is given again: of more, the state does not say how far
// each container is scrolled.
const againMost = 20_000

// Again is a shot as it would be taken now, of a page that is still in the [State] that it was in when an earlier one
// was taken: what was read then is not read again. The picture is made anew where it is wanted, and where something in
// view moves without changing the state, as a video does. nil where it must be taken after all: the
// console or the site's profile has changed, something of the page is read anew each time, or the page moved meanwhile.
func Again(ctx context.Context, tab *browser.Tab, last *Shot, state State, picture bool, o Options) (*Shot, error) {
	if o.Store != nil || o.FullPage || o.AllowSecrets || o.PageWrites != (PageWrites{}) || len(last.Secrets) > 0 ||
		len(last.Payloads)+len(last.Lacks)+len(last.Capture.Tools) > 0 || len(last.Capture.Nodes) > againMost {
		return nil, nil
	}
	clock := trace.NewClock()
	var listens bool
	var listening sync.WaitGroup
	defer listening.Wait()
	listening.Go(func() { listens = last.listensAsThen(ctx) })
	picture = !o.NoPicture && picture || movesUnseen(last.Capture.Nodes)
	var area snapshot.Box
	var front, unmeasured error
	var asked sync.WaitGroup
	defer asked.Wait()
	if picture {
		asked.Go(func() { front = tab.Front(ctx) })
		asked.Go(func() { area, unmeasured = visible(ctx, tab) })
	}
	if same, err := last.profileAsThen(ctx, tab, o); !same || err != nil {
		return nil, err
	}
	c, ok := last.told.since(last.Capture, tab, time.Now().UTC())
	if !ok {
		return nil, nil
	}
	shot := &Shot{Capture: c, Picture: last.Picture, Profile: last.Profile, heard: last.heard, told: last.told,
		before: state, after: state}
	c.Timings = snapshot.Timings{}
	clock.Part(ctx, "as before")
	if picture {
		asked.Wait()
		switch {
		case front != nil:
			return nil, front
		case unmeasured != nil:
			return nil, fmt.Errorf("measuring the page: %w", unmeasured)
		}
		if area.W() != c.Viewport.Width || area.H() != c.Viewport.Height {
			return nil, nil // it is zoomed, or was
		}
		shot.drawn = time.Now()
		pic, err := takePicture(ctx, tab, area, c, !o.AnyCaret)
		if err != nil {
			return nil, err
		}
		clock.Part(ctx, "picture")
		c.Timings.Screenshot = clock.Total()
		if err := shot.draw(pic, true, o.Image); err != nil {
			return nil, err
		}
		shot.after, err = StateOf(ctx, tab)
		undrawn := shot.drawnFinally()
		switch {
		case undrawn != nil:
			return nil, undrawn
		case err != nil || !shot.Holds(state, shot.after):
			return nil, err
		}
	}
	if listening.Wait(); !listens {
		return nil, nil
	}
	clock.Part(ctx, "moment")
	c.Timings.Total, c.Timings.Parts = clock.Total(), clock.Parts()
	return shot, nil
}

// animated are addresses of pictures in formats that have moving ones.
var animated = regexp.MustCompile(`(?i)\.(gif|webp|apng|avif)\b|^data:image/(gif|webp|apng|avif)`)

// movesUnseen reports whether what is in view may look different without another state of the page.
func movesUnseen(nodes []snapshot.Node) bool {
	for i := range nodes {
		n := &nodes[i]
		if !n.InViewport {
			continue
		}
		switch n.Tag {
		case "canvas", "video", "embed", "object", "marquee":
			return true
		case "img":
			if animated.MatchString(n.Attrs["src"]) {
				return true
			}
		}
	}
	return false
}
