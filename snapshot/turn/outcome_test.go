package turn

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFailedSteps(t *testing.T) {
	for answer, want := range map[string]int{
		``:                   0,
		`no JSON`:            0,
		`{"status":"ok"}`:    0,
		`{"status":"error"}`: 1,
		`{"status":"ok","steps":[{"status":"ok"},{"status":"ok","error":""},{"status":"ok","error":null}]}`: 0,
		`{"status":"error","steps":[{"status":"ok"}]}`:                                                      0,
		`{"status":"error","steps":[{"status":"ok"},{"status":"error","error":"no element"}]}`:              1,
		`{"status":"error","steps":[{"error":"late"},{"error":{"message":"x"}}]}`:                           2,
	} {
		require.Equal(t, want, FailedSteps([]byte(answer)), answer)
	}
}
