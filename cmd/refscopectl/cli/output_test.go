package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestProgressIsInHumanNumbers(t *testing.T) {
	began := time.Unix(0, 0)
	p := counted{what: "pages", n: 1200, began: began}
	require.Equal(t, "0 of 1,200 pages", p.line(began))
	for i := range 299 {
		p.next(i < 2, began)
	}
	require.Equal(t, "300 of 1,200 pages, 2 failed, 1m0s left", p.next(false, began.Add(20*time.Second)))
	p.n = 301
	require.Equal(t, "301 of 301 pages, 2 failed", p.next(false, began.Add(time.Minute)), "nothing is left")
}
