package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/wire"
)

// TestAims judges an action by the page: what would be hit, and why it could not work.
func TestAims(t *testing.T) {
	over := 1
	c := &snapshot.Capture{Schema: snapshot.Schema, Viewport: snapshot.Viewport{Width: 800, Height: 600}, Nodes: []snapshot.Node{
		{I: 0, Parent: -1, Tag: "button", Role: "button", Name: "Add", Verdict: snapshot.VerdictRef, Visible: true, InViewport: true},
		{I: 1, Parent: -1, Tag: "div", Role: "dialog", Name: "Cookies", Verdict: snapshot.VerdictRef, Visible: true, InViewport: true},
		{I: 2, Parent: -1, Tag: "button", Role: "button", Name: "Pay", Verdict: snapshot.VerdictRef, Visible: true, InViewport: true,
			Occlusion: &snapshot.Occlusion{State: snapshot.Covered, Coverer: &over}},
		{I: 3, Parent: -1, Tag: "button", Role: "button", Name: "Off", Verdict: snapshot.VerdictRef, Visible: true, InViewport: true,
			States: snapshot.States{"disabled": true}},
		{I: 4, Parent: -1, Tag: "a", Role: "link", Name: "Below", Verdict: snapshot.VerdictRef, Visible: true},
		{I: 5, Parent: -1, Tag: "a", Role: "link", Name: "Gone", Verdict: snapshot.VerdictDisplayNone},
		{I: 6, Parent: -1, Tag: "a", Role: "link", Name: "Kept out", Verdict: snapshot.VerdictFiltered, InViewport: true,
			Box: snapshot.Box{0, 0, 9, 9}},
	}}
	at := func(node int, a wire.Action) doctor.Target { return doctor.Target{Action: a, Node: node} }
	click := func(ref string) wire.Action { return wire.Action{Verb: "click", Ref: ref} }
	unknown := at(-1, click("e9"))
	unknown.Fault = "click: no element of the request has the ref e9."
	tests := []struct {
		name, sentence, trouble string
		target                  doctor.Target
		doubt                   bool
		by                      int
	}{
		{"lands", "click e1, button “Add”", "", at(0, click("e1")), false, -1},
		{"covered", "click e3, button “Pay”", "It could not work: the point is covered by dialog “Cookies”.", at(2, click("e3")),
			false, 1},
		{"a reading of what is covered", "get_text e3, button “Pay”", "", at(2, wire.Action{Verb: "get_text", Ref: "e3"}), false, -1},
		{"disabled", "click e4, button “Off”", "It could not work: the element is disabled.", at(3, click("e4")), false, -1},
		{"below the view, to which the tool scrolls", "click e5, link “Below”", "", at(4, click("e5")), false, -1},
		{"not drawn", "click e6, link “Gone”", "It could not work: the element is not drawn on the page.", at(5, click("e6")),
			false, -1},
		{"what the site's profile leaves out of texts is drawn", "click e7, link “Kept out”", "", at(6, click("e7")),
			false, -1},
		{"unknown", "click e9", "It could not work: click: no element of the request has the ref e9.", unknown, false, -1},
		{"named in the finding of another", "click e", "Which element is meant is not known.", at(-1, click("e")), true, -1},
		{"not tied", "click e8", "Which element is meant is not known.", at(-1, click("e8")), true, -1},
		{"a point outside", "click at 900, 20", "The point is outside the view.",
			doctor.Target{Action: wire.Action{Verb: "click", Point: &[2]float64{900, 20}}, CSS: &[2]float64{900, 20}, Node: -1}, false, -1},
		{"hostile", "click \\u{202e}x", "Which element is meant is not known.", at(-1, click("\u202ex")), true, -1},
	}
	findings := []audit.Finding{{Rule: doctor.RefUnknown, Node: -1, Sentence: unknown.Fault}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			aims := conversation.Aims(&doctor.Report{Targets: []doctor.Target{tt.target}, Findings: findings}, c)
			require.Len(t, aims, 1)
			require.Equal(t, tt.sentence, aims[0].Sentence())
			require.Equal(t, tt.trouble, aims[0].Trouble)
			require.Equal(t, tt.doubt, aims[0].Doubt)
			require.Equal(t, tt.by, aims[0].By)
		})
	}
	require.Empty(t, conversation.Aims(nil, c))
}
