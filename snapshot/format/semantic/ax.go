package semantic

import (
	"slices"
	"strconv"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The ax format: the semantic format (semantic.go) of what Chrome's own accessibility
// tree calls a control, seed "DOM extraction architecture" 2, AXTree extraction (S-5).
// The capture must have been taken with --source ax, so that its roles, names and
// states are Chrome's; the JSON is semantic's, with the same options and one key more:
//
//	{"mode":"semantic","source":"ax","url":…,
//
// source is "page" where the capture's roles and names are the collector's. Such a
// capture is rendered anyway, by the same filter, because every format renders
// every capture; the document then has an omission for the page as a whole that advises
// to take the capture with --source ax.
//
// Listed are the roles button, link, tab, menuitem, menuitemcheckbox, menuitemradio,
// option, checkbox, radio, switch, combobox, textbox, searchbox, slider, spinbutton,
// listbox, treeitem, and scroll containers. Everything else, such as a div with a
// click listener or what aria-hidden hides from Chrome's tree, is omitted as
// role-not-here: compare with semantic to see what an agent on this source misses.
// i is the ref number, as everywhere.
//
// Compat: as the seed's sample: i is the backendNodeId in decimal; elements without a
// name are left out; names are cut at 50 UTF-16 units; no source key, no scroll containers in the
// tree, and none of semantic's pruning.

// RenderAX renders the format ax.
func RenderAX(p *dump.Page, k dump.Common, own Options) *dump.Builder {
	o := settings{k, own}
	if o.Compat {
		o.NoViewportPruning, o.NoAtomic = true, true
	}
	w := newSemantic(p, o, true)
	if !fromAX(p.Capture) {
		w.Omit(-1, dump.ReasonRole, "roles and names are the page's, not Chrome's: take the capture with --source ax")
	}
	w.write()
	return w.Builder
}

// fromAX reports whether the capture's roles and names are those of Chrome's
// accessibility tree. In captures older than Capture.Source it follows from where
// their names come from.
func fromAX(c *snapshot.Capture) bool {
	return c.Source == snapshot.SourceAX || c.Source == "" && slices.ContainsFunc(c.Nodes,
		func(n snapshot.Node) bool { return n.NameFrom == snapshot.SourceAX })
}

// axListed reports whether the ax format lists the element.
func (w *semantic) axListed(n *snapshot.Node) bool {
	if n.Verdict != snapshot.VerdictRef || snapshot.IsFrame(n.Tag) {
		return false
	}
	if w.profile.namedOnly && text.CollapseSpace(n.Name) == "" {
		return false
	}
	return snapshot.IsWidget(n.Role) || n.Role == "listbox" || n.Role == "treeitem"
}

// axName is what Chrome calls the element. The original keeps 50 UTF-16 units without
// a mark of the cut.
func (w *semantic) axName(n *snapshot.Node) string {
	s := text.CollapseSpace(n.Name)
	if w.profile.capAX == 0 {
		return w.cut(n.I, "name", s, capName)
	}
	short := s[:text.Index16(s, w.profile.capAX)]
	if len(short) < len(s) {
		w.Omit(n.I, dump.ReasonCut, "name cut from "+strconv.Itoa(text.Units16(s))+" to "+strconv.Itoa(w.profile.capAX)+
			" UTF-16 units")
	}
	return short
}

// source is ax's addition to the envelope, "" for none.
func (w *semantic) source() string {
	switch {
	case !w.profile.source:
		return ""
	case fromAX(w.Capture):
		return snapshot.SourceAX
	}
	return "page"
}

// backend is the element's number in compat: Chrome's own.
func backend(n *snapshot.Node) string { return strconv.FormatInt(n.BackendNodeID, 10) }
