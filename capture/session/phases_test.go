package session_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// TestPhases prints where the time of a capture goes, first and repeated, on the pages of TestPeers: the parts of the
// turn, and within the walk the phases that the page measured. It runs where $REFSCOPE_PHASES is set; `go run ./cmd/dev
// bench -phases` sets it. It reports, for people: timings belong to a machine.
func TestPhases(t *testing.T) {
	if os.Getenv("REFSCOPE_PHASES") == "" {
		testneed.Extra(t, "REFSCOPE_PHASES is not set: the phases of a capture are not timed")
	}
	const firsts, runs = 8, 50
	table := phaseTable{least: map[string][]float64{}}
	for _, n := range []int{100, 674, 2500} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		url := chrometest.Page(t, chrometest.Rows(n))
		table.column(fmt.Sprintf("first %d", n))
		for range firsts {
			b, err := browser.Start(ctx, browser.Options{Flags: chrometest.Flags()})
			require.NoError(t, err)
			tab, err := b.OpenTab(ctx)
			require.NoError(t, err)
			require.NoError(t, tab.NavigateUntil(ctx, url, browser.UntilNetwork))
			table.capture(ctx, t, tab, true)
			require.NoError(t, b.Close())
		}
		tab := chrome.Open(t, url)
		_, _ = textOnly(ctx, t, tab, true)
		for _, fresh := range []bool{true, false} {
			table.column(fmt.Sprintf("%s %d", map[bool]string{true: "walked", false: "same"}[fresh], n))
			for range runs {
				table.capture(ctx, t, tab, fresh)
			}
		}
		cancel()
	}
	t.Logf("ms, the least of %d first and of %d repeated captures, by rows of the page; same: nothing has changed\n%s", firsts, runs, table.String())
}

// never is the time of a part that the captures of a column do not have, ms.
const never = 1e9

// phaseTable has the least time of each part in each column of captures, ms.
type phaseTable struct {
	columns []string
	rows    []string
	least   map[string][]float64 // by row, then column
}

func (p *phaseTable) column(name string) { p.columns = append(p.columns, name) }

func (p *phaseTable) note(row string, ms float64) {
	if p.least[row] == nil {
		p.rows = append(p.rows, row)
	}
	for len(p.least[row]) < len(p.columns) {
		p.least[row] = append(p.least[row], never)
	}
	last := &p.least[row][len(p.columns)-1]
	*last = min(*last, ms)
}

// capture takes one and notes its parts; the wait for a quiet page is none of them.
func (p *phaseTable) capture(ctx context.Context, t *testing.T, tab *browser.Tab, fresh bool) {
	rec := trace.New()
	forget(tab, fresh)
	began := time.Now()
	shot, err := session.Take(rec.In(ctx), tab, session.Options{NoPicture: true})
	require.NoError(t, err)
	p.note("with numbers and settle", float64(time.Since(began).Microseconds())/1000)
	timings := shot.Capture.Timings
	p.note("total", timings.Total-timings.Settle)
	for _, part := range timings.Parts {
		if part.Name == "settle" || part.Ms == 0 {
			continue
		}
		p.note(part.Name, part.Ms)
		if part.Name != "walk" {
			continue
		}
		left := part.Ms
		for _, phase := range pagePhases(t, rec) {
			p.note("  page: "+phase.Name, phase.Ms)
			left -= phase.Ms
		}
		p.note("  compiling, JSON and the way", left)
	}
}

type phase struct {
	Name string
	Ms   float64
}

// pagePhases are the spans of the page's lane in a trace, in their order.
func pagePhases(t *testing.T, rec *trace.Recorder) []phase {
	var text bytes.Buffer
	require.NoError(t, rec.WriteJSON(&text))
	var file struct {
		Events []struct {
			Name  string            `json:"name"`
			Phase string            `json:"ph"`
			At    float64           `json:"ts"`  // µs
			Took  float64           `json:"dur"` // µs
			Row   int               `json:"tid"`
			Args  map[string]string `json:"args"`
		} `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(text.Bytes(), &file))
	page := map[int]bool{}
	type span struct {
		at float64
		phase
	}
	var spans []span
	for _, e := range file.Events {
		if strings.HasPrefix(e.Args["name"], trace.LanePage) {
			page[e.Row] = true
		} else if e.Phase == "X" && page[e.Row] {
			spans = append(spans, span{e.At, phase{e.Name, e.Took / 1000}})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.at, b.at) })
	var all []phase
	for _, s := range spans {
		all = append(all, s.phase)
	}
	return all
}

func (p *phaseTable) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-30s", "")
	for _, c := range p.columns {
		fmt.Fprintf(&b, " | %10s", c)
	}
	for _, row := range p.rows {
		fmt.Fprintf(&b, "\n%-30s", row)
		for k := range p.columns {
			if k < len(p.least[row]) && p.least[row][k] < never {
				fmt.Fprintf(&b, " | %10.1f", p.least[row][k])
			} else {
				fmt.Fprintf(&b, " | %10s", "")
			}
		}
	}
	return b.String()
}
