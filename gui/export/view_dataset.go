package export

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/overlay/dataset"
)

// DatasetView is the dialog of a data set: its choices, ten examples of the turn in view, and what is left out.
type DatasetView struct {
	now     SetChoice
	shown   *Preview
	shape   *parts.Select
	model   *parts.Select
	checks  []*parts.Check
	sum     *widget.Label
	samples []*sampleView
	filling bool // the state is being shown: nobody chose
	write   *parts.PushButton
	box     fyne.CanvasObject
}

// sampleView is one example.
type sampleView struct {
	picture *canvas.Image
	words   *widget.Label
	box     fyne.CanvasObject
}

// NewDataset makes the dialog.
func NewDataset(w *parts.Window) *DatasetView {
	d := &DatasetView{}
	change := func(f func(c *SetChoice)) {
		if !d.filling {
			c := d.now
			f(&c)
			d.now = c // a second choice may come before the state's answer
			w.Send(setChanged(c))
		}
	}
	var shapes []string
	for _, s := range dataset.Shapes() {
		shapes = append(shapes, string(s))
	}
	d.shape = parts.NewSelect(shapes, func(v string) { change(func(c *SetChoice) { c.Shape = dataset.Shape(v) }) },
		w.Leave)
	d.model = parts.NewSelect(append([]string{asTaken}, w.State().Models...), func(v string) {
		change(func(c *SetChoice) {
			if c.Model = v; v == asTaken {
				c.Model = ""
			}
		})
	}, w.Leave)
	check := func(text string, set func(c *SetChoice, on bool)) fyne.CanvasObject {
		c := parts.NewCheck(text, func(on bool) { change(func(c *SetChoice) { set(c, on) }) }, w.Leave)
		d.checks = append(d.checks, c)
		return c
	}
	form := container.New(layout.NewFormLayout(),
		widget.NewLabel("Format"), d.shape,
		widget.NewLabel("Size"), d.model,
		widget.NewLabel("Instructions"), check("Also by text, icon and position",
			func(c *SetChoice, on bool) { c.All = on }),
		widget.NewLabel("Negatives"), check("Keep what is covered, cut off or tiny",
			func(c *SetChoice, on bool) { c.Negatives = on }),
		widget.NewLabel("Pictures"), check("Marked ones too", func(c *SetChoice, on bool) { c.Marked = on }),
		widget.NewLabel("Splits"), check("80 : 10 : 10 by site", func(c *SetChoice, on bool) { c.Splits = on }),
	)
	d.sum = widget.NewLabel("")
	d.sum.Wrapping = fyne.TextWrapWord
	grid := container.NewGridWithColumns(5)
	for range previewed {
		v := newSample()
		d.samples = append(d.samples, v)
		grid.Add(v.box)
	}
	d.write = parts.NewPushButton("Export…", true, func() { w.Send(SetConfirmed()) }, w.Leave)
	boxes := parts.NewPushButton("Boxes on the picture", false, func() { w.Run(cmdDatasetBoxes) }, w.Leave)
	hint := parts.Hint("Tab moves, Space chooses, Enter exports, Esc leaves. All turns of the session go into the set.")
	foot := container.NewVBox(hint, parts.Border(nil, nil, boxes,
		container.NewHBox(parts.NewPushButton("Close", false, w.Leave, w.Leave), d.write)))
	wide := float32(thumbSize.X+8) * 5
	top := container.NewGridWithColumns(2, form, d.sum)
	filler := canvas.NewRectangle(color.Transparent)
	filler.SetMinSize(fyne.NewSize(wide, 0))
	d.box = parts.Border(parts.Head("Data set of the session"), foot, nil, nil,
		container.NewVBox(top, filler, grid))
	d.write.Submits(d.box)
	return d
}

func newSample() *sampleView {
	v := &sampleView{picture: &canvas.Image{FillMode: canvas.ImageFillContain}, words: widget.NewLabel("")}
	v.picture.SetMinSize(fyne.NewSize(float32(thumbSize.X), float32(thumbSize.Y)))
	v.words.SizeName = fynetheme.SizeNameCaptionText
	lines := canvas.NewRectangle(color.Transparent)
	lines.SetMinSize(fyne.NewSize(0, 46))
	v.box = parts.Border(nil, container.NewStack(lines, v.words), nil, nil, v.picture)
	return v
}

// show shows an example; nil for none.
func (v *sampleView) show(s *Sample) {
	if s == nil {
		parts.Show(v.picture, false)
		v.words.SetText("")
		return
	}
	v.picture.Image = s.Picture
	parts.Show(v.picture, true)
	v.picture.Refresh()
	size := fynetheme.Size(fynetheme.SizeNameCaptionText)
	v.words.SetText(strings.Join(parts.Wrap(parts.Harmless(s.Words), float32(thumbSize.X)-16, 2,
		func(s string) float32 {
			return fyne.MeasureText(s, size, fyne.TextStyle{}).Width
		}), "\n"))
}

// Object returns the object to lay out, Focus the one that gets the keyboard.
func (d *DatasetView) Object() fyne.CanvasObject { return d.box }
func (d *DatasetView) Focus() fyne.Focusable     { return d.write }

// Show shows the choices and the preview.
func (d *DatasetView) Show(s core.State) {
	c := Of(s).Set
	d.now, d.filling = c, true
	defer func() { d.filling = false }()
	model := c.Model
	if model == "" {
		model = asTaken
	}
	d.shape.SetSelected(string(c.Shape))
	d.model.SetSelected(model)
	o := c.Options()
	for i, on := range []bool{c.All, o.Negatives, o.Marked, c.Splits} {
		d.checks[i].SetChecked(on)
	}
	takes := SetChoice{Shape: c.Shape, Negatives: true}.Options().Negatives
	parts.Enable(d.checks[1], takes)
	parts.Enable(d.checks[2], c.Shape != dataset.SoM)
	p := PreviewOf(s)
	if p == nil {
		d.sum.SetText("Labelling the turn in view…")
		return
	}
	if p == d.shown {
		return
	}
	d.shown = p
	d.sum.SetText(strings.Join(p.Summary(), "\n"))
	for i, v := range d.samples {
		if i < len(p.Examples) {
			v.show(&p.Examples[i])
		} else {
			v.show(nil)
		}
	}
}
