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
	pagetext "github.com/refscope/refscope/snapshot/text"
)

// View is the side. [View.Object] is what to lay out.
type View struct {
	w     *parts.Window
	vm    VM
	shown bool // vm is on show

	title, facts   *parts.Facts
	save, revert   *parts.Chip
	tabs           map[Part]*parts.Chip
	others         *fyne.Container
	otherNames     []string
	editor         *parts.Editor
	given          int // of the text that the editor has
	outline        *parts.List
	recipes        *parts.List
	fault          *parts.Say
	faultAt        *fyne.Container
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

// New makes the view.
func New(w *parts.Window) *View {
	v := &View{w: w, title: parts.NewFacts(false, 10), facts: parts.NewFacts(false, 12), tabs: map[Part]*parts.Chip{},
		empty: parts.NewEmpty()}
	v.save = w.Chip(parts.Button, "Save", CmdProfileSave)
	v.revert = w.Chip(parts.Button, "Revert", CmdProfileRevert)
	tabs := container.NewHBox()
	for _, t := range []struct {
		view      Part
		title, id string
	}{{ProfileEdit, "Text", CmdProfileEdit}, {ProfilePreview, "Preview", CmdProfilePreview}, {ProfileHistory, "History",
		CmdProfileHistory}} {
		v.tabs[t.view] = w.Chip(parts.Tab, t.title, t.id)
		tabs.Add(v.tabs[t.view])
	}
	v.others = container.New(&parts.Flow{Gap: 6})
	right := container.NewHBox(container.New(parts.Slim{}, v.revert), container.New(parts.Slim{}, v.save))
	head := container.NewVBox(
		parts.Padded(6, 0, 12, 8, parts.Border(nil, nil, nil, right,
			parts.NewTapped(v.title, func() { w.Send(core.TextCopied{Text: v.vm.Path}) }))),
		parts.Padded(0, 2, 12, 12, v.facts),
		parts.Padded(0, 0, 8, 8, v.others), parts.Padded(0, 0, 6, 6, tabs))

	v.newEditing()
	v.preview = newPreview()
	v.history = newHistory(w)
	v.clash = newClash(w)
	v.missing = newMissing(w)
	v.lost, v.clashing = container.NewStack(v.missing.box), container.NewStack(v.clash.box)
	v.views = container.NewStack(v.editing, container.NewVScroll(parts.Padded(4, 12, 8, 8, v.preview.RichText)),
		v.history.box, v.clashing, v.lost)
	v.whole = parts.Border(head, nil, nil, nil, v.views)
	v.nothing = parts.Padded(40, 0, 24, 24, v.empty)
	v.box = container.NewStack(v.whole, v.nothing)
	return v
}

// newEditing lays the editor out: the outline and what runs at the left, the text, and
// the effect below.
func (v *View) newEditing() {
	w := v.w
	v.editor, v.given = parts.NewEditor(), -1
	v.editor.Label, v.editor.Hint = "Text of the profile", "Write markdown here."
	v.editor.Escape, v.editor.Key = w.Escape, w.Key
	v.editor.Undo = func(redo bool) { w.Send(undone{Redo: redo}) }
	v.editor.Changed = func(text string) { w.Send(Typed{Domain: v.vm.Domain, Given: v.given, Text: text}) }
	v.editor.Moved = v.showOutline
	v.outline, v.recipes = parts.NewShortList(w.List()), parts.NewShortList(w.List())
	v.fault = parts.NewSay()
	v.faultAt = parts.Padded(2, 2, 8, 8, v.fault)
	v.faultAt.Hide()
	v.below = newBelow(w)
	v.left = container.NewVBox(v.outline, v.recipes)
	side := container.New(fixedWidth(148), container.NewVScroll(v.left))
	split := container.NewVSplit(parts.Border(nil, v.faultAt, side, nil, parts.Padded(0, 4, 0, 6, v.editor)),
		v.below.box)
	split.Offset = 0.56
	v.editing = container.NewStack(split)
}

// Object returns the object to lay out.
func (v *View) Object() fyne.CanvasObject { return v.box }

// Focus is nil: nothing of the side takes the keyboard on its own.
func (v *View) Focus() fyne.Focusable { return nil }

// Enter is where the keyboard comes in, nil where there is nothing.
func (v *View) Enter() fyne.Focusable {
	if t := v.tabs[v.vm.View]; t != nil && v.vm.Empty == "" {
		return t
	}
	return nil
}

// Show shows the state.
func (v *View) Show(s core.State) { v.Set(ViewOf(s)) }

// Do moves the keyboard within the side.
func (v *View) Do(e core.Effect) bool {
	switch e := e.(type) {
	case focusRecipes:
		v.focusRecipes()
	case focusProfile:
		v.ShowLine(e.Line)
	default:
		return false
	}
	return true
}

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
	v.title.Set([]core.StatusItem{{Text: pagetext.Cut(pagetext.Line(vm.Domain), 60), Tone: core.ToneNormal},
		{Text: shortPath(vm.Path), Tone: core.ToneMuted}})
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
	if vm.Domain != old.Domain || vm.Given != v.given {
		v.given = vm.Given
		v.editor.Fill(vm.Text, vm.Cursor)
	}
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
	v.outline.Set(core.ListVM{Rows: outlineRows(c.Outline, v.editor.Line())})
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
		v.others.Add(parts.NewChip(parts.Toggle, "Unsaved: "+pagetext.Cut(pagetext.Line(n), 60),
			func() { v.w.Send(draftChosen(n)) }))
	}
	v.others.Refresh()
}

// Editor is the field with the text, for the keyboard and for tests.
func (v *View) Editor() *parts.Editor { return v.editor }

// Line is the line that the cursor is in, from 1.
func (v *View) Line() int { return v.editor.Line() }

// ShowLine moves the keyboard to the editor, to a line of its text from 1; 0 stays.
func (v *View) ShowLine(line int) {
	if v.vm.Empty != "" || !v.editing.Visible() {
		return
	}
	if line > 0 {
		v.editor.GoToLine(line)
	}
	v.w.Focus(v.editor)
}

// focusRecipes moves the keyboard to the recipes.
func (v *View) focusRecipes() {
	if v.vm.Check != nil && v.vm.Empty == "" && v.editing.Visible() && len(v.vm.Check.Recipes) > 0 {
		v.w.Focus(v.recipes)
	}
}

// fixedWidth gives its one object a width and all the height.
type fixedWidth float32

func (w fixedWidth) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(float32(w), 0) }

func (w fixedWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}
