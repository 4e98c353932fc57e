package live

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

// A page that changes at every look is looked at every few seconds, until it rests.
func TestPace(t *testing.T) {
	type look struct {
		changed, settled bool
		wait             time.Duration
	}
	for name, looks := range map[string][]look{
		"a clock":        {{true, true, every}, {true, true, every}, {true, true, every}, {true, true, slow}, {true, true, slow}},
		"it rests again": {{true, false, slow}, {false, true, every}, {true, true, every}},
		"busy":           {{true, false, slow}, {true, true, slow}},
		"now and then":   {{true, true, every}, {false, true, every}, {true, true, every}, {false, true, every}},
	} {
		var p pace
		for i, l := range looks {
			wait, restless := p.after(l.changed, l.settled)
			require.Equal(t, l.wait, wait, "%s, look %d", name, i)
			require.Equal(t, l.wait == slow, restless, "%s, look %d", name, i)
		}
	}
}

// watched fails where the page is looked at.
type watched struct {
	core.Engine
	t *testing.T
}

func (e watched) Changed(context.Context) (bool, error) {
	e.t.Error("the page was looked at")
	return false, nil
}

func (watched) CaptureWhole(context.Context, func(string)) (*core.Recorded, error) { return nil, nil }

// An address that is typed makes one turn: between the navigation and its capture nothing else captures.
func TestNoLookWhileTabIsWanted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	released := false
	w := &core.Worker{Engine: watched{t: t},
		UseTab:    func(context.Context) (func(), error) { return func() { released = true }, nil },
		TabWanted: func() bool { cancel(); return true }}
	require.Nil(t, WatchPage{Watch: 1}.Do(ctx, w))
	require.True(t, released)
}
