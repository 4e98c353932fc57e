package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/gui/turn"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// PicturesMode is how the picture of a turn is held against that of the turn before.
type PicturesMode string

const (
	// PicturesOff shows one picture, the default.
	PicturesOff PicturesMode = ""
	// PicturesSlider shows the picture before left of a line, that of the turn right of it.
	PicturesSlider PicturesMode = "slider"
	// PicturesBeside shows both side by side.
	PicturesBeside PicturesMode = "beside"
	// PicturesOnion lays the turn's picture over the one before.
	PicturesOnion PicturesMode = "onion"
	// PicturesPixels shows which pixels differ.
	PicturesPixels PicturesMode = "pixels"
)

// picturesModes are the modes in the order in which the key goes through them.
var picturesModes = []PicturesMode{PicturesOff, PicturesSlider, PicturesBeside, PicturesOnion, PicturesPixels}

// PicturesModes lists the modes that compare, in the order of their chips.
func PicturesModes() []PicturesMode { return slices.Clone(picturesModes[1:]) }

// Title is the label of a mode's chip.
func (m PicturesMode) Title() string {
	switch m {
	case PicturesSlider:
		return "Slider"
	case PicturesBeside:
		return "Side by side"
	case PicturesOnion:
		return "Onion skin"
	case PicturesPixels:
		return "Pixels"
	}
	return "Off"
}

// PictureDiff is how the pictures of two turns differ. It is immutable.
type PictureDiff struct {
	N, From int
	*overlay.Difference
	Pyramid *overlay.Pyramid // of the difference's picture
	// Problem is why they cannot be compared.
	Problem *core.Problem
}

type (
	// comparePictures finds what differs; the answer is [picturesCompared].
	comparePictures struct{ Before, Turn *core.Turn }
	// showPlace brings a place of the picture, in image px, into view.
	showPlace struct{ X, Y, W, H int }
)

// PicturesChosen holds the pictures against each other in a mode.
func PicturesChosen(mode PicturesMode) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if !slices.Contains(picturesModes, mode) {
			return s, nil
		}
		edit(&s).Compare.Mode, s.ShowPrevious = mode, false
		if Of(s).Compare.Split == 0 && Of(s).Compare.Mix == 0 {
			model := edit(&s)
			model.Compare.Split, model.Compare.Mix = 0.5, 0.5
		}
		return fillPictures(s)
	})
}

// fillPictures asks for the difference where it is in view and not there.
func fillPictures(s core.State) (core.State, []core.Effect) {
	if Of(s).Compare.Mode == PicturesOff || s.Current == nil || s.Previous == nil || pictureDiff(s) != nil {
		return s, nil
	}
	model := edit(&s)
	model.Compare.Diff, model.Compare.Box = nil, 0
	return s, []core.Effect{comparePictures{s.Previous, s.Current}}
}

// pictureDiff is the difference of the pictures in view, nil where it is not there.
func pictureDiff(s core.State) *PictureDiff {
	d := Of(s).Compare.Diff
	if d == nil || s.Current == nil || s.Previous == nil || d.N != s.Current.N || d.From != s.Previous.N {
		return nil
	}
	return d
}

// picturesCompared answers [comparePictures].
func picturesCompared(diff *PictureDiff) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Current != nil && s.Previous != nil && diff.N == s.Current.N && diff.From == s.Previous.N {
			edit(&s).Compare.Diff = diff
		}
		return s, nil
	})
}

// picturesMoved moves the slider, or the strength of the onion skin, to 0 to 1.
func picturesMoved(t float64) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		to := min(max(t, 0), 1)
		if math.IsNaN(t) {
			return s, nil
		}
		switch Of(s).Compare.Mode {
		case PicturesSlider:
			edit(&s).Compare.Split = to
		case PicturesOnion:
			edit(&s).Compare.Mix = to
		}
		return s, nil
	})
}

// changedPlace goes By places on in the list of changed places.
func changedPlace(by int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		d := pictureDiff(s)
		if d == nil || d.Problem != nil || len(d.Boxes) == 0 {
			return s, nil
		}
		n := len(d.Boxes)
		at := Of(s).Compare.Box + by
		switch {
		case at > n:
			at = 1
		case at < 1:
			at = n
		}
		edit(&s).Compare.Box = at
		b := d.Boxes[at-1]
		return s, []core.Effect{showPlace{b.Min.X, b.Min.Y, b.Dx(), b.Dy()}}
	})
}

// slideBy moves what the mode has to move by a step.
func slideBy(by float64) func(core.State) core.Msg {
	return func(s core.State) core.Msg {
		if Of(s).Compare.Mode == PicturesOnion {
			return picturesMoved(Of(s).Compare.Mix + by)
		}
		return picturesMoved(Of(s).Compare.Split + by)
	}
}

func pictureCommands(core.State) []core.Command {
	const m = "View"
	can := func(s core.State) bool { return s.Previous != nil && core.Pictured(s) }
	on := func(s core.State) bool { return can(s) && Of(s).Compare.Mode != PicturesOff }
	slides := func(s core.State) bool {
		return can(s) && (Of(s).Compare.Mode == PicturesSlider || Of(s).Compare.Mode == PicturesOnion)
	}
	list := []core.Command{{ID: cmdPictures, Title: "Next comparison mode", Menu: m, Key: "R", Gap: true, Enabled: can,
		Msg: func(s core.State) core.Msg {
			i := slices.Index(picturesModes, Of(s).Compare.Mode)
			return PicturesChosen(picturesModes[(i+1)%len(picturesModes)])
		}}}
	for _, mode := range picturesModes {
		c := core.Command{ID: "pictures." + string(mode), Title: "Pictures: " + mode.Title(), Menu: m, Enabled: can,
			Msg:     core.Send(PicturesChosen(mode)),
			Checked: func(s core.State) bool { return Of(s).Compare.Mode == mode }}
		if mode == PicturesOff {
			c.ID, c.Title, c.Enabled = cmdPicturesOff, "Stop comparing pictures", on
		}
		list = append(list, c)
	}
	return append(list,
		core.Command{ID: "pictures.less", Title: "Less of the new picture", Menu: m, Key: "<", Enabled: slides,
			Msg: slideBy(-0.05)},
		core.Command{ID: "pictures.more", Title: "More of the new picture", Menu: m, Key: ">", Enabled: slides,
			Msg: slideBy(0.05)},
		core.Command{ID: "pictures.place", Title: "Next changed area", Menu: m, Key: ";", Enabled: on,
			Msg: core.Send(changedPlace(1))},
	)
}

// PicturesVM is the row over the picture about comparing. It is comparable.
type PicturesVM struct {
	// On: the row is shown. Mode is in view; Slides: there is something to move, at To.
	On     bool
	Mode   PicturesMode
	Slides bool
	To     float64
	// Facts describe what differs, Warn what is unusual, such as pictures of different size.
	Facts, Warn string
	// Places is how many places changed.
	Places int
}

// PicturesRow returns the content of the row over the picture.
func PicturesRow(s core.State) PicturesVM {
	v := PicturesVM{Mode: Of(s).Compare.Mode, On: Of(s).Compare.Mode != PicturesOff && s.Current != nil}
	if !v.On {
		return v
	}
	switch v.Mode {
	case PicturesSlider:
		v.Slides, v.To = true, Of(s).Compare.Split
	case PicturesOnion:
		v.Slides, v.To = true, Of(s).Compare.Mix
	}
	d := pictureDiff(s)
	switch {
	case s.ComparedWith().N == 0:
		v.Facts = "This is the first turn; there is no picture before it. J opens the next turn."
	case s.Previous == nil && s.Changes != nil && s.Changes.Problem != nil:
		v.Warn = s.Changes.Problem.Sentence
	case d == nil:
		v.Facts = "Comparing…"
	case d.Problem != nil:
		v.Warn = d.Problem.Sentence
	case d.Changed == 0:
		v.Facts = fmt.Sprintf("turns %d and %d: every pixel is the same", d.From, d.N)
	default:
		v.Places = len(d.Boxes)
		v.Facts = fmt.Sprintf("turns %d and %d: %s px changed (%s) in %s", d.From, d.N, text.Thousands(d.Changed),
			percentOf(d.Share()), text.Count(v.Places, "area", "areas"))
		if Of(s).Compare.Box > 0 && Of(s).Compare.Box <= v.Places {
			v.Facts += fmt.Sprintf(" · area %d", Of(s).Compare.Box)
		}
	}
	if d != nil && d.Problem == nil && d.Difference.Before != d.Difference.After {
		b, a := d.Difference.Before, d.Difference.After
		v.Warn = fmt.Sprintf("other size: %d × %d, then %d × %d, aligned at the top left", b.X, b.Y, a.X, a.Y)
	}
	return v
}

// percentOf is a part in percent, never rounded to none.
func percentOf(p float64) string {
	switch {
	case p > 0 && p < 0.001:
		return "under 0.1 %"
	case p < 0.1:
		return fmt.Sprintf("%.1f %%", p*100)
	}
	return fmt.Sprintf("%.0f %%", p*100)
}

// compared adds to the picture's view-model what is held against it.
func pair(s core.State, v *VM) {
	if Of(s).Compare.Mode == PicturesOff || s.Previous == nil || s.Previous.Pyramid == nil || s.Current == nil ||
		s.Current.Pyramid == nil || s.ShowPrevious {
		return
	}
	v.Pair = PairVM{Mode: Of(s).Compare.Mode, Before: s.Previous.Pyramid, From: s.Previous.N, To: s.Current.N}
	switch Of(s).Compare.Mode {
	case PicturesSlider:
		v.Pair.Share = Of(s).Compare.Split
	case PicturesOnion:
		v.Pair.Share = Of(s).Compare.Mix
	case PicturesPixels:
		d := pictureDiff(s)
		if d == nil || d.Problem != nil {
			v.Pair = PairVM{}
			return
		}
		v.Pair.Pixels = d.Pyramid
	}
}

// PairVM is the picture that another one is held against. The zero value is none. It is
// comparable.
type PairVM struct {
	Mode PicturesMode
	// Before is the picture before, Pixels that of the difference for [PicturesPixels].
	Before, Pixels *overlay.Pyramid
	// Share is where the slider is, or how much of the later picture is seen, 0 to 1.
	Share float64
	// From and To are the numbers of the turns.
	From, To int
}

func viewCommands() []core.Command {
	const m = "View"
	layer := func(id, title, key string, l Layer, on func(core.State) bool) core.Command {
		return core.Command{ID: id, Title: title, Menu: m, Key: key, Enabled: core.Always, Checked: on,
			Msg: core.Send(LayerToggled(l))}
	}
	zoom := func(id, title, key string, z Zoom) core.Command {
		return core.Command{ID: id, Title: title, Menu: m, Key: key, Enabled: core.Pictured,
			Msg: core.Send(core.Wanted(ZoomTo{z}))}
	}
	list := []core.Command{
		layer(cmdBoxes, "Boxes", "X", LayerBoxes, func(s core.State) bool { return s.Layers.Boxes }),
		layer(CmdLabels, "Labels", "L", LayerLabels, func(s core.State) bool { return s.Layers.Labels }),
		layer(CmdOcclusion, "Occlusion", "O", LayerOcclusion, func(s core.State) bool { return s.Layers.Occlusion }),
		layer(cmdScreenshot, "Screenshot", "", LayerScreenshot, func(s core.State) bool { return s.Layers.Picture }),
		{ID: CmdBefore, Title: "Picture of the turn before", Menu: m, Key: core.KeyBefore, Hold: true,
			Enabled: func(s core.State) bool { return s.Previous != nil }, Checked: func(s core.State) bool {
				return s.ShowPrevious
			},
			Msg: func(s core.State) core.Msg { return core.BackToggled(!s.ShowPrevious) }},
		zoom(cmdFit, "Fit width", "0", ZoomFit),
		zoom(cmdWhole, "Fit the whole picture", "", ZoomWhole),
		zoom(cmdActual, "Actual size", "1", ZoomActual),
		zoom("zoom.in", "Zoom in", "+", ZoomIn),
		zoom("zoom.out", "Zoom out", "-", ZoomOut),
		zoom("zoom.selection", "Zoom to the selection", "Z", ZoomSelection),
	}
	list = append(list, core.Command{ID: "picture.cover", Title: "Show what the overlay covers",
		Enabled: func(s core.State) bool { return coverOf(s).Text != "" },
		Checked: func(s core.State) bool { return Of(s).Cover.lit }, Msg: core.Send(coverShown())})
	list = slices.Insert(list, 3, core.Command{ID: "view.fromone", Title: "Count from 1", Menu: m, Enabled: core.Always,
		Checked: func(s core.State) bool { return s.Reading.FromOne }, Msg: core.Send(core.FromOneToggled())})
	list[5].Gap = true
	list[10].Enabled = func(s core.State) bool { return core.Pictured(s) && s.Selected.Some() }
	return list
}

// Room is the picture: its marks, what compares it with others, the token map.
func Room() core.Room {
	return core.Room{Name: "picture",
		Commands: func(s core.State) []core.Command {
			list := append(viewCommands(), pictureCommands(s)...)
			list = append(list, kindCommands(s)...)
			return append(list, placeCommands()...)
		},
		AfterUpdate: func(s core.State) (core.State, []core.Effect) {
			s, effects := rescope(findCover(s), nil)
			return mapCosts(s, effects)
		},
		Compared: fillPictures,
		Shown:    func(s core.State, _ *core.Turn) core.State { return closePicker(s) },
		Selected: closePicker,
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			edit(&s).Compare.Diff = nil
			return s, nil
		},
		Escape: func(s core.State) (core.State, bool) {
			switch {
			case Of(s).Picker.Open:
				edit(&s).Picker, s.Hover = Picker{}, core.Selection{}
			case Of(s).Cover.lit:
				edit(&s).Cover.lit = false
			case s.ShowPrevious:
				s.ShowPrevious = false
			case Of(s).Costs.On:
				edit(&s).Costs.On = false
			case Of(s).Compare.Mode != PicturesOff:
				edit(&s).Compare.Mode = PicturesOff
			default:
				return s, false
			}
			return s, true
		}}
}

// LayerToggled switches one layer of the picture.
func LayerToggled(layer Layer) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Layers = toggle(s.Layers, layer)
		return s, nil
	})
}

// Zoomed: the picture pane shows Scale screen px for one image px.
func Zoomed(scale float64) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Zoom = scale
		return s, nil
	})
}

// numbersWithheld: so many boxes in view have no number, for which this zoom has no room.
func numbersWithheld(n int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).withheld = n
		return s, nil
	})
}

// Layer is one layer of the picture that can be switched.
type Layer int

const (
	LayerBoxes Layer = iota
	LayerLabels
	LayerOcclusion
	LayerScreenshot // below the marks
)

func toggle(l overlay.Layers, which Layer) overlay.Layers {
	switch which {
	case LayerBoxes:
		l.Boxes = !l.Boxes
	case LayerLabels:
		l.Labels = !l.Labels
	case LayerOcclusion:
		l.Occlusion = !l.Occlusion
	case LayerScreenshot:
		l.Picture = !l.Picture
	}
	return l
}

// ZoomTo changes the camera of the picture pane.
type ZoomTo struct{ Zoom Zoom }

// Zoom is a wish for the camera of the picture pane.
type Zoom string

const (
	ZoomFit       Zoom = "fit" // its width
	ZoomWhole     Zoom = "whole"
	ZoomActual    Zoom = "actual"
	ZoomIn        Zoom = "in"
	ZoomOut       Zoom = "out"
	ZoomSelection Zoom = "selection"
)

// ViewOf is what the picture pane shows.
func ViewOf(s core.State) VM {
	v := VM{Arranged: Of(s).arranging.done, Layers: s.Layers, Selected: s.Selected.Ref, Hover: s.Hover.Ref, FoundAt: -1,
		Point: steps.Point(s)}
	if t := s.Pictured(); t != nil {
		if f := find.Of(s); f.Open && f.Found != nil && t == s.Current {
			v.Found = f.Found.Boxes
			if f.At >= 0 {
				v.FoundAt = f.Found.Matches[f.At].Box
			}
		}
		if v.Cover = coverOf(s); v.Cover.Lit && v.Found == nil {
			v.Found = Of(s).Cover.boxes
		}
		if boxes := setBoxes(s); boxes != nil {
			v.Found, v.Layers = boxes, overlay.Layers{Picture: s.Layers.Picture}
			v.Badge = fmt.Sprintf("%s of the data set, as exported · Esc shows the marks",
				text.Count(len(boxes.Boxes), "box", "boxes"))
		}
		v.Version, v.Picture, v.Scene = t.N, t.Pyramid, scene(s, t)
		v.Act, v.PageHigh = steps.Of(s).Act.On && !s.ShowPrevious, t.Capture.Viewport.Height
		if costsInView(s) {
			v.Picture, v.Scene = Of(s).Costs.Picture, nil
			v.Badge = fmt.Sprintf("Token map of %s: %s tokens · Shift+T shows the marks", Of(s).Costs.Format,
				text.Thousands(Of(s).Costs.Tokens))
		}
		v.Caption, v.Numbers = caption(s, t), s.NumbersOf(t)
		v.Chosen, v.Pointed = unnumbered(s, t, s.Selected), unnumbered(s, t, s.Hover)
		pair(s, &v)
		if p := replays.PointsInView(s); p != nil && !s.ShowPrevious {
			v.Points = p
		} else if p := turn.Of(s).Points; p != nil && s.ShowPrevious {
			v.Points = p
		} else if p := turn.Of(s).Marked; p != nil && p.After {
			v.Points = p
		} else if r := sentrequest.Of(s); r.Turn == s.Current && !s.ShowPrevious {
			v.Points = r.Points
		}
		if v.Points != nil && v.Points != turn.Of(s).Marked && s.Hover.Ref == 0 {
			v.Caption = "" // the points say it, where they are
		}
		switch {
		case s.ShowPrevious:
			v.Badge = fmt.Sprintf("Picture of turn %d, text of turn %d · %s goes back", t.N,
				s.Current.N, core.KeyBefore)
		case s.Selected.Some() && s.Selected.Node < 0:
			v.Missing = fmt.Sprintf("%s is not in this turn · %s shows where it was",
				s.NumbersOf(s.Previous).Text(s.Selected.Ref), core.KeyBefore)
		}
		if t.Pyramid == nil {
			v.Empty = withoutPicture(s, t)
		}
	} else {
		v.Start = s.Starting()
		v.Empty = s.EmptySentence(uncaptured(s))
	}
	if t := s.Busy(); t != nil {
		v.Busy = t.Sentence
	}
	return v
}

// uncaptured says what there is before the first capture: the page of the tab in use, where it shows one.
func uncaptured(s core.State) string {
	t, ok := s.CurrentTab()
	if !ok || s.Browser.Phase != core.PhaseReady || core.ShowURL(t.URL) == "" {
		return "Nothing captured yet. Enter an address above to begin."
	}
	verb := "is open"
	if s.Browser.Attached {
		verb = "is attached"
	}
	name := core.OrNone(text.Line(t.Title), core.ShowURL(t.URL))
	return "The tab “" + text.Cut(name, 60) + "” " + verb + " and not captured yet. Ctrl+R captures it."
}

// withoutPicture says what there is in the place of a picture: of a turn without a page, why it has none, where what
// was sent is, and which turns near by have one.
func withoutPicture(s core.State, t *core.Turn) string {
	if !t.Pageless() {
		out := []string{"This turn has no picture."}
		for _, l := range slices.Backward(t.Lacks) { // those of the whole recording come first
			out = append(out, "Missing: "+text.Cut(text.Line(l), 200))
		}
		return strings.Join(out, "\n")
	}
	out := []string{"No page belongs to this turn."}
	if i := t.WhyPageless(); i >= 0 {
		out[0] = core.Sentence(t.Lacks[i])
	}
	if asked, _ := sentrequest.Payloads(t); asked != nil {
		out = append(out, "What the model was sent and answered is on the right, in Messages (Q).")
	}
	var near []string
	for i := s.TurnIndex() - 1; i >= 0; i-- {
		if r := &s.Session.Turns[i]; !r.Pageless {
			near = append(near, fmt.Sprintf("turn %d before it (K)", r.N))
			break
		}
	}
	for i := s.TurnIndex() + 1; i > 0 && i < len(s.Session.Turns); i++ {
		if r := &s.Session.Turns[i]; !r.Pageless {
			near = append(near, fmt.Sprintf("turn %d after it (J)", r.N))
			break
		}
	}
	if len(near) > 0 {
		out = append(out, "The nearest page: "+strings.Join(near, ", or ")+".")
	}
	return strings.Join(out, "\n")
}

// unnumbered is the outline of a selection without a number on the picture of a turn.
func unnumbered(s core.State, t *core.Turn, sel core.Selection) core.Outline {
	if t != s.Current || !sel.Some() || sel.Ref > 0 {
		return core.Outline{}
	}
	n := t.Capture.Node(sel.Node)
	if n == nil {
		return core.Outline{}
	}
	return t.Outline(n)
}

// caption names what covers the element that is pointed at, or else the chosen one.
func caption(s core.State, t *core.Turn) string {
	c, numbers := t.Capture, s.NumbersOf(t)
	ref := s.Hover.Ref
	if ref == 0 {
		ref = s.Selected.Ref
	}
	n := c.ByRef(ref)
	if n == nil || n.Occlusion == nil || n.Occlusion.Coverer == nil {
		return ""
	}
	how := "covered by "
	switch o := n.Occlusion; {
	case o.State == snapshot.Partly:
		how = "partly covered by "
	case o.State == snapshot.Clear && o.ClickThrough:
		how = "hidden, but clicks pass through "
	case o.State == snapshot.Clear:
		return ""
	}
	return numbers.Text(ref) + " " + how + details.CovererText(c, *n.Occlusion.Coverer, numbers)
}

// ToolsVM is the row over the picture.
type ToolsVM struct {
	Boxes, Labels, Occlusion bool
	// Costs: the token map lies over the picture.
	Costs bool
	// Replaced: the token map or the boxes of a data set lie in the place of the marks.
	Replaced bool
	// Before: the picture of the turn before is in view; CanBefore: there is one.
	Before, CanBefore bool
	Zoom, Hint        string
	// Act is the mode in which clicks go to the page.
	Act, CanAct bool
	Live        core.SwitchVM
	// Whose numbers are shown; CanWhose: there is a choice.
	Whose    Whose
	CanWhose bool
	// NotTold is how much a person sees and the model was not told, 0 where that is nothing or not known; Untold: it is
	// hatched.
	NotTold int
	Untold  bool
	// LeftOut is how many elements filters left out, LeftOutOn: these are hatched.
	LeftOut   int
	LeftOutOn bool
	// Filtered: Hint names the boxes that are left out.
	Filtered bool
	// Withheld is the sentence about numbers that this zoom has no room for, "" for none.
	Withheld string
	// Key is the scene whose signs are explained below the picture; nil for none.
	Key *overlay.Scene
}

// Tone is the tone of the hint.
func (v ToolsVM) Tone() core.Tone {
	if v.Filtered {
		return core.ToneWarn
	}
	return core.ToneMuted
}

// setBoxes are the boxes of a data set that the picture shows in place of its marks, nil for none.
func setBoxes(s core.State) *core.FoundBoxes {
	if f := find.Of(s); s.ShowPrevious || f.Open && f.Found != nil || costsInView(s) {
		return nil
	}
	return export.SetBoxes(s)
}

// Tools returns the content of the row over the picture.
func Tools(s core.State) ToolsVM {
	v := ToolsVM{Boxes: s.Layers.Boxes, Labels: s.Layers.Labels, Occlusion: s.Layers.Occlusion, Costs: costsInView(s),
		Before:    s.ShowPrevious,
		CanBefore: s.Previous != nil, Act: steps.Of(s).Act.On, Live: live.ViewOf(s)}
	v.Whose, v.CanWhose = Of(s).Whose, agentRefs(s).Numbers() != nil
	if found := sentAudit(s); found != nil {
		v.NotTold, v.Untold = found.Missed, !Of(s).Untold && v.Occlusion
	}
	v.LeftOut, v.LeftOutOn = leftOut(s), v.Occlusion && Of(s).LeftOut
	v.CanAct = v.Act || !s.Session.ReadOnly
	v.Replaced = v.Costs || setBoxes(s) != nil
	if t := s.Pictured(); t != nil && t.Scene != nil && !v.Replaced {
		v.Key = scene(s, t)
	}
	if n := Of(s).withheld; n > 0 && core.Pictured(s) && !v.Replaced {
		v.Withheld = text.Count(n, "number", "numbers") + " hidden at this zoom"
	}
	if core.Pictured(s) {
		v.Zoom = fmt.Sprintf("%.0f %%", s.Zoom*100)
		v.Hint = ""
		if steps.Of(s).Act.On {
			v.Hint = "Clicks go to the page · right click offers more · " + steps.KeyAct + " ends it"
		}
		if says := BoxesSay(s); says != "" {
			v.Hint, v.Filtered = says, true
		}
	}
	return v
}

// scene are the marks to show of a turn's picture.
func scene(s core.State, t *core.Turn) *overlay.Scene {
	if b := Of(s).Boxes; b.For.Turn == t && b.Scene != nil {
		return b.Scene
	}
	return t.Scene
}

const CmdCosts = "picture.costs"

const cmdBoxes = "view.boxes"

const cmdScreenshot = "view.screenshot"

// Places of the picture to go to.
const (
	cmdFit    = "zoom.fit"
	cmdWhole  = "zoom.whole"
	cmdActual = "zoom.actual"
	cmdGoto   = "mark.goto"
)

const CmdLabels = "view.labels"

const CmdOcclusion = "view.occlusion"

const CmdBefore = "view.before"

const cmdPictures = "pictures.next"

const cmdPicturesOff = "pictures.off"

func closePicker(s core.State) core.State {
	edit(&s).Picker = Picker{}
	return s
}
