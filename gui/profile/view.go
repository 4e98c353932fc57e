package profile

import (
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	pagetext "github.com/refscope/refscope/snapshot/text"
)

// Callbacks are what the view needs of the window.
type Callbacks struct {
	Send func(core.Msg)
	// Run runs a command by its id; Keyed is a title with a command's key behind it.
	Run   func(id string)
	Keyed func(title, id string) string
	// Focus moves the keyboard to a part of the view.
	Focus func(fyne.Focusable)
	// Escape leaves what is foremost; Key takes keys that mean something to the window.
	Escape func()
	Key    func(*fyne.KeyEvent)
	// Text are the callbacks of the texts below the editor, List those of the lists.
	Text text.Callbacks
	List parts.ListCallbacks
}

// View is the side. [View.Object] is what to lay out.
type View struct {
	on    Callbacks
	vm    VM
	shown bool // vm is on show

	title, facts   *parts.Facts
	save, revert   *parts.Chip
	tabs           map[Part]*parts.Chip
	others         *fyne.Container
	otherNames     []string
	editor         *Editor
	outline        *parts.List
	recipes        *parts.List
	tooBig         *widget.Label
	fault          *parts.Say
	faultAt        *fyne.Container
	texts          *fyne.Container // the editor, or why not
	below          *below
	preview        *preview
	history        *history
	clash          *clash
	missing        *missing
	empty          *widget.RichText
	editing        *fyne.Container
	views          *fyne.Container
	whole          *fyne.Container
	clashing, lost *fyne.Container
	nothing, left  *fyne.Container
	box            *fyne.Container
}

// NewEmpty makes the view.
func New(on Callbacks) *View {
	v := &View{on: on, title: parts.NewFacts(false, 10), facts: parts.NewFacts(false, 12), tabs: map[Part]*parts.Chip{}, empty: parts.NewEmpty()}
	chip := func(title, id string) *parts.Chip { return parts.NewChip(parts.Button, title, func() { on.Run(id) }) }
	v.save = chip(on.Keyed("Save", CmdProfileSave), CmdProfileSave)
	v.revert = chip("Revert", CmdProfileRevert)
	tabs := container.NewHBox()
	for _, t := range []struct {
		view      Part
		title, id string
	}{{ProfileEdit, "Text", CmdProfileEdit}, {ProfilePreview, "Preview", CmdProfilePreview}, {ProfileHistory, "History", CmdProfileHistory}} {
		v.tabs[t.view] = parts.NewChip(parts.Tab, t.title, func() { on.Run(t.id) })
		tabs.Add(v.tabs[t.view])
	}
	v.others = container.New(&parts.Flow{Gap: 6})
	right := container.NewHBox(container.New(parts.Slim{}, v.revert), container.New(parts.Slim{}, v.save))
	head := container.NewVBox(
		parts.Padded(6, 0, 12, 8, container.NewBorder(nil, nil, nil, right, parts.NewTapped(v.title, func() { on.Send(core.TextCopied{Text: v.vm.Path}) }))),
		parts.Padded(0, 2, 12, 12, v.facts),
		parts.Padded(0, 0, 8, 8, v.others), parts.Padded(0, 0, 6, 6, tabs))

	v.newEditing()
	v.preview = newPreview()
	v.history = newHistory(on)
	v.clash = newClash(on)
	v.missing = newMissing(on)
	v.lost, v.clashing = container.NewStack(v.missing.box), container.NewStack(v.clash.box)
	v.views = container.NewStack(v.editing, container.NewVScroll(parts.Padded(4, 12, 8, 8, v.preview.RichText)), v.history.box, v.clashing, v.lost)
	v.whole = container.NewBorder(head, nil, nil, nil, v.views)
	v.nothing = parts.Padded(40, 0, 24, 24, v.empty)
	v.box = container.NewStack(v.whole, v.nothing)
	return v
}

// newEditing lays the editor out: the outline and what runs at the left, the text, and
// the effect below.
func (v *View) newEditing() {
	on := v.on
	v.editor = newEditor()
	v.editor.escape, v.editor.key = on.Escape, on.Key
	v.editor.undo = func(redo bool) { on.Send(Undone{Redo: redo}) }
	v.editor.OnChanged = func(text string) {
		if !v.editor.filling {
			on.Send(Typed{Domain: v.vm.Domain, Given: v.editor.given, Text: text})
		}
	}
	v.editor.OnCursorChanged = func() { v.showOutline() }
	v.outline, v.recipes = parts.NewShortList(on.List), parts.NewShortList(on.List)
	v.fault = parts.NewSay()
	v.faultAt = parts.Padded(2, 2, 8, 8, v.fault)
	v.faultAt.Hide()
	v.tooBig = widget.NewLabel("")
	v.tooBig.Wrapping = fyne.TextWrapWord
	v.texts = container.NewStack(v.editor, container.NewVBox(v.tooBig))
	v.below = newBelow(on)
	v.left = container.NewVBox(v.outline, v.recipes)
	side := container.New(fixedWidth(148), container.NewVScroll(v.left))
	split := container.NewVSplit(container.NewBorder(nil, v.faultAt, side, nil, parts.Padded(0, 4, 0, 6, v.texts)), v.below.box)
	split.Offset = 0.56
	v.editing = container.NewStack(split)
}

// Object is what to lay out.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Set shows vm.
func (v *View) Set(vm VM) {
	if v.shown && vm.Equal(v.vm) {
		return
	}
	old := v.vm
	v.vm, v.shown = vm, true
	parts.Show(v.whole, vm.Empty == "")
	parts.Show(v.nothing, vm.Empty != "")
	parts.SayEmpty(v.empty, vm.Empty)
	if vm.Empty != "" {
		return
	}
	v.title.Set([]core.StatusItem{{Text: pagetext.Cut(pagetext.Line(vm.Domain), 60), Tone: core.ToneNormal}, {Text: shortPath(vm.Path), Tone: core.ToneMuted}})
	v.facts.Set(vm.Facts)
	v.save.Set(v.save.Text(), vm.CanSave, vm.CanSave)
	v.revert.Set("Revert", false, vm.CanRevert)
	v.showOthers(vm.Others)
	for view, c := range v.tabs {
		c.Turn(view == vm.View && vm.Conflict == nil, true)
	}
	clash, missing := vm.Conflict != nil, vm.Missing != "" && vm.View == ProfileEdit
	parts.Show(v.clashing, clash)
	parts.Show(v.lost, missing && !clash)
	parts.Show(v.editing, vm.View == ProfileEdit && !clash && !missing)
	parts.Show(v.views.Objects[1], vm.View == ProfilePreview && !clash)
	parts.Show(v.history.box, vm.View == ProfileHistory && !clash)
	if vm.Domain != old.Domain || vm.Given != v.editor.given {
		v.editor.fill(vm.Text, vm.Given, vm.Cursor)
	}
	v.tooBig.SetText(vm.TooBig)
	parts.Show(v.editor, vm.TooBig == "")
	parts.Show(v.texts.Objects[1], vm.TooBig != "")
	v.fault.Set(core.StatusItem{Text: vm.Fault, Tone: core.ToneBad})
	if on := vm.Fault != ""; on != v.faultAt.Visible() {
		parts.Show(v.faultAt, on)
		v.editing.Refresh()
	}
	v.showOutline()
	v.below.set(vm)
	v.missing.set(vm)
	if vm.View == ProfilePreview {
		v.preview.set(vm.Text)
	}
	if clash {
		v.clash.set(vm.Conflict)
		v.clash.box.Resize(v.views.Size()) // so that the sentence is wrapped before its height counts
		v.clash.box.Refresh()
	}
	v.history.set(vm, time.Local)
}

// showOutline shows the parts of the text, that of the cursor marked, and the recipes.
func (v *View) showOutline() {
	c := v.vm.Check
	if c == nil || v.vm.View != ProfileEdit {
		return
	}
	v.outline.Set(core.ListVM{Rows: outlineRows(c.Outline, v.editor.line())})
	v.recipes.Set(core.ListVM{Rows: recipeRows(c.Recipes, v.vm.CanRun)})
	v.left.Refresh() // they have other heights
}

// shortPath is the end of a path; a click on it copies all of it.
func shortPath(path string) string {
	const room = 36
	end := filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))
	if r := []rune(end); len(r) > room {
		end = string(r[len(r)-room:])
	}
	return pagetext.Line("…" + string(filepath.Separator) + end)
}

// showOthers offers the unsaved texts of other domains.
func (v *View) showOthers(names []string) {
	if strings.Join(names, "\n") == strings.Join(v.otherNames, "\n") {
		return
	}
	v.otherNames = names
	v.others.Objects = nil
	for _, n := range names {
		v.others.Add(parts.NewChip(parts.Toggle, "Unsaved: "+pagetext.Cut(pagetext.Line(n), 60), func() { v.on.Send(DraftChosen{Domain: n}) }))
	}
	v.others.Refresh()
}

// Editor is the entry with the text, for the keyboard and for tests.
func (v *View) Editor() *Editor { return v.editor }

// Line is the line that the cursor is in, from 1.
func (v *View) Line() int { return v.editor.line() }

// ShowLine moves the keyboard to the editor, to a line of its text from 1; 0 stays.
func (v *View) ShowLine(line int) {
	if v.vm.Empty != "" || v.vm.TooBig != "" || !v.editing.Visible() {
		return
	}
	if line > 0 {
		at := 0
		for ; line > 1; line-- {
			i := strings.IndexByte(v.editor.Text[at:], '\n')
			if i < 0 {
				break
			}
			at += i + 1
		}
		v.editor.goTo(at)
	}
	v.on.Focus(v.editor)
}

// FocusRecipes moves the keyboard to the recipes.
func (v *View) FocusRecipes() {
	if v.vm.Check != nil && v.vm.Empty == "" && v.editing.Visible() && len(v.vm.Check.Recipes) > 0 {
		v.on.Focus(v.recipes)
	}
}

// Recolour gives the theme's colours to what Fyne does not colour by itself.
func (v *View) Recolour(th fyne.Theme) { v.clash.ground.Recolour(th); v.below.line.Recolour(th) }

// fixedWidth gives its one object a width and all the height.
type fixedWidth float32

func (w fixedWidth) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(float32(w), 0) }

func (w fixedWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}
