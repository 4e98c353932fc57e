package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"strings"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// stage is the picture of a turn with its marks, in image px.
type stage struct {
	Picture       string // name of its definition, "" where there is none
	Width, Height int
	Hatch         string // path over what is covered
	Missed        string // path over what a person sees and the model was not told
	Marks         []markView
	Aims          []aimMark
	Agents        bool   // the marks have the agent's own numbers
	Why           string // why there is no picture

	decoded *image.RGBA // the picture
}

// markView is one numbered box. It has the name and the state in words, for the tip
// and for those who cannot see the picture.
type markView struct {
	Ref    int
	Class  string // "" or covered, partly
	Title  string
	Path   string // its boxes
	Label  *box   // the number's plate; nil where the box has none
	Says   string // what is on it: the number, and what covers the element
	Leader string // path of the line from plate to box
}

// box is a rectangle in image px.
type box struct{ X, Y, W, H int }

// TextX, TextY and TextW place the number on its plate.
func (b box) TextX() int { return b.X + 2 }
func (b box) TextY() int { return b.Y + b.H - 3 }
func (b box) TextW() int { return max(b.W-4, 1) }

// elements are the numbered elements of a turn in words.
type elements struct {
	Rows []elementRow
	// Held is how many refs hold other things or are lines of text: they have lines in
	// the dumps and no box.
	Held                  int
	Covered, Partly, Away int
}

type elementRow struct {
	Ref        int
	Label      string // the agent's own number, "" where it was told of none
	Class      string
	Role, Name string
	State      string
	By         string // number, role and name of what covers it
	Boxed      bool   // it has a box on the picture
}

// rowName is how many characters of a name a row shows; a dump has the rest.
const rowName = 200

// picture makes stage and elements of a turn. Without a picture the boxes are drawn on an
// empty ground of the viewport's size.
func (v *turnView) picture(rec *turn.Record) {
	c := rec.Capture
	if len(c.Nodes) == 0 && len(rec.Picture) == 0 {
		return
	}
	st := &stage{}
	var size image.Point
	if len(rec.Picture) > 0 {
		// Decoded and not only its header: what is shown is a picture, whole.
		img, err := codec.DecodePNG(rec.Picture)
		if err != nil {
			st.Why = "The picture cannot be shown: " + sentence(text.Line(err.Error()))
		} else {
			sum := sha256.Sum256(rec.Picture)
			st.decoded = img
			size, st.Picture = img.Bounds().Size(), hex.EncodeToString(sum[:])[:24]
		}
	} else {
		st.Why = "No picture was taken: the boxes stand where the elements were."
	}
	if size == (image.Point{}) {
		size = image.Pt(bounded(c.Viewport.Width), bounded(c.Viewport.Height))
	}
	st.Width, st.Height = size.X, size.Y
	v.Stage = st
	if len(c.Nodes) == 0 {
		return
	}
	labels := v.labels(c)
	o := overlay.Options{View: overlay.ViewQA}
	if len(labels) > 0 {
		st.Agents = true
		o.Label = func(ref int) string { return labels[ref] }
		o.Untold = func(ref int) bool { return labels[ref] == "" }
	}
	if v.Request != nil && v.Request.Told != nil {
		o.Missed = v.Request.Told.boxes
	}
	scene := overlay.NewScene(c, size, o)
	st.Hatch, st.Missed = path(scene.Hatch()), path(scene.Missed())
	v.marks(c, scene, labels)
	v.aimMarks(c, scene)
	if st.Picture == "" && len(st.Marks) == 0 {
		v.Stage = nil
	}
}

// bounded is a side of a viewport in px, within what a picture can have.
func bounded(side float64) int { return int(min(max(side, 1), 16384)) }

// labels are the agent's own numbers by ours, nil where it was given none.
func (v *turnView) labels(c *snapshot.Capture) map[int]string {
	if v.Request == nil || len(v.Request.refs) == 0 {
		return nil
	}
	out := map[int]string{}
	for i, label := range v.Request.refs {
		if n := c.Node(i); n != nil && n.Ref > 0 {
			out[n.Ref] = label
		}
	}
	return out
}

func (v *turnView) marks(c *snapshot.Capture, scene *overlay.Scene, labels map[int]string) {
	nodes := map[int]*snapshot.Node{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Ref > 0 {
			nodes[n.Ref] = n
		}
	}
	v.Elements = &elements{}
	words := scene.Manifest("").Marks
	called := func(ref int, role string, n *snapshot.Node) string {
		if name := text.Cut(text.Line(n.Name), rowName); name != "" {
			return fmt.Sprintf("%d %s “%s”", ref, role, name)
		}
		return fmt.Sprintf("%d %s", ref, role)
	}
	roles := map[int]string{}
	for i := range words {
		roles[words[i].Ref] = words[i].Role
	}
	for _, m := range scene.Marks() {
		if m.Status == overlay.Container {
			v.Elements.Held++
			continue
		}
		row := elementRow{Ref: m.Ref, Label: labels[m.Ref], Role: roles[m.Ref],
			Name: text.Cut(text.Line(m.Name), rowName)}
		if by := nodes[m.Coverer]; by != nil {
			row.By = called(m.Coverer, roles[m.Coverer], by)
		}
		row.State, row.Class = v.Elements.state(&m, nodes[m.Ref])
		if row.Class == "covered" {
			v.covered++
		}
		if len(m.Rects) > 0 && (m.Status == overlay.Drawn || m.Status == overlay.Covered) {
			row.Boxed = true
			title := called(m.Ref, row.Role, nodes[m.Ref])
			if row.Label != "" {
				title = row.Label + ": " + title
			}
			one := markOf(&m, row, title)
			if v.Stage.Agents && row.Label == "" {
				one.Class, one.Title = strings.TrimSpace(one.Class+" untold"), one.Title+", not told to the agent"
			}
			v.Stage.Marks = append(v.Stage.Marks, one)
		}
		v.Elements.Rows = append(v.Elements.Rows, row)
	}
}

// state is how an element is on the picture, in words, and the class for it.
func (e *elements) state(m *overlay.Mark, n *snapshot.Node) (words, class string) {
	switch m.Status {
	case overlay.Offscreen:
		e.Away++
		if m.Direction == "" {
			return "outside the picture", "away"
		}
		return fmt.Sprintf("%s, %.0f px", strings.ReplaceAll(m.Direction, "-", " "), m.Distance), "away"
	case overlay.TooSmall:
		e.Away++
		return "too small for a mark", "away"
	}
	if n == nil || n.Occlusion == nil {
		return "", ""
	}
	seen := text.Percent(n.Occlusion.VisibleShare) + " seen"
	switch n.Occlusion.State {
	case snapshot.Covered:
		e.Covered++
		return "covered, " + seen, "covered"
	case snapshot.Partly:
		e.Partly++
		return "partly covered, " + seen, "partly"
	}
	if n.Occlusion.VisibleShare < 0.995 {
		return seen, ""
	}
	return "", ""
}

func markOf(m *overlay.Mark, row elementRow, title string) markView {
	if row.State != "" {
		title += ", " + row.State
	}
	if row.By != "" {
		title += ", by " + row.By
	}
	out := markView{Ref: m.Ref, Class: row.Class, Title: title, Path: path(m.Rects)}
	if !m.Label.Empty() {
		out.Says = m.Text()
		out.Label = &box{m.Label.Min.X, m.Label.Min.Y, m.Label.Dx(), m.Label.Dy()}
		if m.Leader {
			out.Leader = leader(m.Label, m.Rects)
		}
	}
	return out
}

// path is the outline of rectangles as SVG path data.
func path(rects []image.Rectangle) string {
	var b strings.Builder
	for _, r := range rects {
		fmt.Fprintf(&b, "M%d %dh%dv%dh%dz", r.Min.X, r.Min.Y, r.Dx(), r.Dy(), -r.Dx())
	}
	return b.String()
}

// leader is the line from the middle of a label to the nearest point of the nearest of
// its boxes.
func leader(label image.Rectangle, rects []image.Rectangle) string {
	mid := label.Min.Add(label.Max).Div(2)
	best, at := -1, mid
	for _, r := range rects {
		near := image.Pt(min(max(mid.X, r.Min.X), r.Max.X), min(max(mid.Y, r.Min.Y), r.Max.Y))
		d := near.Sub(mid)
		if dist := d.X*d.X + d.Y*d.Y; best < 0 || dist < best {
			best, at = dist, near
		}
	}
	return fmt.Sprintf("M%d %dL%d %d", mid.X, mid.Y, at.X, at.Y)
}
