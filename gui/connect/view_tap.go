package connect

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
	pagetext "github.com/refscope/refscope/snapshot/text"
)

// tapView is the page of the tap: what it does, its base URLs with a button that copies each, and
// what has arrived.
type tapView struct {
	w     *parts.Window
	vm    Tap
	shown bool
	hosts *parts.Entry
	serve *parts.PushButton
	about *widget.Label
	rows  *fyne.Container
	last  *widget.Label
	box   fyne.CanvasObject
}

func newTapView(w *parts.Window) *tapView {
	v := &tapView{w: w, rows: container.New(layout.NewFormLayout())}
	start := func() { w.Send(Tapping{On: len(v.vm.Bases) == 0, Hosts: v.hosts.Text}) }
	v.hosts = parts.NewEntry("Compatible hosts, such as ollama=http://127.0.0.1:11434", false, func(string) { start() },
		w.Leave)
	v.serve = parts.NewPushButton("", false, start, w.Leave)
	wrapped := func() *widget.Label {
		l := widget.NewLabel("")
		l.Wrapping = fyne.TextWrapWord
		return l
	}
	v.about, v.last = wrapped(), wrapped()
	v.last.Importance = widget.LowImportance
	head := container.NewVBox(parts.Head("Record what an agent sends to its model"),
		parts.Border(nil, nil, nil, container.New(parts.Slim{}, v.serve), v.about),
		parts.Padded(0, 4, 8, 8, v.hosts))
	v.box = parts.Border(head, v.last, nil, nil, container.NewVScroll(v.rows))
	return v
}

// show shows the page of the tap.
func (v *tapView) show(m Model) {
	on := len(m.Tap.Bases) > 0
	switch {
	case m.Busy && m.Page == Requests && on:
		v.about.SetText("Stopping…")
	case m.Busy && m.Page == Requests:
		v.about.SetText("Starting…")
	case on:
		v.about.SetText("Running. Set one of these addresses as the agent's base URL. Each request becomes a " +
			"turn of the session " + pagetext.Cut(pagetext.Line(m.Tap.Session), 40) +
			", with its answer and the page at that time.")
	default:
		v.about.SetText("Forwards an agent's requests to its vendor, byte for byte, and keeps each as a turn of the " +
			"session in view, with the page that the browser in use shows at that moment. Keys are never stored.")
	}
	v.box.Refresh() // the sentence may have another height
	title := "Start"
	if on {
		title = "Stop recording"
	}
	v.serve.Set(title, !on, !m.Busy)
	parts.Enable(v.hosts, !on)
	if v.hosts.Text == "" && m.Hosts != "" {
		v.hosts.SetText(m.Hosts)
	}
	words := ""
	if on {
		words = "No request yet. The session in view follows them as they arrive."
		if m.Tap.Turns > 0 {
			words = pagetext.Count(m.Tap.Turns, "request", "requests") + " recorded. Last: " +
				pagetext.Cut(pagetext.Line(m.Tap.Last), 200)
		}
	}
	if words != v.last.Text {
		v.last.SetText(words)
	}
	if !v.shown || !slices.Equal(m.Tap.Bases, v.vm.Bases) {
		v.showBases(m.Tap.Bases)
		v.box.Refresh() // the words above take another number of lines
	}
	v.vm, v.shown = m.Tap, true
}

// showBases makes a row for each base URL; there are a few.
func (v *tapView) showBases(bases []Base) {
	v.rows.Objects = nil
	for _, b := range bases {
		name := widget.NewLabel(pagetext.Cut(pagetext.Line(b.Name), 40))
		name.TextStyle.Bold = true
		address := widget.NewLabel(pagetext.Line(b.URL))
		address.Truncation = fyne.TextTruncateEllipsis
		address.TextStyle.Monospace = true
		take := parts.NewCopyButton(v.w, false, func() string { return b.URL })
		v.rows.Add(name)
		v.rows.Add(parts.Border(nil, nil, nil, take, address))
	}
	v.rows.Refresh()
}
