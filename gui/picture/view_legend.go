package picture

import (
	"image"
	"image/color"
	"image/draw"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	fynetheme "fyne.io/fyne/v2/theme"

	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/overlay"
)

// Size of a sample in the key, in Fyne units: of a pattern, of a colour, and of a label with two numbers.
const (
	swatchWide   = 30
	swatchColour = 16
	swatchNamed  = 40
	swatchHigh   = 14
)

// swatch is how wide the sample of a sign is.
func swatch(sign overlay.Sign) float32 {
	switch sign.Name {
	case signColour:
		return swatchColour
	case "named":
		return swatchNamed
	}
	return swatchWide
}

// legend is the key below the picture: how many numbers have no room at this zoom, and what the signs mean that the
// picture in view has. Package overlay lists them and draws the samples, so they look as
// they do on the picture.
type legend struct {
	widget.BaseWidget
	signs    []overlay.Sign
	withheld string
}

func newLegend() *legend {
	l := &legend{}
	l.ExtendBaseWidget(l)
	return l
}

// set shows the signs of a scene that these layers draw, nil shows none, and a sentence about numbers without room. The
// key keeps its place where it has nothing to say, so that the picture does not move when a turn comes or the boxes go.
func (l *legend) set(scene *overlay.Scene, layers overlay.Layers, withheld string) {
	l.signs, l.withheld = nil, withheld
	if scene != nil {
		l.signs = slices.DeleteFunc(inOrder(scene.Signs()), func(s overlay.Sign) bool {
			switch s.Name {
			case signColour: // of a box, and of the plate of its number
				return !layers.Boxes && !layers.Labels
			case "dashed":
				return !layers.Boxes
			case "named", "leader":
				return !layers.Labels
			}
			return !layers.Occlusion
		})
	}
	l.Refresh()
}

// CreateRenderer is Fyne's.
func (l *legend) CreateRenderer() fyne.WidgetRenderer {
	r := &legendRenderer{legend: l, box: container.New(parts.Row{Gap: 8})}
	r.Refresh()
	return r
}

type legendRenderer struct {
	legend *legend
	box    *fyne.Container
}

func (r *legendRenderer) MinSize() fyne.Size { return fyne.NewSize(0, 28) }
func (r *legendRenderer) Layout(size fyne.Size) {
	r.box.Move(fyne.NewPos(12, 0))
	r.box.Resize(size.SubtractWidthHeight(24, 0))
}
func (r *legendRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.box} }
func (r *legendRenderer) Destroy()                     {}

func (r *legendRenderer) Refresh() {
	th := r.legend.Theme()
	r.box.Objects = nil
	paper := theme.RGBA(th, theme.ColorStage)
	if words := r.legend.withheld; words != "" {
		t := canvas.NewText(words, theme.RGBA(th, theme.ColorWarn))
		t.TextSize = th.Size(fynetheme.SizeNameCaptionText)
		r.box.Objects = append(r.box.Objects, t)
	}
	for _, sign := range r.legend.signs {
		sample := parts.NewRaster(func(w, h int) image.Image { return drawSign(sign, w, h, paper) })
		sample.ScaleMode = canvas.ImageScalePixels
		sample.SetMinSize(fyne.NewSize(swatch(sign), swatchHigh))
		words := canvas.NewText(sign.Words, theme.RGBA(th, theme.ColorMuted))
		words.TextSize = th.Size(fynetheme.SizeNameCaptionText)
		// One object for both: a sample is never without its words.
		r.box.Objects = append(r.box.Objects, container.New(parts.Row{Gap: 6, Firm: true}, sample, words))
	}
	r.box.Refresh()
}

// signColour is the name of the signs that are a colour of a kind of box.
const signColour = "role"

// inOrder are the signs as they are read: the colours first, then what is shaded and dashed, the rest last. Where there
// is no room for all, the last are left out.
func inOrder(signs []overlay.Sign) []overlay.Sign {
	place := func(s overlay.Sign) int {
		switch s.Name {
		case signColour:
			return 0
		case "covered", "missed", "filtered": // what an agent trips over
			return 1
		case "named", "leader":
			return 3
		}
		return 2
	}
	return slices.SortedStableFunc(slices.Values(signs), func(a, b overlay.Sign) int { return place(a) - place(b) })
}

// drawSign is one sample in device px, on a ground of that colour.
func drawSign(sign overlay.Sign, w, h int, paper color.RGBA) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	sign.Draw(img, img.Rect, max(1, h/swatchHigh))
	return img
}
