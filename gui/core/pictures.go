package core

import (
	"fmt"
	"math"
	"slices"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
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

// Title is what the chip of a mode says.
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

// PicturesPane is the state of comparing pictures.
type PicturesPane struct {
	Mode PicturesMode
	// Split is where the slider is, Mix how much of the turn's picture the onion skin
	// shows; both 0 to 1.
	Split, Mix float64
	// Box is the changed place that was gone to, from 1; 0 for none.
	Box int
	// Diff is what differs, nil where it is not known yet.
	Diff *PictureDiff
}

// PictureDiff is how the pictures of two turns differ. It is immutable.
type PictureDiff struct {
	N, From int
	*overlay.Difference
	Pyramid *overlay.Pyramid // of the difference's picture
	// Problem is why they cannot be compared.
	Problem *Problem
}

type (
	// PicturesChosen holds the pictures against each other in a mode.
	PicturesChosen struct{ Mode PicturesMode }
	// PicturesMoved moves the slider, or the strength of the onion skin, to 0 to 1.
	PicturesMoved struct{ To float64 }
	// ChangedPlace goes By places on in the list of changed places.
	ChangedPlace struct{ By int }
	// ComparePictures finds what differs; the answer is [PicturesCompared].
	ComparePictures struct{ Before, Turn *Turn }
	// PicturesCompared answers [ComparePictures].
	PicturesCompared struct{ Diff *PictureDiff }
	// LookAt brings a place of the picture, in image px, into view.
	LookAt struct{ X, Y, W, H int }
)

func (m PicturesChosen) Apply(s State) (State, []Effect) {
	if !slices.Contains(picturesModes, m.Mode) {
		return s, nil
	}
	s.Pictures.Mode, s.Back = m.Mode, false
	if s.Pictures.Split == 0 && s.Pictures.Mix == 0 {
		s.Pictures.Split, s.Pictures.Mix = 0.5, 0.5
	}
	return s.fillPictures()
}

// fillPictures asks for the difference where it is in view and not there.
func (s State) fillPictures() (State, []Effect) {
	if s.Pictures.Mode == PicturesOff || s.Shown == nil || s.Before == nil || s.pictureDiff() != nil {
		return s, nil
	}
	s.Pictures.Diff, s.Pictures.Box = nil, 0
	return s, []Effect{ComparePictures{s.Before, s.Shown}}
}

// pictureDiff is the difference of the pictures in view, nil where it is not there.
func (s State) pictureDiff() *PictureDiff {
	d := s.Pictures.Diff
	if d == nil || s.Shown == nil || s.Before == nil || d.N != s.Shown.N || d.From != s.Before.N {
		return nil
	}
	return d
}

func (m PicturesCompared) Apply(s State) (State, []Effect) {
	if s.Shown != nil && s.Before != nil && m.Diff.N == s.Shown.N && m.Diff.From == s.Before.N {
		s.Pictures.Diff = m.Diff
	}
	return s, nil
}

func (m PicturesMoved) Apply(s State) (State, []Effect) {
	to := min(max(m.To, 0), 1)
	if math.IsNaN(m.To) {
		return s, nil
	}
	switch s.Pictures.Mode {
	case PicturesSlider:
		s.Pictures.Split = to
	case PicturesOnion:
		s.Pictures.Mix = to
	}
	return s, nil
}

func (m ChangedPlace) Apply(s State) (State, []Effect) {
	d := s.pictureDiff()
	if d == nil || d.Problem != nil || len(d.Boxes) == 0 {
		return s, nil
	}
	n := len(d.Boxes)
	at := s.Pictures.Box + m.By
	switch {
	case at > n:
		at = 1
	case at < 1:
		at = n
	}
	s.Pictures.Box = at
	b := d.Boxes[at-1]
	return s, []Effect{LookAt{b.Min.X, b.Min.Y, b.Dx(), b.Dy()}}
}

// slide moves what the mode has to move by a step.
func slide(by float64) func(State) Msg {
	return func(s State) Msg {
		if s.Pictures.Mode == PicturesOnion {
			return PicturesMoved{s.Pictures.Mix + by}
		}
		return PicturesMoved{s.Pictures.Split + by}
	}
}

func pictureCommands(State) []Command {
	const m = "View"
	can := func(s State) bool { return s.Before != nil && pictured(s) }
	on := func(s State) bool { return can(s) && s.Pictures.Mode != PicturesOff }
	slides := func(s State) bool {
		return can(s) && (s.Pictures.Mode == PicturesSlider || s.Pictures.Mode == PicturesOnion)
	}
	list := []Command{{ID: CmdPictures, Title: "Compare the pictures, another way", Menu: m, Key: "R", Gap: true, Enabled: can,
		Msg: func(s State) Msg {
			i := slices.Index(picturesModes, s.Pictures.Mode)
			return PicturesChosen{picturesModes[(i+1)%len(picturesModes)]}
		}}}
	for _, mode := range picturesModes {
		c := Command{ID: "pictures." + string(mode), Title: "Pictures: " + mode.Title(), Menu: m, Enabled: can, Msg: send(PicturesChosen{mode}),
			Checked: func(s State) bool { return s.Pictures.Mode == mode }}
		if mode == PicturesOff {
			c.ID, c.Title, c.Enabled = CmdPicturesOff, "Pictures: do not compare", on
		}
		list = append(list, c)
	}
	return append(list,
		Command{ID: "pictures.less", Title: "Less of the new picture", Menu: m, Key: "<", Enabled: slides, Msg: slide(-0.05)},
		Command{ID: "pictures.more", Title: "More of the new picture", Menu: m, Key: ">", Enabled: slides, Msg: slide(0.05)},
		Command{ID: "pictures.place", Title: "Next changed place of the picture", Menu: m, Key: ";", Enabled: on, Msg: send(ChangedPlace{1})},
	)
}

// PicturesVM is the row over the picture about comparing. It is comparable.
type PicturesVM struct {
	// On: the row is shown. Mode is in view; Slides: there is something to move, at To.
	On     bool
	Mode   PicturesMode
	Slides bool
	To     float64
	// Facts say what differs, Warn what stands out, such as pictures of different size.
	Facts, Warn string
	// Places is how many places changed.
	Places int
}

// PicturesRow is what the row over the picture shows.
func (s State) PicturesRow() PicturesVM {
	v := PicturesVM{Mode: s.Pictures.Mode, On: s.Pictures.Mode != PicturesOff && s.Shown != nil}
	if !v.On {
		return v
	}
	switch v.Mode {
	case PicturesSlider:
		v.Slides, v.To = true, s.Pictures.Split
	case PicturesOnion:
		v.Slides, v.To = true, s.Pictures.Mix
	}
	d := s.pictureDiff()
	switch {
	case s.turnBefore(s.Shown.N) == 0:
		v.Facts = "This is the first turn; there is no picture before it. J goes on."
	case s.Before == nil && s.Changes != nil && s.Changes.Problem != nil:
		v.Warn = s.Changes.Problem.Sentence
	case d == nil:
		v.Facts = "Comparing…"
	case d.Problem != nil:
		v.Warn = d.Problem.Sentence
	case d.Changed == 0:
		v.Facts = fmt.Sprintf("turn %d → %d: every pixel is the same", d.From, d.N)
	default:
		v.Places = len(d.Boxes)
		v.Facts = fmt.Sprintf("turn %d → %d: %s px changed (%s) in %s", d.From, d.N, Thousands(d.Changed), percentOf(d.Share()), Plural(v.Places, "place", "places"))
		if s.Pictures.Box > 0 && s.Pictures.Box <= v.Places {
			v.Facts += fmt.Sprintf(" · place %d", s.Pictures.Box)
		}
	}
	if d != nil && d.Problem == nil && d.Difference.Before != d.Difference.After {
		b, a := d.Difference.Before, d.Difference.After
		v.Warn = fmt.Sprintf("other size: %d × %d → %d × %d, aligned at the top left", b.X, b.Y, a.X, a.Y)
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
func (s State) pair(v *ShotVM) {
	if s.Pictures.Mode == PicturesOff || s.Before == nil || s.Before.Pyramid == nil || s.Shown == nil || s.Shown.Pyramid == nil || s.Back {
		return
	}
	v.Pair = PairVM{Mode: s.Pictures.Mode, Before: s.Before.Pyramid, From: s.Before.N, To: s.Shown.N}
	switch s.Pictures.Mode {
	case PicturesSlider:
		v.Pair.Share = s.Pictures.Split
	case PicturesOnion:
		v.Pair.Share = s.Pictures.Mix
	case PicturesPixels:
		d := s.pictureDiff()
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

func viewCommands() []Command {
	const m = "View"
	layer := func(id, title, key string, l Layer, on func(State) bool) Command {
		return Command{ID: id, Title: title, Menu: m, Key: key, Enabled: always, Checked: on, Msg: send(LayerToggled{l})}
	}
	zoom := func(id, title, key string, z Zoom) Command {
		return Command{ID: id, Title: title, Menu: m, Key: key, Enabled: pictured, Msg: send(Wanted{ZoomTo{z}})}
	}
	list := []Command{
		layer(CmdBoxes, "Boxes", "X", LayerBoxes, func(s State) bool { return s.Layers.Boxes }),
		layer(CmdLabels, "Labels", "L", LayerLabels, func(s State) bool { return s.Layers.Labels }),
		layer(CmdOcclusion, "Occlusion", "O", LayerOcclusion, func(s State) bool { return s.Layers.Occlusion }),
		{ID: CmdBefore, Title: "Picture of the turn before", Menu: m, Key: keyBefore, Hold: true,
			Enabled: func(s State) bool { return s.Before != nil }, Checked: func(s State) bool { return s.Back },
			Msg: func(s State) Msg { return BackToggled{!s.Back} }},
		zoom("zoom.fit", "Fit the picture", "0", ZoomFit),
		zoom("zoom.actual", "Actual size", "1", ZoomActual),
		zoom("zoom.in", "Zoom in", "+", ZoomIn),
		zoom("zoom.out", "Zoom out", "-", ZoomOut),
		zoom("zoom.selection", "Zoom to the selection", "Z", ZoomSelection),
	}
	list[4].Gap = true
	list[8].Enabled = func(s State) bool { return pictured(s) && s.Selected.Some() }
	return list
}

// pictureRoom is the picture: its marks, what compares it with others, the token map.
func pictureRoom() Room {
	return Room{Name: "picture",
		Commands: func(s State) []Command {
			list := append(viewCommands(), pictureCommands(s)...)
			list = append(list, kindCommands(s)...)
			return append(list, placeCommands()...)
		},
		Fill: func(s State) (State, []Effect) {
			s, effects := s.rescope(nil)
			return s.mapCosts(effects)
		},
		Compared: State.fillPictures,
		Shown:    func(s State, _ *Turn) State { return closePicker(s) },
		Selected: closePicker,
		Left: func(s State) (State, []Effect) {
			s.Pictures.Diff = nil
			return s, nil
		},
		Escape: func(s State) (State, bool) {
			switch {
			case s.Picker.Open:
				s.Picker, s.Hover = Picker{}, Selection{}
			case s.Back:
				s.Back = false
			case s.Costs.On:
				s.Costs.On = false
			case s.Pictures.Mode != PicturesOff:
				s.Pictures.Mode = PicturesOff
			default:
				return s, false
			}
			return s, true
		}}
}

// LayerToggled switches one layer of the picture.
type LayerToggled struct{ Layer Layer }

func (m LayerToggled) Apply(s State) (State, []Effect) {
	s.Layers = toggle(s.Layers, m.Layer)
	return s, nil
}

// Zoomed: the picture pane shows Scale screen px for one image px.
type Zoomed struct{ Scale float64 }

func (m Zoomed) Apply(s State) (State, []Effect) {
	s.Zoom = m.Scale
	return s, nil
}

// Layer is one layer of the picture that can be switched.
type Layer int

const (
	LayerBoxes Layer = iota
	LayerLabels
	LayerOcclusion
)

func toggle(l overlay.Layers, which Layer) overlay.Layers {
	switch which {
	case LayerBoxes:
		l.Boxes = !l.Boxes
	case LayerLabels:
		l.Labels = !l.Labels
	case LayerOcclusion:
		l.Occlusion = !l.Occlusion
	}
	return l
}

// ZoomTo changes the camera of the picture pane.
type ZoomTo struct{ Zoom Zoom }

// Zoom is a wish for the camera of the picture pane.
type Zoom string

const (
	ZoomFit       Zoom = "fit"
	ZoomActual    Zoom = "actual"
	ZoomIn        Zoom = "in"
	ZoomOut       Zoom = "out"
	ZoomSelection Zoom = "selection"
)

// Shot is what the picture pane shows.
func (s State) Shot() ShotVM {
	v := ShotVM{Layers: s.Layers, Selected: s.Selected.Ref, Hover: s.Hover.Ref, FoundAt: -1, Point: s.point()}
	if t := s.Pictured(); t != nil {
		if f := s.Find; f.Open && f.Found != nil && t == s.Shown {
			v.Found = f.Found.Boxes
			if f.At >= 0 {
				v.FoundAt = f.Found.Matches[f.At].Box
			}
		}
		v.Version, v.Picture, v.Scene = t.N, t.Pyramid, s.scene(t)
		if s.costsInView() {
			v.Picture, v.Scene = s.Costs.Picture, nil
			v.Badge = fmt.Sprintf("what %s costs: %s tokens · Shift+T shows the marks", s.Costs.Format, Thousands(s.Costs.Tokens))
		}
		v.Caption = s.caption(t.Capture)
		v.Chosen, v.Pointed = s.unnumbered(t, s.Selected), s.unnumbered(t, s.Hover)
		s.pair(&v)
		if p := s.TurnPane.Points; p != nil && (p.After || s.Back) {
			v.Points = p
		}
		switch {
		case s.Back:
			v.Badge = fmt.Sprintf("before: turn %d · %s goes back to turn %d", t.N, keyBefore, s.Shown.N)
		case s.Selected.Some() && s.Selected.Node < 0:
			v.Missing = fmt.Sprintf("%d is not in this turn · %s shows where it was", s.Selected.Ref, keyBefore)
		}
		if t.Pyramid == nil {
			v.Empty = "This turn has no picture; its text is on the right."
		}
	} else {
		v.Empty = s.emptySentence("Nothing captured yet. Type an address above and press Enter.")
	}
	if t := s.Busy(); t != nil {
		v.Busy = t.Sentence
	}
	return v
}

// unnumbered is the outline of a selection without a number on the picture of a turn.
func (s State) unnumbered(t *Turn, sel Selection) Outline {
	if t != s.Shown || !sel.Some() || sel.Ref > 0 {
		return Outline{}
	}
	n := t.Capture.Node(sel.Node)
	if n == nil {
		return Outline{}
	}
	return t.outline(n)
}

// caption says what covers the element that is pointed at, or else the chosen one.
func (s State) caption(c *snapshot.Capture) string {
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
		how = "under glass, which lets clicks pass: "
	case o.State == snapshot.Clear:
		return ""
	}
	return fmt.Sprintf("%d %s%s", ref, how, covererText(c, *n.Occlusion.Coverer))
}

// ToolsVM is the row over the picture.
type ToolsVM struct {
	Boxes, Labels, Occlusion bool
	// Before: the picture of the turn before is in view; CanBefore: there is one.
	Before, CanBefore bool
	Zoom, Hint        string
	// Act is the mode in which clicks go to the page.
	Act  bool
	Live LiveVM
	// Filtered: Hint says which boxes are left out.
	Filtered bool
	// Key is the scene whose signs are explained below the picture; nil for none.
	Key *overlay.Scene
}

// Tone is the tone of the hint.
func (v ToolsVM) Tone() Tone {
	if v.Filtered {
		return ToneWarn
	}
	return ToneMuted
}

// Tools is what the row over the picture shows.
func (s State) Tools() ToolsVM {
	v := ToolsVM{Boxes: s.Layers.Boxes, Labels: s.Layers.Labels, Occlusion: s.Layers.Occlusion, Before: s.Back, CanBefore: s.Before != nil, Act: s.Act.On, Live: s.LiveChip()}
	if t := s.Pictured(); t != nil && t.Scene != nil && v.Occlusion && !s.costsInView() {
		if scene := s.scene(t); len(scene.Signs()) > 0 {
			v.Key = scene
		}
	}
	if pictured(s) {
		v.Zoom = fmt.Sprintf("%.0f %%", s.Zoom*100)
		v.Hint = "fit 0 · 100 % 1 · wheel zooms · drag pans"
		if s.Act.On {
			v.Hint = "a click goes to the page · right click offers more · " + keyAct + " ends it"
		}
		if says := s.boxesSay(); says != "" {
			v.Hint, v.Filtered = says, true
		}
	}
	return v
}

// scene are the marks to show of a turn's picture.
func (s State) scene(t *Turn) *overlay.Scene {
	if s.Boxes.any() && s.Boxes.Turn == t && s.Boxes.Scene != nil {
		return s.Boxes.Scene
	}
	return t.Scene
}

const CmdCosts = "picture.costs"

const CmdBoxes = "view.boxes"

const CmdLabels = "view.labels"

const CmdOcclusion = "view.occlusion"

const CmdBefore = "view.before"

const CmdPictures = "pictures.next"

const CmdPicturesOff = "pictures.off"

func closePicker(s State) State {
	s.Picker = Picker{}
	return s
}
