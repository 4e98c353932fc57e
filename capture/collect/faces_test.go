package collect_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// TestFaces: what turns its back is not to be seen where backface-visibility hides that, in whatever turns and planes it
// lies. The picture tells: all are turned about their middle. Chrome's hit tests leave out more than it does not draw.
func TestFaces(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 7))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	turn := func() string {
		return pick("", "", "transform:rotateY(180deg);", "transform:rotateX(150deg);", "rotate:y 180deg;", "rotate:x 40deg;",
			"rotate:1 1 0 170deg;", "transform:scaleX(-1);", "scale:-1 1;", "transform:rotateY(210deg) scaleX(-1);",
			"transform:rotate(30deg);rotate:x 200deg;", "translate:3px 2px;",
			"transform:perspective(500px) rotateY(160deg);")
	}
	var b strings.Builder
	b.WriteString(`<!doctype html><title>Faces</title><style>body{margin:0}div{width:70px;height:50px}
		section{position:absolute;width:70px;height:50px}p{margin:0;width:70px;height:50px;background:gold}</style>`)
	const cells = 96
	left, top := func(k int) int { return 10 + 105*(k%12) }, func(k int) int { return 10 + 88*(k/12) }
	for k := range cells {
		fmt.Fprintf(&b, `<section style="left:%dpx;top:%dpx;%s">`, left(k), top(k), pick("", "perspective:600px;"))
		const plane, hides = "transform-style:preserve-3d;", "backface-visibility:hidden;"
		flattens := pick("opacity:.9;", "overflow:hidden;", "overflow:clip;", "filter:blur(0);", "isolation:isolate;",
			"contain:paint;", "mix-blend-mode:multiply;", "clip-path:inset(0);", "will-change:opacity;")
		face := turn() + hides + pick("", flattens, "position:absolute;")
		boxes := [][]string{
			{turn() + plane, face}, // a card and one of its faces
			{turn() + plane, face},
			{turn() + plane, turn() + plane, face}, // in a scene
			{turn() + plane, "", face},             // something between ends the plane
			{turn() + plane + flattens, hides},     // so does this
			{turn(), hides},
			{face},
			{turn() + hides + "display:inline;"},
		}[k%8]
		if pick("", "", "flat") != "" {
			boxes = append(boxes, "")
		}
		for _, style := range boxes {
			fmt.Fprintf(&b, `<div style="%s">`, style)
		}
		fmt.Fprintf(&b, `<p id=p%d style="%s">%d</p>`, k,
			pick("", "", "rotate:20deg", "transform:scale(.9)", "translate:3px"), k)
		b.WriteString(strings.Repeat(`</div>`, len(boxes)) + `</section>`)
	}
	tab := chrome.Open(t, chrometest.Page(t, b.String()))
	c := read(t, tab)
	picture := photo(t, tab, c.Viewport.Box())
	away := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Tag != "p" {
			continue
		}
		style := ""
		for up := n; up != nil && up.Tag != "section"; up = c.Node(up.Parent) {
			style = up.Attr("style") + " > " + style
		}
		k, err := strconv.Atoi(n.Attr("id")[1:])
		require.NoError(t, err)
		_, _, blue, _ := picture.At(left(k)+35, top(k)+25).RGBA()
		require.Equal(t, blue < 0x8000, n.Visible, "%s: %s", n.Attr("id"), style)
		if !n.Visible {
			away++
			require.Equal(t, snapshot.VerdictTurned, n.Verdict)
		}
	}
	require.Greater(t, away, cells/5)
	require.Less(t, away, cells-cells/5)
}
