package compare

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	pagetext "github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// View is the dialog: the list of sessions, and once one is chosen, the two timelines and the
// causes beside both pictures and both texts.
type View struct {
	w     *parts.Window
	vm    VM
	drawn bool

	pick    *parts.Picker
	listed  []sessionRow // that fit what is typed
	choose  fyne.CanvasObject
	names   *parts.Facts
	verdict *parts.Facts
	tools   parts.Flow
	note    *parts.Entry
	labels  [2]*parts.Chip
	first   *parts.Chip
	open    *parts.Chip
	ties    *tieList
	causes  *parts.List
	shows   map[Shows]*parts.Chip
	heads   [2]*widget.Label
	images  [2]*canvas.Image
	texts   [2]*text.View
	both    fyne.CanvasObject
	box     *fyne.Container
}

// New makes the dialog.
func New(w *parts.Window) *View {
	v := &View{w: w, shows: map[Shows]*parts.Chip{}, names: parts.NewFacts(false, 10),
		verdict: parts.NewFacts(false, 10), tools: parts.Flow{Gap: 6}}
	v.pick = parts.NewPicker("The other session: its name, its folder, or a recording's file", v.narrow,
		func(row int, typed string) {
			if row >= 0 {
				typed = v.listed[row].Name
			}
			w.Send(Chosen{Name: typed})
		}, w.Leave)
	v.choose = v.pick.Dialog("Compare the session in view with", "Arrow keys choose, Enter compares, Esc leaves.",
		parts.NewPushButton("Close", false, w.Leave, w.Leave))
	v.first = parts.NewChip(parts.Button, "First divergence", func() { w.Send(firstAsked()) })
	v.open = parts.NewChip(parts.Button, "Open this turn", func() { w.Send(Opened{}) })
	other := parts.NewChip(parts.Button, "Other session…", func() { w.Send(otherAsked()) })
	closing := parts.NewChip(parts.Button, "Close", w.Leave)
	slim := func(o fyne.CanvasObject) fyne.CanvasObject { return container.New(parts.Slim{}, o) }
	v.note = parts.NewEntry("Note with the label", false, func(string) {}, w.Leave)
	tools := container.New(&v.tools, container.New(noteLayout{}, v.note))
	for i, title := range []string{"Label the first ▾", "Label the second ▾"} {
		v.labels[i] = parts.NewChip(parts.Button, title, func() { v.dropLabels(i) })
		tools.Add(slim(v.labels[i]))
	}
	for _, chip := range []*parts.Chip{v.first, v.open, other} {
		tools.Add(slim(chip))
	}
	head := container.New(parts.Fitting{Of: layout.NewVBoxLayout(), Fit: v.tools.Fit},
		parts.Border(nil, nil, nil, slim(closing), parts.Padded(10, 0, 6, 6, v.names)), tools,
		parts.Padded(0, 2, 6, 6, v.verdict))

	v.ties = newTieList(w)
	on := w.List()
	on.Hover = nil
	v.causes = parts.NewList(on)
	left := container.NewVSplit(v.ties, v.causes)
	left.Offset = 0.55

	var pictures, texts []fyne.CanvasObject
	for i := range v.images {
		v.heads[i] = widget.NewLabel("")
		v.heads[i].Truncation = fyne.TextTruncateEllipsis
		v.images[i] = &canvas.Image{FillMode: canvas.ImageFillContain}
		pictures = append(pictures, parts.Border(v.heads[i], nil, nil, nil, v.images[i]))
		v.texts[i] = text.New(text.Callbacks{Clear: w.Leave, Copy: func(t string) { w.Send(core.TextCopied{Text: t}) }})
		texts = append(texts, v.texts[i])
	}
	choices := container.New(&parts.Flow{Gap: 6})
	for _, choice := range shows() {
		c := parts.NewChip(parts.Toggle, choice.String(), func() { w.Send(showsChosen(choice)) })
		v.shows[choice] = c
		choices.Add(c)
	}
	beside := container.NewHSplit(texts[0], texts[1])
	right := container.NewVSplit(container.NewGridWithColumns(2, pictures...),
		parts.Border(parts.Padded(4, 4, 6, 6, choices), nil, nil, nil, beside))
	right.Offset = 0.48
	body := container.NewHSplit(left, right)
	body.Offset = 0.36
	v.both = parts.Border(container.NewVBox(head, parts.NewHairline()), nil, nil, nil, body)
	v.box = container.NewStack(v.choose, v.both)
	return v
}

// Object returns the object to lay out, Focus the one that gets the keyboard, Size how large it is.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Focus is the list in view.
func (v *View) Focus() fyne.Focusable {
	if v.vm.Choosing {
		return v.pick.Entry
	}
	return v.ties
}

// Size is nearly the whole window.
func (v *View) Size(window fyne.Size) fyne.Size {
	return fyne.NewSize(window.Width*0.95, window.Height*0.92)
}

// Show shows the state.
func (v *View) Show(s core.State) {
	vm := viewOf(s)
	old := v.vm
	v.vm = vm
	parts.Show(v.choose, vm.Choosing)
	parts.Show(v.both, !vm.Choosing)
	if vm.Choosing {
		v.pick.SetEmpty(vm.Empty)
		if !v.drawn || len(vm.Sessions) != len(old.Sessions) || !old.Choosing {
			v.pick.Fill()
		}
		v.drawn = true
		return
	}
	v.drawn = true
	v.names.Set([]core.StatusItem{{Text: vm.Names[0]}, {Text: vm.Labels[0], Tone: core.ToneWarn},
		{Text: "compared with", Tone: core.ToneMuted}, {Text: vm.Names[1]}, {Text: vm.Labels[1], Tone: core.ToneWarn}})
	facts := []core.StatusItem{{Text: vm.Verdict, Tone: vm.Tone}}
	for _, n := range vm.Notes {
		facts = append(facts, core.StatusItem{Text: pagetext.Line(n), Tone: core.ToneWarn})
	}
	v.verdict.Set(facts)
	v.first.Turn(false, vm.CanJump)
	v.open.Turn(false, vm.CanOpen)
	for choice, c := range v.shows {
		c.Turn(choice == vm.Shows, true)
	}
	v.ties.set(vm.Ties, vm.At, vm.Result != old.Result)
	v.causes.Set(vm.Causes)
	for i := range v.texts {
		v.heads[i].SetText(vm.Heads[i])
		v.texts[i].Set(vm.Texts[i])
	}
	if vm.Pair != old.Pair {
		v.showPictures()
	}
	if old.Choosing && v.w.Canvas != nil {
		v.w.Focus(v.ties)
	}
}

// dropLabels drops the labels down, for one of the runs.
func (v *View) dropLabels(run int) {
	menu, m := fyne.NewMenu(""), Of(v.w.State())
	for _, l := range turn.Labels() {
		on := m.Labels[run] != nil && m.Labels[run].Label == l.Name
		menu.Items = append(menu.Items, v.w.MenuItem(l.Name+": "+l.Means, on,
			labelChosen(run, l.Name, v.note.Text)))
	}
	v.w.DropDown(menu, v.labels[run])
}

func (v *View) showPictures() {
	for i, img := range v.images {
		img.Image = nil
		if p := v.vm.Pair; p != nil && p.Turns[i] != nil && p.Turns[i].Image != nil {
			img.Image = p.Turns[i].Image
		}
		img.Refresh()
	}
}

// narrow keeps the sessions whose name holds what is typed.
func (v *View) narrow(typed string) []parts.PickRow {
	v.listed = nil
	var rows []parts.PickRow
	for _, r := range v.vm.Sessions {
		if !strings.Contains(strings.ToLower(r.Name), strings.ToLower(strings.TrimSpace(typed))) {
			continue
		}
		v.listed = append(v.listed, r)
		rows = append(rows, parts.PickRow{Title: r.Name, Facts: []core.StatusItem{{Text: r.Turns},
			{Text: r.Last, Tone: core.ToneMuted}}})
	}
	return rows
}

// tieList is the two timelines: one row for each place, the turn of the first run, the tie, the
// turn of the second one, and the cause.
type tieList struct {
	widget.List
	w    *parts.Window
	rows []tie
	at   int
}

func newTieList(w *parts.Window) *tieList {
	l := &tieList{w: w, at: -1}
	l.Length = func() int { return len(l.rows) }
	l.CreateItem = newTieRow
	l.UpdateItem = l.fill
	l.HideSeparators = true
	l.OnSelected = func(i widget.ListItemID) {
		if i != l.at {
			w.Send(RowChosen{At: i})
		}
	}
	l.ExtendBaseWidget(l)
	return l
}

// AccessibilityLabel implements fyne.Accessible.
func (l *tieList) AccessibilityLabel() string { return "Turns of both runs" }

// AccessibilityRole implements fyne.Accessible.
func (l *tieList) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// TypedKey moves by the arrow keys; Esc leaves the dialog.
func (l *tieList) TypedKey(k *fyne.KeyEvent) {
	by := map[fyne.KeyName]int{fyne.KeyUp: -1, fyne.KeyDown: 1, fyne.KeyPageUp: -10, fyne.KeyPageDown: 10,
		fyne.KeyHome: -len(l.rows), fyne.KeyEnd: len(l.rows)}[k.Name]
	switch {
	case k.Name == fyne.KeyEscape:
		l.w.Leave()
	case by != 0 && len(l.rows) > 0:
		l.w.Send(RowChosen{At: max(0, min(l.at+by, len(l.rows)-1))})
	case k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter:
		l.w.Send(Opened{})
	}
}

func (l *tieList) set(rows []tie, at int, other bool) {
	l.rows = rows
	if at != l.at || other {
		l.at = at
		if at < len(rows) {
			l.Select(at)
			l.ScrollTo(at)
		}
	}
	l.Refresh()
}

func newTieRow() fyne.CanvasObject {
	turn := func() *widget.Label {
		w := widget.NewLabel("")
		w.Truncation = fyne.TextTruncateEllipsis
		return w
	}
	line := canvas.NewLine(color.Transparent)
	line.StrokeWidth = 2
	return container.New(tieLayout{}, turn(), line, turn(), turn())
}

func (l *tieList) fill(i widget.ListItemID, o fyne.CanvasObject) {
	if i >= len(l.rows) {
		return
	}
	r, parted := l.rows[i], o.(*fyne.Container).Objects
	for k, words := range []string{0: r.A, 2: r.B, 3: r.Word} {
		label, ok := parted[k].(*widget.Label)
		if !ok {
			continue
		}
		label.Importance, label.TextStyle.Bold = widget.MediumImportance, r.First
		if k == 3 {
			label.Importance = parts.Importance(r.Tone)
		}
		label.SetText(words)
	}
	line := parted[1].(*canvas.Line)
	line.StrokeColor = l.Theme().Color(parts.ToneColor(r.Tone), fyne.CurrentApp().Settings().ThemeVariant())
	parts.Show(line, r.A != "" && r.B != "")
	line.Refresh()
}

// noteLayout gives the entry of the note a width of its own.
type noteLayout struct{}

// MinSize implements fyne.Layout.
func (noteLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(190, objects[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (noteLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// tieLayout lays a row out: turn, tie, turn, cause.
type tieLayout struct{}

// Widths in Fyne units. The cause has what two turns leave of a wide row, for "in one run only, repeat" is one too.
const (
	tieWide  = 22
	turnWide = 140
	wordWide = 104
	wordMost = 200
)

// MinSize implements fyne.Layout.
func (tieLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(tieWide+wordWide+120, objects[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (tieLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	word := max(wordWide, min(wordMost, size.Width-tieWide-2*turnWide))
	half := max(40, (size.Width-tieWide-word)/2)
	objects[0].Resize(fyne.NewSize(half, size.Height))
	objects[0].Move(fyne.NewPos(0, 0))
	line := objects[1].(*canvas.Line)
	line.Position1, line.Position2 = fyne.NewPos(half, size.Height/2), fyne.NewPos(half+tieWide, size.Height/2)
	objects[2].Resize(fyne.NewSize(half, size.Height))
	objects[2].Move(fyne.NewPos(half+tieWide, 0))
	objects[3].Resize(fyne.NewSize(word, size.Height))
	objects[3].Move(fyne.NewPos(2*half+tieWide, 0))
}
