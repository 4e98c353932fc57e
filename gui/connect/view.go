// Package connect is the page for agents: what connects one to Refscope, ready to be
// copied, the server of this window, and the agents that are there.
package connect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/dump"
	pagetext "github.com/refscope/refscope/snapshot/text"
)

// Callbacks are what the page reports. They run on Fyne's goroutine; none may be nil.
type Callbacks struct {
	Pick   func(recipe int)
	Copy   func(text string)
	Serve  func(on bool)
	Follow func(id string)
	Stop   func(id string)
	Leave  func()
	// Button makes a button that gives the page up on Esc.
	Button func(text string, main bool, do func()) fyne.CanvasObject
}

// ViewOf is the page. Make it with [New]; show something with [View.Set].
type View struct {
	on      Callbacks
	vm      Model
	shown   bool
	clients *fyne.Container
	chips   []*parts.Chip
	where   *widget.Label
	text    *text.View
	server  *widget.Label
	serve   *parts.Chip
	rows    *fyne.Container
	problem *widget.Label
	box     fyne.CanvasObject
}

// New makes an empty page.
func New(on Callbacks) *View {
	v := &View{on: on}
	heading := func(s string) *widget.Label {
		return widget.NewLabelWithStyle(s, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	}
	wrapped := func(i widget.Importance) *widget.Label {
		l := widget.NewLabel("")
		l.Wrapping, l.Importance = fyne.TextWrapWord, i
		return l
	}
	v.clients = container.New(&parts.Flow{Gap: 4})
	v.where, v.server, v.problem = wrapped(widget.LowImportance), wrapped(widget.MediumImportance), wrapped(widget.DangerImportance)
	v.problem.Hide()
	v.text = text.New(text.Callbacks{Copy: on.Copy, Clear: on.Leave})
	v.serve = parts.NewChip(parts.Button, "", func() { on.Serve(v.vm.URL == "") })
	v.rows = container.NewVBox()

	slim := func(o fyne.CanvasObject) fyne.CanvasObject { return container.New(parts.Slim{}, o) }
	recipe := container.NewBorder(
		container.NewVBox(heading("Connect an agent"), parts.Padded(0, 0, 8, 8, v.clients), v.where), nil, nil, nil,
		container.NewStack(v.text))
	server := container.NewBorder(container.NewVBox(heading("Server of this window"), container.NewBorder(nil, nil, nil, slim(v.serve), v.server)), v.problem, nil, nil, container.NewVScroll(v.rows))
	split := container.NewVSplit(recipe, server)
	split.Offset = 0.56
	foot := container.NewHBox(on.Button("Close", false, on.Leave), on.Button("Copy", true, func() { on.Copy(v.recipe().Text) }))
	hint := widget.NewLabel("Ctrl+C copies what is marked; Copy takes all of it.")
	hint.Importance = widget.LowImportance
	v.box = container.NewBorder(nil, container.NewBorder(nil, nil, hint, foot), nil, nil, split)
	return v
}

// Object is what is put into the dialog.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Focus is what the keyboard goes to: the text, whose lines can be copied.
func (v *View) Focus() fyne.Focusable { return v.text }

func (v *View) recipe() Recipe {
	if v.vm.Recipe < len(v.vm.Recipes) {
		return v.vm.Recipes[v.vm.Recipe]
	}
	return Recipe{}
}

// Set shows vm.
func (v *View) Set(vm Model) {
	old := v.vm
	v.vm = vm
	if !slices.Equal(vm.Recipes, old.Recipes) || vm.Recipe != old.Recipe || !v.shown {
		v.showRecipe()
	}
	if vm.Problem != v.problem.Text {
		v.problem.SetText(vm.Problem)
		parts.Show(v.problem, vm.Problem != "")
	}
	v.showServer()
	if !slices.Equal(vm.Sessions, old.Sessions) || vm.URL != old.URL || !v.shown {
		v.showSessions()
	}
	v.shown = true
}

func (v *View) showRecipe() {
	if len(v.chips) != len(v.vm.Recipes) {
		v.chips, v.clients.Objects = nil, nil
		for i, r := range v.vm.Recipes {
			c := parts.NewChip(parts.Tab, r.Client, func() { v.on.Pick(i) })
			v.chips = append(v.chips, c)
			v.clients.Add(c)
		}
		v.clients.Refresh()
	}
	for i, c := range v.chips {
		c.Turn(i == v.vm.Recipe, true)
	}
	r := v.recipe()
	if r.Text == "" {
		v.where.SetText("")
		v.text.Set(core.DumpVM{Empty: "Looking for clients…"})
		return
	}
	into := "Paste it into " + r.Where + "."
	if r.Shell {
		into = "Run it in a terminal."
	}
	format := dump.Format("recipe")
	if strings.HasPrefix(r.Text, "{") {
		format = core.FormatPretty
	}
	v.where.SetText(into + " The client then " + r.How + ".")
	v.text.Set(core.DumpVM{Doc: PlainDoc(format, r.Text)})
}

func (v *View) showServer() {
	switch {
	case v.vm.Busy && v.vm.URL == "":
		v.server.SetText("Starting…")
	case v.vm.Busy:
		v.server.SetText("Stopping…")
	case v.vm.URL != "":
		v.server.SetText("Running at " + v.vm.URL + " for programs on this computer that send its token. Each agent gets its own session.")
	default:
		v.server.SetText("Stopped. The clients above start their own server; start this one to let agents use this window.")
	}
	text := "Start"
	if v.vm.URL != "" {
		text = "Stop"
	}
	v.serve.Set(text, v.vm.URL == "", !v.vm.Busy)
}

// showSessions makes a row for each agent; there are a few at most.
func (v *View) showSessions() {
	v.rows.Objects = nil
	if v.vm.URL != "" && len(v.vm.Sessions) == 0 {
		l := widget.NewLabel("No agent connected. Paste the text above into one and let it call a tool.")
		l.Wrapping, l.Importance = fyne.TextWrapWord, widget.LowImportance
		v.rows.Add(l)
	}
	for _, s := range v.vm.Sessions {
		name := widget.NewLabel(pagetext.Cut(pagetext.Line(s.Client), 40))
		name.TextStyle.Bold = true
		facts := fmt.Sprintf("%s · %s · since %s", pagetext.Cut(pagetext.Line(s.Session), 40), pagetext.Count(s.Turns, "turn", "turns"), s.Since.In(time.Local).Format("15:04"))
		if s.Busy != "" {
			facts += " · " + pagetext.Cut(pagetext.Line(s.Busy), 30) + " runs"
		}
		if s.URL != "" {
			facts += " · " + pagetext.Cut(pagetext.Line(s.URL), 60)
		}
		about := widget.NewLabel(facts)
		about.Truncation, about.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
		buttons := container.NewHBox(v.on.Button("Follow", false, func() { v.on.Follow(s.ID) }), v.on.Button("Stop", false, func() { v.on.Stop(s.ID) }))
		v.rows.Add(container.NewBorder(nil, nil, name, buttons, about))
	}
	v.rows.Refresh()
}
