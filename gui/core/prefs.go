package core

import (
	"slices"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/dump"
)

// Look is a choice of colours. The words are those of package gui/theme.
type Look string

const (
	LookSystem   Look = "system" // as the desktop
	LookDark     Look = "dark"
	LookLight    Look = "light"
	LookContrast Look = "contrast" // high contrast, dark or light as the desktop
)

// Looks are all choices, in the order of the menu.
func Looks() []Look { return []Look{LookDark, LookLight, LookContrast, LookSystem} }

// Limits of the scale of everything in the window, and the step of its commands.
const (
	MinScale  = 0.8
	MaxScale  = 1.6
	scaleStep = 0.1
)

// Hidden are the parts of the window that were put away.
type Hidden struct {
	Turns   bool `json:"turns,omitempty"`   // the timeline
	Side    bool `json:"side,omitempty"`    // the right side
	Details bool `json:"details,omitempty"` // the details below it
}

// Part is a part of the window that can be put away.
type Part int

const (
	PartTurns Part = iota
	PartSide
	PartDetails
)

// MaxRecent is how many sessions are remembered.
const MaxRecent = 5

// MaxUsed is how many formats come before the others.
const MaxUsed = 4

// What holds where nothing is set: the size of pages in CSS px, and how long one may load, in seconds, which may be set
// to MaxWait at most.
const (
	DefaultWidth, DefaultHeight = 1280, 720
	DefaultWait                 = 30
	MaxWait                     = 600
)

// Startup is what was set of the Chrome that the window starts; zero values are the defaults.
type Startup struct {
	Chrome string `json:"chrome,omitempty"` // path of its program
	// Width and Height are the size of its pages, in CSS px.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
	Wait   int `json:"wait,omitempty"` // how long a page may load, in seconds
}

// Sized reports whether it has a size of pages that is one.
func (s Startup) Sized() bool {
	return s.Width > 0 && s.Height > 0 && s.Width <= 10_000 && s.Height <= 10_000
}

// Prefs is what the window remembers from one start to the next (gui.md 1.3, row 60).
// It is comparable. The zero value of a field is its default.
type Prefs struct {
	Look  Look    `json:"look,omitempty"`
	Scale float64 `json:"scale,omitempty"` // 1 is the normal size
	// Format is the text in view, Side the command of the side in view.
	Format dump.Format `json:"format,omitempty"`
	Side   string      `json:"side,omitempty"`
	// Used are the formats that were chosen last, the newest first.
	Used [MaxUsed]dump.Format `json:"used,omitzero"`
	// No lists the layers of the picture that are off.
	NoBoxes     bool `json:"noBoxes,omitempty"`
	NoLabels    bool `json:"noLabels,omitempty"`
	NoOcclusion bool `json:"noOcclusion,omitempty"`
	// Reading is how texts are written.
	Reading     Reading `json:"reading,omitzero"`
	Hidden      Hidden  `json:"hidden"`
	TurnsAtSide bool    `json:"turnsAtSide,omitempty"`
	// Width and Height are the window's size in Fyne units; the others are the positions of
	// the splits, as a share of what is split. The shell sees to them.
	Width   float32 `json:"width,omitempty"`
	Height  float32 `json:"height,omitempty"`
	Picture float64 `json:"picture,omitempty"` // picture | right side
	Text    float64 `json:"text,omitempty"`    // side / details
	Drawer  float64 `json:"drawer,omitempty"`  // picture / drawer
	// Folder is where a file was written or opened last, Recent are the folders and files of
	// the sessions that were opened last, the newest first.
	Folder  string            `json:"folder,omitempty"`
	Recent  [MaxRecent]string `json:"recent,omitzero"`
	Startup Startup           `json:"startup,omitzero"`
}

// LookChosen changes the colours.
type LookChosen struct{ Look Look }

func (m LookChosen) Apply(s State) (State, []Effect) {
	if slices.Contains(Looks(), m.Look) {
		s.Look = m.Look
	}
	return s, nil
}

// themeToggled goes to the next choice of colours.
func themeToggled() Msg {
	return Does(func(s State) (State, []Effect) {
		all := Looks()
		s.Look = all[(slices.Index(all, s.Look)+1)%len(all)]
		return s, nil
	})
}

// scaled makes everything bigger by By steps, or smaller; 0 is the normal size again.
func scaled(by int) Msg {
	return Does(func(s State) (State, []Effect) {
		s.Scale = scaleOf(s.Scale + float64(by)*scaleStep)
		if by == 0 {
			s.Scale = 1
		}
		return s, nil
	})
}

// ScaleChosen sets the size of everything; 1 is the normal one.
func ScaleChosen(scale float64) Msg {
	return Does(func(s State) (State, []Effect) {
		s.Scale = scaleOf(scale)
		return s, nil
	})
}

// scaleOf is a scale within limits and on a step, so that going up and down comes back.
func scaleOf(v float64) float64 {
	if v == 0 {
		return 1
	}
	steps := int(v/scaleStep + 0.5)
	return min(max(float64(steps)/10, MinScale), MaxScale)
}

// partToggled puts a part of the window away, or brings it back.
func partToggled(part Part) Msg {
	return Does(func(s State) (State, []Effect) {
		switch part {
		case PartTurns:
			s.Hidden.Turns = !s.Hidden.Turns
		case PartSide:
			s.Hidden.Side = !s.Hidden.Side
		case PartDetails:
			s.Hidden.Details = !s.Hidden.Details
		}
		return s, nil
	})
}

// turnsMoved puts the timeline at the side, or below again.
func turnsMoved() Msg {
	return Does(func(s State) (State, []Effect) {
		s.TurnsAtSide, s.Hidden.Turns = !s.TurnsAtSide, false
		return s, nil
	})
}

// Prefs is what is to be remembered of the state. Sizes are the shell's to add.
func (s State) Prefs() Prefs {
	p := Prefs{Look: s.Look, Scale: s.Scale, Format: s.Format, Hidden: s.Hidden, TurnsAtSide: s.TurnsAtSide,
		Recent: s.Recent, Used: s.Used, Startup: s.Startup,
		NoBoxes: !s.Layers.Boxes, NoLabels: !s.Layers.Labels, NoOcclusion: !s.Layers.Occlusion, Reading: s.Reading}
	if r, ok := s.sideRow(s.Side); ok {
		p.Side = r.Command
	}
	return p
}

// with is the state with what was remembered. What is no longer known is left as it is.
func (s State) with(p Prefs) State {
	s.Look, s.Scale, s.Hidden = LookDark, scaleOf(p.Scale), p.Hidden
	s.TurnsAtSide, s.Recent, s.Reading, s.Startup = p.TurnsAtSide, p.Recent, p.Reading, p.Startup
	if slices.Contains(Looks(), p.Look) {
		s.Look = p.Look
	}
	if slices.Contains(s.Formats, p.Format) {
		s.Format = p.Format
	}
	for _, f := range slices.Backward(p.Used[:]) {
		s = s.use(f)
	}
	for _, r := range s.Sides() {
		if r.Command == p.Side {
			s.Side = r.Side
		}
	}
	s.Layers = overlay.Layers{Picture: true, Boxes: !p.NoBoxes, Labels: !p.NoLabels, Occlusion: !p.NoOcclusion}
	return s
}

// PrefsRoom has the commands of what the window remembers.
func PrefsRoom() Room { return Room{Name: "prefs", Commands: prefsCommands} }

func prefsCommands(State) []Command {
	const m = "View"
	part := func(id, title, key string, p Part, hidden func(State) bool) Command {
		return Command{ID: id, Title: title, Menu: m, Key: key, Enabled: Always,
			Checked: func(s State) bool { return !hidden(s) }, Msg: Send(partToggled(p))}
	}
	list := []Command{
		part("view.turns", "Timeline", "Ctrl+B", PartTurns, func(s State) bool { return s.Hidden.Turns }),
		{ID: "view.turnsside", Title: "Timeline at the side", Menu: m, Enabled: Always,
			Checked: func(s State) bool { return s.TurnsAtSide }, Msg: Send(turnsMoved())},
		part("view.side", "Side pane", "Ctrl+Alt+B", PartSide, func(s State) bool { return s.Hidden.Side }),
		part("view.details", "Details", "Ctrl+Shift+B", PartDetails, func(s State) bool { return s.Hidden.Details }),
		{ID: "view.bigger", Title: "Bigger", Menu: m, Key: "Ctrl+=", Gap: true, Enabled: func(s State) bool {
			return s.Scale < MaxScale
		}, Msg: Send(scaled(1))},
		{ID: "view.smaller", Title: "Smaller", Menu: m, Key: "Ctrl+-", Enabled: func(s State) bool {
			return s.Scale > MinScale
		}, Msg: Send(scaled(-1))},
		{ID: "view.normal", Title: "Normal size", Menu: m, Key: "Ctrl+0", Enabled: func(s State) bool {
			return s.Scale != 1
		}, Msg: Send(scaled(0))},
		{ID: "view.fullscreen", Title: "Full screen", Menu: m, Key: "F11", Enabled: Always,
			Msg: Send(Wanted(FullScreen{}))},
	}
	titles := map[Look]string{LookDark: "Dark", LookLight: "Light", LookContrast: "High contrast",
		LookSystem: "Follow the desktop"}
	for i, l := range Looks() {
		list = append(list, Command{ID: "view.look." + string(l), Title: titles[l], Menu: m, Gap: i == 0,
			Enabled: Always,
			Checked: func(s State) bool { return s.Look == l }, Msg: Send(LookChosen{l})})
	}
	return append(list, Command{ID: CmdTheme, Title: "Switch theme", Menu: m, Key: "Ctrl+D", Enabled: Always,
		Msg: Send(themeToggled())})
}
