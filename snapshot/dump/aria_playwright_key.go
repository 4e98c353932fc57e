package dump

import (
	"math"
	"slices"
	"strconv"

	"github.com/refscope/refscope/snapshot/text"
	"strings"
)

// How Playwright's profile spells the key of an item.

// key is role, name and states.
func (w *play) key(it *playItem) string {
	n, role, s := it.n, it.role, it.n.States
	b := []byte(role)
	if it.name != "" && text.Units16(it.name) <= playName {
		if b = append(b, ' '); bareRegex(it.name) {
			b = append(b, it.name...)
		} else {
			b = text.AppendJSON(b, it.name)
		}
	}
	state := func(name string, roles ...string) {
		switch {
		case !slices.Contains(roles, role):
		case s.Is(name):
			b = append(append(append(b, " ["...), name...), ']')
		case s.Token(name) == "mixed":
			b = append(append(append(b, " ["...), name...), "=mixed]"...)
		}
	}
	state("checked", "checkbox", "menuitemcheckbox", "option", "radio", "switch", "menuitemradio", "treeitem")
	state("disabled", "application", "button", "composite", "gridcell", "group", "input", "link", "menuitem", "scrollbar", "separator",
		"tab", "checkbox", "columnheader", "combobox", "grid", "listbox", "menu", "menubar", "menuitemcheckbox", "menuitemradio", "option",
		"radio", "radiogroup", "row", "rowheader", "searchbox", "select", "slider", "spinbutton", "switch", "tablist", "textbox", "toolbar",
		"tree", "treegrid", "treeitem")
	state("expanded", "application", "button", "checkbox", "combobox", "gridcell", "link", "listbox", "menuitem", "row", "rowheader",
		"tab", "treeitem", "columnheader", "menuitemcheckbox", "menuitemradio", "switch")
	if l := s.Number("level"); l >= 1 && l < 1e6 && slices.Contains([]string{"heading", "listitem", "row", "treeitem"}, role) {
		b = append(strconv.AppendInt(append(b, " [level="...), int64(l), 10), ']')
	}
	state("pressed", "button")
	state("selected", "gridcell", "option", "row", "tab", "rowheader", "columnheader", "treeitem")
	if w.withRefs && n.Ref > 0 && n.Verdict.Kept() {
		b = append(strconv.AppendInt(append(b, " [ref=e"...), int64(n.Ref), 10), ']')
	}
	if w.o.Aria.Boxes {
		b = append(b, " [box="...)
		for i, v := range n.Box {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(math.Round(v)), 10)
		}
		b = append(b, ']')
	}
	if needsQuotes(string(b)) {
		return "'" + strings.ReplaceAll(string(b), "'", "''") + "'"
	}
	return string(b)
}
