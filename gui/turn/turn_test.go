package turn_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/turn"
)

// TestWhatWasDoneIsInView: the list where steps can be read, the JSON at once where only that
// was recorded, as by agents with steps of their own.
func TestWhatWasDoneIsInView(t *testing.T) {
	for name, tt := range map[string]struct {
		steps, answer string
		chips         []string
		json          bool
	}{
		"steps": {`{"steps":[{"click":"e2"}]}`, `{"steps":[{"status":"ok"}]}`,
			[]string{"Activity", "Steps as JSON", "Answer as JSON"}, false},
		"of another shape": {`[{"click":2}]`, "", []string{"Steps as JSON"}, true},
		"an answer alone":  {"", `{"thought":"done"}`, []string{"Answer as JSON"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := apptest.Captured(t)
			shown := *s.Shown
			shown.Activity = core.NewTurnActivity(shown.Capture, []byte(tt.steps), []byte(tt.answer))
			s.Shown = &shown
			v := turn.ViewOf(s, time.UTC)
			var chips []string
			for _, c := range v.Chips {
				chips = append(chips, c.Text)
			}
			require.Equal(t, tt.chips, chips)
			require.True(t, v.Chips[0].On)
			require.Equal(t, tt.json, v.Text.Doc != nil)
		})
	}
}
