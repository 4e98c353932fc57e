package export

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// The dialog of a data set (V-1): the turns of the session as training data in the form of a trainer. It shows examples
// of the turn in view as they will be in the set, and what is left out of it and why.

// DialogDataset is the choice of what a data set is.
const DialogDataset core.Dialog = "dataset"

// ExportDataset writes the turns of the session as a data set into a folder.
const ExportDataset ExportKind = "dataset"

// CmdDataset opens the dialog; cmdDatasetBoxes shows the boxes on the picture.
const (
	CmdDataset      = "export.dataset"
	cmdDatasetBoxes = "view.dataset"
)

// SetChoice are the choices of a data set. They are comparable.
type SetChoice struct {
	Shape dataset.Shape
	// Model is the vision model whose rules size the pictures, "" for pictures as they were taken.
	Model string
	// All asks for each element in every form, and not by role and name alone.
	All       bool
	Negatives bool
	Marked    bool
	Splits    bool // 80 to 10 to 10, by site
}

// Options are the choices as package dataset has them. What a shape has no place for is left out.
func (c SetChoice) Options() dataset.Options {
	o := dataset.Defaults(c.Shape)
	if c.Model != "" {
		o.Model, _ = vision.Lookup(c.Model)
	}
	if c.All {
		o.Forms = dataset.Forms()
	}
	o.Marked = c.Marked || c.Shape == dataset.SoM
	if o.Negatives = c.Negatives; o.Check() != nil {
		o.Negatives = false
	}
	if c.Splits {
		o.Splits = []dataset.Split{{Name: "train", Share: 80}, {Name: "val", Share: 10}, {Name: "test", Share: 10}}
	}
	return o
}

// previewed is how many examples the dialog shows.
const previewed = 10

// thumbSize is the size of one, px.
var thumbSize = image.Pt(208, 110)

// Preview is what a set has of one turn.
type Preview struct {
	Turn   *core.Turn
	Choice SetChoice
	// Examples are the first ones, spread over the picture.
	Examples []Sample
	Counts   dataset.Counts
	// Boxes are those of all examples, px of the picture as it was taken.
	Boxes *core.FoundBoxes
}

// Sample is one example: the part of its picture around its box, and its words.
type Sample struct {
	Picture *image.RGBA
	Words   string
}

// datasetAsked shows the dialog.
func datasetAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if !CanExport(s, Export{Kind: ExportDataset}) {
			return s, nil
		}
		s.Dialog = DialogDataset
		return s, nil
	})
}

// setChanged changes the choices.
func setChanged(choice SetChoice) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if !slices.Contains(dataset.Shapes(), choice.Shape) ||
			choice.Model != "" && !slices.Contains(s.Models, choice.Model) {
			return s, nil
		}
		edit(&s).Set = choice
		return s, nil
	})
}

// SetConfirmed asks where the set goes.
func SetConfirmed() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Dialog != DialogDataset {
			return s, nil
		}
		s.CloseDialog(DialogDataset)
		return askExport(s, Export{Kind: ExportDataset, Set: Of(s).Set})
	})
}

// boxesToggled shows the boxes of the set on the picture, or no longer. The dialog of the set leaves, as it lies over
// the picture.
func boxesToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		asked := s.Dialog == DialogDataset
		s.CloseDialog(DialogDataset)
		edit(&s).ShowBoxes = asked || !Of(s).ShowBoxes
		return s, nil
	})
}

// leaveBoxes shows the marks again.
func leaveBoxes(s core.State) (core.State, bool) {
	if !Of(s).ShowBoxes {
		return s, false
	}
	edit(&s).ShowBoxes = false
	return s, true
}

// fill asks for the preview of the turn in view where it is to be seen and is not there.
func fill(s core.State) (core.State, []core.Effect) {
	m := Of(s)
	e := previewSet{s.Current, m.Set}
	if s.Current == nil || s.Current.Image == nil || s.Dialog != DialogDataset && !m.ShowBoxes || m.wanted == e {
		return s, nil
	}
	edit(&s).wanted = e
	return s, []core.Effect{e}
}

// PreviewOf is the preview of the turn in view by the present choices, nil while it is being made.
func PreviewOf(s core.State) *Preview {
	if m := Of(s); m.Preview != nil && m.Preview.Turn == s.Current && m.Preview.Choice == m.Set {
		return m.Preview
	}
	return nil
}

// SetBoxes are the boxes that the picture pane shows, nil for none: those of the set, where a person asked for them.
func SetBoxes(s core.State) *core.FoundBoxes {
	if p := PreviewOf(s); p != nil && Of(s).ShowBoxes {
		return p.Boxes
	}
	return nil
}

// previewSet makes the preview; [setPreviewed] answers.
type previewSet struct {
	Turn   *core.Turn
	Choice SetChoice
}

// Pause implements [core.LatestWork].
func (previewSet) Pause() time.Duration { return 50 * time.Millisecond }

// Do implements [core.Work].
func (e previewSet) Do(context.Context, *core.Worker) core.Msg {
	return setPreviewed(newPreview(e.Turn, e.Choice))
}

// setPreviewed has a preview.
func setPreviewed(preview *Preview) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Preview = preview
		return s, nil
	})
}

// newPreview makes the preview of a turn that has a picture.
func newPreview(t *core.Turn, c SetChoice) *Preview {
	o := c.Options()
	o.Splits = nil // a preview is of one page
	scene := dataset.Scene(t.Capture, t.Image.Rect.Size(), o)
	page := &dataset.Page{Image: "turn.png", Width: scene.Size().X, Height: scene.Size().Y,
		Source:   dataset.Source{Site: "this"},
		Elements: dataset.Label(t.Capture, scene, vision.Resize(t.Image, scene.Size()), o)}
	set := dataset.Assemble([]*dataset.Page{page}, o)
	p := &Preview{Turn: t, Choice: c, Counts: set.Counts(), Boxes: &core.FoundBoxes{}}
	list := set.Shown()
	// The boxes are px of the picture at the model's size.
	x := float64(t.Image.Rect.Dx()) / float64(max(1, page.Width))
	y := float64(t.Image.Rect.Dy()) / float64(max(1, page.Height))
	for _, e := range list {
		b := snapshot.Box{float64(e.Box[0]), float64(e.Box[1]), float64(e.Box[2]), float64(e.Box[3])}.Scale(x, y)
		if len(p.Boxes.Boxes) == 0 || p.Boxes.Boxes[len(p.Boxes.Boxes)-1] != b {
			p.Boxes.Boxes = append(p.Boxes.Boxes, b)
		}
	}
	n := min(previewed, len(list))
	for k := range n {
		e := list[k*len(list)/n]
		box := dataset.Box{float64(e.Box[0]) * x, float64(e.Box[1]) * y, float64(e.Box[2]) * x, float64(e.Box[3]) * y}
		p.Examples = append(p.Examples, Sample{dataset.Thumb(t.Image, box, thumbSize), e.Words})
	}
	return p
}

// Summary describes the preview in words: how many examples, and what is left out and why, the most first.
func (p *Preview) Summary() []string {
	out := []string{fmt.Sprintf("%s of turn %d", text.Count(p.Counts.Examples, "example", "examples"), p.Turn.N)}
	if n := p.Counts.Negatives; n > 0 {
		out[0] += fmt.Sprintf(", %d of them negatives", n)
	}
	for _, why := range p.Counts.Reasons() {
		out = append(out, fmt.Sprintf("%s left out: %s", text.Thousands(p.Counts.LeftOut[why]), dataset.Reason(why)))
	}
	return out
}

// datasetWords is what was written.
func datasetWords(dir string, c dataset.Counts) string {
	words := fmt.Sprintf("Wrote a data set of %s in %s to %s.", text.Count(c.Examples, "example", "examples"),
		text.Count(c.Pictures, "picture", "pictures"), text.Cut(text.Line(dir), 200))
	if c.Duplicates > 0 {
		words = strings.TrimSuffix(words, ".") + fmt.Sprintf("; %s left out as near duplicates.",
			text.Count(c.Duplicates, "picture", "pictures"))
	}
	return words
}
