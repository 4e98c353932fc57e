// Package coretest has a page made by hand for the window's tests, and the fakes that work needs.
package coretest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log/slog"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/tokens"
)

// URL is the address of [Checkout].
const URL = "http://127.0.0.1:20417/"

// Checkout is a checkout page with a banner over its main button.
func Checkout() *snapshot.Capture {
	cover := 9
	node := func(i, parent int, tag, role, name string, box snapshot.Box, why ...string) snapshot.Node {
		n := snapshot.Node{I: i, Parent: parent, Tag: tag, Role: role, Name: name, Box: box, Interactive: why,
			UID:           i + 1,
			BackendNodeID: int64(100 + i), Visible: true, InViewport: true, Verdict: snapshot.VerdictRef,
			Path: fmt.Sprintf("html > body > %s:nth-child(%d)", tag, i), NameFrom: "content"}
		if len(why) > 0 {
			x, y := box.Center()
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1,
				Click: [2]float64{x, y}}
		}
		if name != "" && role != "textbox" && role != "banner" && role != "form" && role != "dialog" {
			n.Text, n.Runs = name, []snapshot.Run{{Text: name, Before: -1}}
		}
		return n
	}
	nodes := []snapshot.Node{
		node(0, -1, "html", "", "", snapshot.Box{0, 0, 1280, 800}),
		node(1, 0, "header", "banner", "", snapshot.Box{0, 0, 1280, 64}),
		node(2, 1, "a", "link", "Home", snapshot.Box{160, 18, 60, 28}, "native"),
		node(3, 1, "a", "link", "Products", snapshot.Box{236, 18, 84, 28}, "native"),
		node(4, 0, "h1", "heading", "Checkout", snapshot.Box{40, 90, 190, 40}),
		node(5, 0, "form", "form", "Delivery", snapshot.Box{40, 150, 480, 300}),
		node(6, 5, "input", "textbox", "Full name", snapshot.Box{40, 180, 420, 40}, "native"),
		node(7, 5, "input", "textbox", "Street", snapshot.Box{40, 260, 420, 40}, "native"),
		node(8, 5, "button", "button", "Place order", snapshot.Box{640, 610, 200, 48}, "native", "listener"),
		node(9, 0, "dialog", "dialog", "We use cookies", snapshot.Box{0, 640, 1280, 160}),
		node(10, 9, "button", "button", "Accept all", snapshot.Box{900, 690, 130, 44}, "native"),
		node(11, 9, "button", "button", "Reject", snapshot.Box{1050, 690, 110, 44}, "native"),
	}
	nodes[0].Verdict = snapshot.VerdictWrapper
	nodes[6].Value = "Ada Lovelace"
	nodes[6].Attrs = map[string]string{"type": "text"}
	nodes[7].Attrs = map[string]string{"type": "text", "placeholder": "Street"}
	nodes[8].Occlusion = &snapshot.Occlusion{State: snapshot.Partly, VisibleShare: 0.6, HitShare: 0.6,
		Click: [2]float64{740, 625}, Coverer: &cover,
		Points: [][3]float64{{740, 625, 8}, {642, 612, 8}, {838, 612, 8}, {642, 656, 9}, {838, 656, 9}}}
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: URL, Title: "Demo shop — Checkout", Settled: true, Chrome: "Chrome/156.0.8078.79",
		Viewport: snapshot.Viewport{Width: 1280, Height: 800, Scale: 1}, Scroll: snapshot.Scroll{MaxY: 1240},
		Frames:  []snapshot.Frame{{ID: "F", Parent: -1, Readable: true, Owner: -1, Loader: "L"}},
		Nodes:   nodes,
		Timings: snapshot.Timings{Walk: 14, Screenshot: 38, Total: 52},
	}
	c.Verdicts = c.CountVerdicts()
	c.Verdicts[snapshot.VerdictDisplayNone] = 112
	return c
}

// Picture paints the boxes of such a capture, as PNG.
func Picture(c *snapshot.Capture) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 1280, 800))
	paint := func(b snapshot.Box, col color.RGBA) {
		draw.Draw(img, image.Rect(int(b.X()), int(b.Y()), int(b.Right()), int(b.Bottom())), image.NewUniform(col),
			image.Point{}, draw.Src)
	}
	paint(snapshot.Box{0, 0, 1280, 800}, color.RGBA{255, 255, 255, 255})
	for _, n := range c.Nodes[1:] {
		switch n.Tag {
		case "header":
			paint(n.Box, color.RGBA{31, 51, 80, 255})
		case "dialog":
			paint(n.Box, color.RGBA{35, 35, 35, 255})
		case "button":
			paint(n.Box, color.RGBA{42, 109, 240, 255})
		case "input":
			paint(n.Box, color.RGBA{230, 232, 238, 255})
		}
	}
	paint(c.Nodes[9].Box.Intersect(c.Nodes[8].Box), color.RGBA{35, 35, 35, 255})
	var b bytes.Buffer
	quick := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := quick.Encode(&b, img); err != nil {
		panic(err) // an image in memory always encodes
	}
	return b.Bytes()
}

// counter counts the tokens of all tests of a package: its table is made once.
var counter tokens.Counter

// Counter counts tokens, as the program's does.
func Counter() *tokens.Counter { return &counter }

// Worker is what work gets in a test: it counts tokens, logs nothing, and leaves what is
// dispatched before the answer.
func Worker(e core.Engine) *core.Worker {
	return &core.Worker{
		Engine: e, Log: slog.New(slog.DiscardHandler), Counter: Counter(),
		Dispatch: func(core.Msg) {}, Progress: func(string) {},
		TabWanted: func() bool { return false },
	}
}

// SideText is the title of a side with what its badges count, "" where there is no such
// side.
func SideText(s core.State, side core.Side) string {
	for _, t := range s.SideTabs() {
		if t.Side == side {
			return t.Text()
		}
	}
	return ""
}
