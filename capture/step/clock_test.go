package step

import (
	"testing"
	"time"

	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/stretchr/testify/require"
)

// What a command asks of a page ends with its step's time and the overrun, however that is shared.
func TestClock(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name         string
		before, step time.Duration // that were used up; before -1: there was a step before
		def          stepdef.StepDef
		own          time.Duration // the step's own time
		stuck        bool
		may, after   time.Duration // that the step and the last reading may take
	}{
		{name: "at once", may: 5 * s, after: 6500 * time.Millisecond},
		{name: "a slow page before", before: 3 * s, may: 2 * s, after: 3500 * time.Millisecond},
		{name: "a slow step", step: 4 * s, may: 5 * s, after: 2500 * time.Millisecond},
		{name: "both", before: 3 * s, step: 2 * s, may: 2 * s, after: 1500 * time.Millisecond},
		{name: "all time was used before", before: 6 * s, step: s, may: s, after: s},
		{name: "a page that does not answer", step: s, stuck: true, may: 5 * s, after: s},
		{name: "a step that waits", before: s, step: 5 * s, def: stepdef.StepDef{Waits: true}, may: 5 * s, after: 5 * s},
		{name: "a time of its own", before: s, own: 5 * s, may: 5 * s, after: 6500 * time.Millisecond},
		{name: "a later step", before: -1, step: 4 * s, may: 5 * s, after: 2500 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			const near = 0.1
			var k clock
			k.start(5 * s)
			require.InDelta(t, 10./3, k.before().Seconds(), near)
			if c.before < 0 {
				k.step(&Step{Def: &c.def}, 5*s)
			}
			k.began = k.began.Add(-max(c.before, 0))
			require.InDelta(t, c.may.Seconds(), k.step(&Step{Def: &c.def, Timeout: c.own}, 5*s).Seconds(), near)
			k.began, k.stuck = k.began.Add(-c.step), c.stuck
			require.InDelta(t, c.after.Seconds(), k.after().Seconds(), near)
		})
	}
}
