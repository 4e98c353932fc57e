package profile

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/text"
	pagetext "github.com/refscope/refscope/snapshot/text"
)

// history is the list of versions over the comparison of the chosen one with the text.
type history struct {
	list    *parts.List
	text    *text.View
	say     *parts.Facts
	restore *parts.Chip
	bar     *fyne.Container
	box     *container.Split
}

func newHistory(w *parts.Window) *history {
	h := &history{text: text.New(text.WindowCallbacks(w)), list: parts.NewList(w.List()),
		say: parts.NewFacts(false, 10)}
	h.restore = w.Chip(parts.Button, "", CmdProfileRestore)
	h.bar = parts.Padded(4, 4, 12, 8, parts.Border(nil, nil, nil, container.New(parts.Slim{}, h.restore), h.say))
	h.box = container.NewVSplit(h.list, parts.Border(h.bar, nil, nil, nil, h.text))
	h.box.Offset = 0.28
	return h
}

func (h *history) set(vm VM, zone *time.Location) {
	if vm.View != ProfileHistory {
		return
	}
	h.list.Set(core.ListVM{Rows: revisionRows(vm.History, vm.Chosen, zone)})
	parts.Show(h.restore, vm.Chosen > 0)
	if vm.Chosen > 0 {
		h.restore.Set("Restore version "+pagetext.Thousands(vm.Chosen), false, true)
		h.say.Set([]core.StatusItem{{Text: "From version " + pagetext.Thousands(vm.Chosen) +
			" to the text in the editor", Tone: core.ToneMuted}})
	} else {
		h.say.Set(nil)
	}
	h.bar.Refresh() // the button has another width
	h.text.Set(vm.Diff)
}
