package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/conversation"
)

// TestTone: a turn is red where its action could not work or its tool failed, and a request without a page is not busy.
func TestTone(t *testing.T) {
	story := func(s conversation.Story) *conversation.Story { return &s }
	for name, tt := range map[string]struct {
		row  core.TurnRow
		want core.Tone
	}{
		"an error of the page": {core.TurnRow{Errors: 1}, core.ToneBad},
		"busy":                 {core.TurnRow{Unsettled: true}, core.ToneWarn},
		"a request without a page": {core.TurnRow{Unsettled: true, Story: story(conversation.Story{})},
			core.ToneMuted},
		"an action with nothing against it": {core.TurnRow{Story: story(conversation.Story{Actions: 1, Paired: true})},
			core.ToneGood},
		"a finding on what was sent": {core.TurnRow{Story: story(conversation.Story{Actions: 1, Errors: 1})}, core.ToneBad},
		"a doubt":                    {core.TurnRow{Story: story(conversation.Story{Actions: 1, Trouble: "x", Doubt: true})}, core.ToneWarn},
		"it could not work":          {core.TurnRow{Story: story(conversation.Story{Actions: 1, Trouble: "x"})}, core.ToneBad},
		"the tool failed": {core.TurnRow{Story: story(conversation.Story{Actions: 1}),
			Then: story(conversation.Story{Said: "Error: no", Failed: true})}, core.ToneBad},
	} {
		require.Equal(t, tt.want, tt.row.Tone(), name)
		require.Equal(t, tt.want == core.ToneBad, tt.row.Failed(), name)
	}
}

// TestTell gives each turn its story, and the one before it what came of it.
func TestTell(t *testing.T) {
	s := core.State{Session: core.Session{Turns: []core.TurnRow{{N: 1}, {N: 3}}}}
	s.Tell([]*conversation.Story{{Turn: 1, Did: "a"}, {Turn: 3, Of: 1, Said: "Error", Failed: true}, {Turn: 9}})
	require.Equal(t, "a", s.Session.Turns[0].Story.Did)
	require.Equal(t, "Error", s.Session.Turns[0].Missed())
	require.Nil(t, s.Session.Turns[1].Then)
}
