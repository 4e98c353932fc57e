package turn

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
)

// pageSpec describes a made-up page for tests: what a capture of it looks like
// is a pure function of these fields.
type pageSpec struct {
	nodes  int     // elements
	seed   uint64  // of everything that is random about the page
	frame  string  // id of the main frame
	loader string  // document
	turn   int     // moves the clock by a minute for each
	scroll float64 // CSS px
	// change is the share of nodes whose name and text differ from turn to turn.
	change float64
}

// genCapture makes a capture with the make-up of real pages: a third of the
// nodes kept, attributes, class names, unique paths, five sampled points.
func genCapture(p pageSpec) *snapshot.Capture {
	if p.frame == "" {
		p.frame = "8C1F0E6A2B7D4C3F9A5E1D0B6F2C8A47"
	}
	if p.loader == "" {
		p.loader = "1D9B3E5F7A2C4E6D8B0A1C3E5F7092B4"
	}
	words := strings.Fields("order total basket name price ship return account search filter result page next previous " +
		"stock review star rating colour size delivery monday parcel voucher payment")
	// page is the same for every turn of one seed, live differs from turn to turn.
	page := rand.New(rand.NewPCG(p.seed, 1))
	live := rand.New(rand.NewPCG(p.seed, uint64(p.turn)+2))
	text := func(r *rand.Rand, n int) string {
		s := make([]string, n)
		for i := range s {
			s[i] = words[r.IntN(len(words))]
		}
		return strings.Join(s, " ")
	}
	tags := []string{"div", "span", "a", "p", "li", "button", "img", "div", "span", "td", "div", "svg", "script"}
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: "https://shop.example/list?page=2", Title: "Orders · Shop", Lang: "en",
		TakenAt: time.Date(2026, 3, 14, 9, 26, 53, 589e6, time.UTC).Add(time.Duration(p.turn) * time.Minute),
		Chrome:  "Chrome/156.0.8078.79", Settled: true,
		Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Scroll:   snapshot.Scroll{Y: p.scroll, MaxY: 24000},
		Frames: []snapshot.Frame{{ID: p.frame, Parent: -1, URL: "https://shop.example/list?page=2",
			Origin: "https://shop.example", Readable: true, Loader: p.loader, Owner: -1}},
		Timings: snapshot.Timings{Settle: 300 + live.Float64(), Walk: 40 + live.Float64(), Total: 420 + live.Float64()},
		Nodes:   make([]snapshot.Node, 0, p.nodes),
	}
	for i := range p.nodes {
		tag, covered := tags[page.IntN(len(tags))], page.IntN(12) == 0
		parent := i - 1 - page.IntN(12)
		switch i {
		case 0:
			tag, parent = "html", -1
		case 1:
			tag, parent = "body", 0
		default:
			parent = max(parent, 1)
		}
		x, y := float64(page.IntN(1200)), float64(i)*4.5-p.scroll
		n := snapshot.Node{
			I: i, Parent: parent, Tag: tag, BackendNodeID: int64(i + 40), UID: i + 1,
			Attrs: map[string]string{"class": text(page, 2)},
			Box:   snapshot.Box{x, y, float64(20 + page.IntN(300)), float64(14 + page.IntN(40))}, Visible: true,
			InViewport: y > -40 && y < 720,
			Path: fmt.Sprintf("html > body:nth-child(2) > div:nth-child(%d) > ul:nth-child(2) > %s:nth-child(%d)", i/40+1,
				tag, i%40+1),
		}
		name := text(page, 2+page.IntN(4))
		if live.Float64() < p.change {
			name = text(live, 3)
		}
		switch tag {
		case "script":
			n.Verdict, n.Evidence, n.Visible = snapshot.VerdictSkippedTag, "script", false
		case "a", "button":
			n.Verdict, n.Role, n.Name, n.NameFrom = snapshot.VerdictRef, tag, name, "contents"
			n.Interactive = []string{"native"}
			n.Attrs["id"] = fmt.Sprintf("item-%d", i)
		case "img":
			n.Verdict, n.Role, n.Name, n.NameFrom = snapshot.VerdictRef, "img", name, "alt"
			n.Attrs["alt"], n.Attrs["src"] = name, fmt.Sprintf("/pictures/%d.webp", page.IntN(1e6))
		case "p", "li", "td":
			n.Verdict, n.Text = snapshot.VerdictContent, name
			n.TextRects = []snapshot.Box{n.Box}
			n.Runs = []snapshot.Run{{Text: name, Before: -1}}
		default:
			n.Verdict, n.Evidence = snapshot.VerdictWrapper, "nothing of its own"
		}
		if n.Verdict.Kept() && n.InViewport {
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1,
				Click: [2]float64{x + 10, y + 7}}
			if covered {
				cover := 1
				n.Occlusion.State, n.Occlusion.HitShare, n.Occlusion.Coverer = snapshot.Covered, 0.2, &cover
			}
			for k := range 5 {
				n.Occlusion.Points = append(n.Occlusion.Points, [3]float64{x + float64(k*4), y + float64(k), float64(i)})
			}
		}
		c.Nodes = append(c.Nodes, n)
	}
	c.Verdicts = c.CountVerdicts()
	return c
}
