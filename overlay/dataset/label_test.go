package dataset_test

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

// element is an element of a page for tests; what is not said of it is clear and in view.
func element(tag, role, name string, box snapshot.Box) snapshot.Node {
	x, y := box.Center()
	return snapshot.Node{
		Parent: 1, Tag: tag, Role: role, Name: name, Text: name, Box: box, Verdict: snapshot.VerdictRef, Visible: true,
		InViewport: true, Interactive: []string{"native"}, TextRects: []snapshot.Box{box},
		Occlusion: &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1, Click: [2]float64{x, y}},
	}
}

// pageOf is a capture of 640 x 480 CSS px with the elements, numbered from 1; the index of the first is 2.
func pageOf(list ...snapshot.Node) *snapshot.Capture {
	whole := snapshot.Box{0, 0, 640, 480}
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: "https://www.shop.example/a", Viewport: snapshot.Viewport{Width: 640, Height: 480, Scale: 1},
		Frames: []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, Readable: true}},
		Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "html", Box: whole, Verdict: snapshot.VerdictWrapper, Visible: true, InViewport: true},
			{I: 1, Parent: 0, Tag: "body", Box: whole, Verdict: snapshot.VerdictWrapper, Visible: true, InViewport: true},
		},
	}
	for i, n := range list {
		n.I, n.Ref = i+2, i+1
		if n.Occlusion != nil && n.Occlusion.Points == nil {
			n.Occlusion.Points = [][3]float64{{n.Occlusion.Click[0], n.Occlusion.Click[1], float64(n.I)}}
		}
		c.Nodes = append(c.Nodes, n)
	}
	return c
}

func label(c *snapshot.Capture, o dataset.Options) []dataset.Element {
	size := image.Pt(int(c.Viewport.Width*c.Viewport.Scale+0.5), int(c.Viewport.Height*c.Viewport.Scale+0.5))
	return dataset.Label(c, dataset.Scene(c, size, o), nil, o)
}

func TestStatus(t *testing.T) {
	box := snapshot.Box{100, 100, 120, 30}
	clip := snapshot.Box{100, 100, 40, 30}
	mostly := snapshot.Box{100, 100, 90, 30}
	with := func(change func(n *snapshot.Node)) snapshot.Node {
		n := element("button", "button", "Save", box)
		change(&n)
		return n
	}
	for name, c := range map[string]struct {
		node snapshot.Node
		want dataset.Status
		box  [4]int
	}{
		"clear":       {with(func(*snapshot.Node) {}), dataset.Visible, [4]int{100, 100, 120, 30}},
		"out of view": {with(func(n *snapshot.Node) { n.InViewport, n.Box[1], n.Occlusion = false, 900, nil }), dataset.Outside, [4]int{}},
		"clipped":     {with(func(n *snapshot.Node) { n.Clip = &clip }), dataset.Clipped, [4]int{100, 100, 40, 30}},
		"clipped a little": {with(func(n *snapshot.Node) {
			n.Clip = &mostly
			n.Occlusion.Click = [2]float64{145, 115}
		}), dataset.Visible, [4]int{100, 100, 90, 30}},
		"at the edge": {with(func(n *snapshot.Node) {
			n.Box = snapshot.Box{600, 100, 120, 30}
		}), dataset.Clipped, [4]int{600, 100, 40, 30}},
		"tiny":    {with(func(n *snapshot.Node) { n.Box = snapshot.Box{100, 100, 7, 30} }), dataset.Tiny, [4]int{100, 100, 7, 30}},
		"covered": {with(func(n *snapshot.Node) { n.Occlusion.State = snapshot.Covered }), dataset.Covered, [4]int{100, 100, 120, 30}},
		"behind glass": {with(func(n *snapshot.Node) { n.Occlusion.VisibleShare = 0.3 }), dataset.Covered,
			[4]int{100, 100, 120, 30}},
		"not tested": {with(func(n *snapshot.Node) { n.Occlusion = nil }), dataset.Untested, [4]int{100, 100, 120, 30}},
		"redacted":   {with(func(n *snapshot.Node) { n.Redacted = []string{"value"} }), dataset.Redacted, [4]int{100, 100, 120, 30}},
		"an address is withheld": {with(func(n *snapshot.Node) { n.Redacted = []string{"attr:href"} }), dataset.Visible,
			[4]int{100, 100, 120, 30}},
		"a hole in the middle": {with(func(n *snapshot.Node) {
			n.Occlusion.Points = [][3]float64{{102, 102, 2}, {160, 115, 1}}
		}), dataset.OffCenter, [4]int{100, 100, 120, 30}},
		"wrapped": {with(func(n *snapshot.Node) {
			n.Box = snapshot.Box{100, 100, 400, 40}
			n.Rects = []snapshot.Box{{400, 100, 100, 20}, {100, 120, 100, 20}}
			n.Occlusion.Points = [][3]float64{{450, 110, 2}, {150, 130, 2}}
		}), dataset.OffCenter, [4]int{100, 100, 400, 40}},
		"wrapped over its middle": {with(func(n *snapshot.Node) {
			n.Box = snapshot.Box{100, 100, 400, 40}
			n.Rects = []snapshot.Box{{200, 100, 300, 20}, {100, 120, 380, 20}}
			n.Occlusion.Points = [][3]float64{{350, 110, 2}, {290, 130, 2}}
		}), dataset.Visible, [4]int{100, 100, 400, 40}},
	} {
		t.Run(name, func(t *testing.T) {
			list := label(pageOf(c.node), dataset.Defaults(dataset.ScreenSpot))
			require.Len(t, list, 1)
			require.Equal(t, c.want, list[0].Status)
			require.Equal(t, c.box, list[0].Box)
		})
	}
}

// What shows nothing in the picture is no target, whatever the page has there.
func TestBlankBoxes(t *testing.T) {
	c := pageOf(element("a", "link", "Seen", snapshot.Box{20, 20, 100, 30}),
		element("a", "link", "White on white", snapshot.Box{20, 200, 100, 30}))
	img := picture(c, 1)
	draw.Draw(img, image.Rect(0, 150, 640, 480), image.NewUniform(color.White), image.Point{}, draw.Src)
	o := dataset.Defaults(dataset.COCO)
	list := dataset.Label(c, dataset.Scene(c, img.Rect.Size(), o), img, o)
	require.Equal(t, []dataset.Status{dataset.Visible, dataset.Blank}, []dataset.Status{list[0].Status, list[1].Status})
}

// A control in the middle of another one takes the clicks there, and what lies over something redacted is no target.
func TestWhatIsInside(t *testing.T) {
	card := element("div", "", "Card", snapshot.Box{100, 100, 200, 100})
	card.Interactive = []string{"listener"}
	inner := element("button", "button", "Buy", snapshot.Box{180, 140, 40, 20})
	inner.Parent = 2
	secret := element("input", "textbox", "Password", snapshot.Box{300, 300, 200, 30})
	secret.Redacted = []string{"value"}
	around := element("label", "", "Your password", snapshot.Box{290, 290, 220, 50})
	far := element("button", "button", "Go", snapshot.Box{20, 20, 60, 30})
	list := label(pageOf(card, inner, secret, around, far), dataset.Defaults(dataset.ScreenSpot))
	var got []dataset.Status
	for _, e := range list {
		got = append(got, e.Status)
		require.Equal(t, e.Status == dataset.Redacted, e.Phrases == nil, e.Name)
	}
	require.Equal(t, []dataset.Status{dataset.OffCenter, dataset.Visible, dataset.Redacted, dataset.Redacted, dataset.Visible}, got)
}

func TestPhrases(t *testing.T) {
	at := func(x, y float64) snapshot.Box { return snapshot.Box{x, y, 80, 24} }
	icon := element("button", "button", "Search", at(500, 20))
	icon.Text, icon.TextRects = "", nil
	covered := element("button", "button", "Delete", at(20, 300))
	covered.Occlusion.State = snapshot.Covered
	heading := element("h2", "heading", "Checkout", at(300, 200))
	heading.Interactive = nil
	list := label(pageOf(
		element("a", "link", "More", at(20, 100)), element("a", "link", "more!", at(20, 60)),
		element("button", "button", "More", at(20, 140)), icon, element("button", "button", "Delete", at(20, 260)), covered,
		heading, element("button", "button", "Checkout", at(300, 240)), element("a", "link", "  ", at(300, 280)),
		element("input", "textbox", "E-mail", at(300, 320)), element("button", "button", "×", at(300, 400)),
		element("button", "button", `Say “yes”`+"\u202e\n", at(500, 400)),
	), dataset.Options{MinVisible: 0.5, MinSide: 8, Forms: dataset.Forms()})
	var got []string
	for _, e := range list {
		if e.Lacks != "" {
			got = append(got, e.Lacks)
		}
		for _, p := range e.Phrases {
			got = append(got, string(p.Form)+": "+p.Text)
		}
	}
	require.Equal(t, []string{
		"position: click the 2nd of the 2 links “More”, in reading order",
		"position: click the 1st of the 2 links “more!”, in reading order",
		"role: click the button “More”", "position: click the button “More” at the top left of the picture",
		"role: click the button “Search”", "icon: click the icon “Search”",
		"position: click the button “Search” at the top right of the picture",
		"ambiguous", "ambiguous", // one of two is covered: some of it may be seen
		"role: click the button “Checkout”", "position: click the button “Checkout” in the middle of the picture",
		"no-name",
		"role: click into the text field “E-mail”", "text: click into “E-mail”",
		"position: click into the text field “E-mail” at the bottom of the picture",
		"role: click the button “×”", "text: click “×”", "position: click the button “×” at the bottom of the picture",
	}, got[:len(got)-3])
	require.Equal(t, "role: click the button “Say \"yes\"\\u{202e}”", got[len(got)-3])
}

// What holds of every page, at several scales: boxes lie in the picture, no instruction is given twice, and every
// element is in an example or left out for a reason.
func TestLabelsOfPages(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		for _, scale := range []float64{1, 2, 0.6} {
			own := *c
			own.Viewport.Scale = scale
			o := dataset.Defaults(dataset.ScreenSpotPro)
			o.Forms, o.Negatives = dataset.Forms(), true
			size := image.Pt(int(c.Viewport.Width*scale+0.5), int(c.Viewport.Height*scale+0.5))
			list := dataset.Label(&own, dataset.Scene(&own, size, o), nil, o)
			require.NotEmpty(t, list)
			said := map[string]bool{}
			for _, e := range list {
				at := image.Rect(e.Box[0], e.Box[1], e.Box[0]+e.Box[2], e.Box[1]+e.Box[3])
				require.True(t, at.In(image.Rectangle{Max: size}), "%v in %v", at, size)
				require.Equal(t, e.Status == dataset.Outside, at.Empty(), "%s %q", e.Status, e.Name)
				for _, p := range e.Phrases {
					key := strings.ToLower(p.Text)
					require.False(t, said[key], p.Text)
					said[key] = true
				}
				require.False(t, e.Status == dataset.Visible && e.Operable && len(e.Phrases) == 0 && e.Lacks == "")
			}
			p := &dataset.Page{Image: "00001.png", Width: size.X, Height: size.Y, Elements: list}
			counts := dataset.Assemble([]*dataset.Page{p}, o).Counts()
			used := 0
			for _, e := range list {
				if len(e.Phrases) > 0 && slices.Contains([]dataset.Status{dataset.Visible, dataset.Covered, dataset.Clipped, dataset.Tiny},
					e.Status) {
					used++
				}
			}
			for _, n := range counts.LeftOut {
				used += n
			}
			require.Equal(t, len(list), used)
			require.Zero(t, counts.LeftOut["other"])
		}
	})
}
