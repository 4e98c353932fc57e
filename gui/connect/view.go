// Package connect is the dialog for agents. Its page Tools shows how to connect one to Refscope,
// ready to be copied, the server of this window, and the connected agents; its page Requests
// starts the tap, which records what any agent sends to its model.
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

// View is the page.
type View struct {
	w       *parts.Window
	vm      Model
	shown   bool
	clients *fyne.Container
	connect *fyne.Container // the clients, and what is pasted into that in view
	chips   []*parts.Chip
	where   *widget.Label
	text    *text.View
	server  *widget.Label
	serve   *parts.PushButton
	rows    *fyne.Container
	problem *widget.Label
	pages   map[Page]*parts.Chip
	tools   fyne.CanvasObject
	tap     *tapView
	box     fyne.CanvasObject
}

// New makes an empty page.
func New(w *parts.Window) *View {
	v := &View{w: w}
	wrapped := func(i widget.Importance) *widget.Label {
		l := widget.NewLabel("")
		l.Wrapping, l.Importance = fyne.TextWrapWord, i
		return l
	}
	v.clients = container.New(&parts.Flow{Gap: 4})
	v.where, v.server, v.problem = wrapped(widget.LowImportance), wrapped(widget.MediumImportance),
		wrapped(widget.DangerImportance)
	v.problem.Hide()
	v.text = text.New(text.Callbacks{Copy: func(s string) { w.Send(core.TextCopied{Text: s}) }, Clear: w.Leave})
	v.serve = parts.NewPushButton("", false, func() { w.Send(Serving{On: v.vm.URL == ""}) }, w.Leave)
	v.rows = container.NewVBox()

	slim := func(o fyne.CanvasObject) fyne.CanvasObject { return container.New(parts.Slim{}, o) }
	v.connect = parts.Border(
		container.NewVBox(parts.Head("Connect an agent"), parts.Padded(0, 0, 8, 8, v.clients), v.where), nil, nil, nil,
		container.NewStack(v.text))
	server := parts.Border(container.NewVBox(parts.Head("Server of this window"),
		parts.Border(nil, nil, nil, slim(v.serve), v.server)), nil, nil, nil, container.NewVScroll(v.rows))
	split := container.NewVSplit(v.connect, server)
	split.Offset = 0.56
	hint := parts.Hint("Ctrl+C copies what is marked; Copy takes all of it.")
	v.tools = parts.Border(nil, parts.Border(nil, nil, hint,
		parts.NewCopyButton(w, true, func() string { return v.recipe().Text })), nil, nil, split)
	v.tap = newTapView(w)
	v.pages = map[Page]*parts.Chip{}
	tabs := container.NewHBox()
	for _, page := range []struct {
		page  Page
		title string
	}{{Tools, "Use tools of this window"}, {Requests, "Record requests"}} {
		v.pages[page.page] = parts.NewChip(parts.Tab, page.title, func() { w.Send(Asked{page.page}) })
		tabs.Add(v.pages[page.page])
	}
	foot := container.NewVBox(v.problem, parts.Border(nil, nil, nil, v.button("Close", w.Leave)))
	v.box = parts.Border(tabs, foot, nil, nil, container.NewStack(v.tools, v.tap.box))
	return v
}

func (v *View) button(text string, do func()) fyne.CanvasObject {
	return parts.NewPushButton(text, false, do, v.w.Leave)
}

// Size is how large the dialog is in a window.
func (v *View) Size(window fyne.Size) fyne.Size {
	return fyne.NewSize(min(820, window.Width*0.9), min(640, window.Height*0.9))
}

// Object is what is put into the dialog.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Focus is what the keyboard goes to: the text, whose lines can be copied, or the entry for hosts.
func (v *View) Focus() fyne.Focusable {
	if v.vm.Page == Requests {
		return v.tap.hosts
	}
	return v.text
}

func (v *View) recipe() Recipe {
	if v.vm.Recipe < len(v.vm.Recipes) {
		return v.vm.Recipes[v.vm.Recipe]
	}
	return Recipe{}
}

// Show shows the state.
func (v *View) Show(s core.State) { v.set(Of(s)) }

func (v *View) set(vm Model) {
	old := v.vm
	v.vm = vm
	if !slices.Equal(vm.Recipes, old.Recipes) || vm.Recipe != old.Recipe || !v.shown {
		v.showRecipe()
	}
	if vm.Problem != v.problem.Text {
		v.problem.SetText(vm.Problem)
		parts.Show(v.problem, vm.Problem != "")
	}
	for page, c := range v.pages {
		c.Turn(page == vm.Page, true)
	}
	parts.Show(v.tools, vm.Page == Tools)
	parts.Show(v.tap.box, vm.Page == Requests)
	v.tap.show(vm)
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
			c := parts.NewChip(parts.Tab, r.Client, func() { v.w.Send(Picked{Index: i}) })
			v.chips = append(v.chips, c)
			v.clients.Add(c)
		}
		v.connect.Refresh() // they push down what is below them
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
	v.text.Set(core.DumpVM{Doc: core.PlainDoc(format, r.Text)})
}

func (v *View) showServer() {
	switch {
	case v.vm.Busy && v.vm.URL == "":
		v.server.SetText("Starting…")
	case v.vm.Busy:
		v.server.SetText("Stopping…")
	case v.vm.URL != "":
		v.server.SetText("Running at " + v.vm.URL +
			" for programs on this computer that send its token. Each agent gets its own session.")
	default:
		v.server.SetText("Stopped. The clients above start their own server; start this one to let agents use this " +
			"window.")
	}
	text := "Start"
	if v.vm.URL != "" {
		text = "Stop the server"
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
		facts := fmt.Sprintf("%s · %s · since %s", pagetext.Cut(pagetext.Line(s.Session), 40),
			pagetext.Count(s.Turns, "turn", "turns"), s.Since.In(time.Local).Format("15:04"))
		if !s.Gone.IsZero() {
			facts += " · gone since " + s.Gone.In(time.Local).Format("15:04:05")
		}
		if s.Busy != "" {
			facts += " · " + pagetext.Cut(pagetext.Line(s.Busy), 30) + " runs"
		}
		if s.URL != "" {
			facts += " · " + pagetext.Cut(pagetext.Line(s.URL), 60)
		}
		about := widget.NewLabel(facts)
		about.Truncation, about.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
		buttons := container.NewHBox(v.button("Follow", func() { v.w.Send(Followed{ID: s.ID}) }))
		if s.Gone.IsZero() {
			buttons.Add(v.button("Stop "+pagetext.Cut(pagetext.Line(s.Client), 24),
				func() { v.w.Send(Stopped{ID: s.ID}) }))
		}
		v.rows.Add(parts.Border(nil, nil, name, buttons, about))
	}
	v.rows.Refresh()
}
