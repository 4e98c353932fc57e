package session

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pictures are the moments of n pictures, a step apart, each of which takes as long as most.
func pictures(n int, most func() time.Duration) []moment {
	var all []moment
	for at := time.Duration(0); len(all) < n; {
		took := most()
		all = append(all, moment{at, at + took})
		at += max(caretStep, took)
	}
	return all
}

// TestBothPhases: whenever the blink began, and whenever within its time each picture was made, some of the pictures
// show the caret and some do not, once bothPhases says so.
func TestBothPhases(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	between := func(from, to time.Duration) time.Duration { return from + time.Duration(random.Int64N(int64(to-from))) }
	sure := 0
	for range 20_000 {
		slow := between(1, 700*time.Millisecond)
		seen := pictures(1+random.IntN(mostPictures), func() time.Duration { return between(slow/4, slow) })
		if !bothPhases(seen) {
			continue
		}
		sure++
		began, shown := between(0, caretBlink), 0
		for _, m := range seen {
			if (between(m.from, m.to)+began)%caretBlink < caretBlink/2 {
				shown++
			}
		}
		require.NotZero(t, shown, seen)
		require.Less(t, shown, len(seen), seen)
	}
	require.Greater(t, sure, 2_000)
}

// TestFewPicturesAreEnough: a machine with time needs three, and a busy one is not stopped too early.
func TestFewPicturesAreEnough(t *testing.T) {
	for _, c := range []struct {
		took time.Duration
		want int
	}{{50 * time.Millisecond, 3}, {110 * time.Millisecond, 3}, {200 * time.Millisecond, 5}, {600 * time.Millisecond, 0}} {
		n := 1
		for n < mostPictures && !bothPhases(pictures(n, func() time.Duration { return c.took })) {
			n++
		}
		if c.want == 0 {
			require.Equal(t, mostPictures, n, c.took)
			continue
		}
		require.Equal(t, c.want, n, c.took)
	}
}
