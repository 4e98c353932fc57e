package audit

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a page says makes no cell, line, link, mention or formula of its own in the tables.
func TestTables(t *testing.T) {
	list := []Audited{{URI: "https://shop.example/", Report: &Report{Tally: Tally{Errors: 1, Warnings: 1}, Findings: []Finding{
		{Rule: "covered", Severity: Error, Ref: 7, Sentence: "Button “a|b](x) <img> @all\n| fake | row |” is covered.",
			Action: "Close it."},
		{Rule: "unnamed", Severity: Warning, Sentence: "=HYPERLINK(\"x\")", Evidence: "+1"},
	}}}}
	b, err := CSV(list...)
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, []string{"error", "covered", "7", "Button “a|b](x) <img> @all | fake | row |” is covered."}, rows[1][:4])
	require.Equal(t, []string{"warning", "unnamed", "", "'=HYPERLINK(\"x\")", "'+1"}, rows[2][:5])
	require.Equal(t, "https://shop.example/", rows[2][8])

	lines := strings.Split(strings.TrimSuffix(string(Markdown(list...)), "\n"), "\n")
	require.Equal(t, "1 error, 1 warning, 0 notes", lines[2])
	require.Len(t, lines, 8)
	require.Equal(t, `| error | covered | 7 | Button “a\|b\]\(x\) &lt;img\> &#64;all \| fake \| row \|” is covered. | Close it. |`,
		lines[6])
	require.NotContains(t, string(Markdown(Audited{URI: "x", Report: &Report{}})), "|")
}
