package report

import (
	"fmt"
	"image"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/text"
)

// aimMark is one action of the answer on the picture, in image px.
type aimMark struct {
	Class, Title string
	Box          string // outline of the element, "" where none is known
	Cross        string // circle and cross at the point
	N            int
	X, Y         int // of the number
}

// crossRadius is that of the circle around a point, image px.
const crossRadius = 13

// aimMarks draw what the answer wants done: the element's box, and a cross where the action lands.
func (v *turnView) aimMarks(c *snapshot.Capture, scene *overlay.Scene) {
	if v.Request == nil {
		return
	}
	sx, sy := scene.Scale()
	bounds := image.Rect(0, 0, v.Stage.Width, v.Stage.Height)
	for i := range v.Request.Aims {
		a := &v.Request.Aims[i]
		if !a.seen {
			continue
		}
		x := min(max(int(a.at[0]*sx), bounds.Min.X), bounds.Max.X)
		y := min(max(int(a.at[1]*sy), bounds.Min.Y), bounds.Max.Y)
		m := aimMark{Class: string(a.Tone), Title: a.Sentence, N: a.N, X: x + crossRadius + 4, Y: y + 5}
		if a.Trouble != "" {
			m.Title += ": " + a.Trouble
		}
		if n := c.Node(a.node); n != nil {
			b := n.VisibleBox()
			m.Box = path([]image.Rectangle{image.Rect(int(b.X()*sx)-3, int(b.Y()*sy)-3, int((b.X()+b.W())*sx)+3,
				int((b.Y()+b.H())*sy)+3).Intersect(bounds)})
		}
		const r, arm = crossRadius, crossRadius + 6
		m.Cross = fmt.Sprintf("M%d %da%d %d 0 1 0 %d 0a%d %d 0 1 0 %d 0zM%d %dh%dM%d %dv%d", x-r,
			y, r, r, 2*r, r, r, -2*r,
			x-arm, y, 2*arm, x, y-arm, 2*arm)
		v.Stage.Aims = append(v.Stage.Aims, m)
	}
}

// story is a turn in a few words: what the answer wants done, else what was done, and on which page.
func (v *turnView) story() (did, where string) {
	did = v.Action
	switch q := v.Request; {
	case q != nil && len(q.Aims) > 0:
		did = text.Cut(q.Aims[0].Sentence, cardTitle)
		if n := len(q.Aims) - 1; n > 0 {
			did += fmt.Sprintf(" and %s", text.Count(n, "more action", "more actions"))
		}
	case q != nil && q.did != "":
		did = text.Cut(q.did, cardTitle)
	}
	return did, conversation.PageName(v.address)
}

// step judges a turn by what happened: red where its action could not work or failed, amber where something is doubtful
// or nothing moved.
func (v *turnView) step() tone {
	switch q := v.Request; {
	case len(v.Damage) > 0, v.failed > 0, v.Next.failed:
		return bad
	case q != nil && q.worst() == bad:
		return bad
	case q != nil && (q.worst() == warn || v.Next.Still && len(q.Aims) > 0), v.errors > 0, v.torn:
		return warn
	case q != nil && len(q.Aims) > 0:
		return good
	}
	return plain
}

// nextView is what happened after the action of a turn, as the turn after it shows, or its own where a server of tools
// was recorded.
type nextView struct {
	N     int // the turn after; 0 where there is none
	Words string
	Tool  string // what the tool that did it reported
	Still bool   // nothing changed

	failed bool // the tool reports an error
}

// Tone is red for an error and amber where nothing changed.
func (n nextView) Tone() tone {
	switch {
	case n.failed:
		return bad
	case n.Still:
		return warn
	}
	return plain
}

// follow tells a turn what the turn after it shows.
func (v *turnView) follow(after *turnView) {
	v.Next.N = after.N
	if q := after.Request; q != nil && q.tool != "" && !q.own {
		v.Next.Tool, v.Next.failed = q.tool, q.failed
	}
	switch d := after.Changes; {
	case d == nil:
	case d.Navigated:
		v.Next.Words = "Another page came"
		if name := conversation.PageName(after.address); name != "" {
			v.Next.Words += ": " + name
		}
		v.Next.Words += "."
	case d.Empty:
		v.Next.Words, v.Next.Still = "Nothing changed on the page.", true
	default:
		v.Next.Words = text.Capital(d.Words)
	}
}
