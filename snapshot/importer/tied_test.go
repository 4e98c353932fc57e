package importer_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/importer"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// examined are the reports of a recording's turns that hold a request, and the turns.
func examined(t *testing.T, data []byte) ([]*doctor.Report, []*turn.Record) {
	t.Helper()
	d := doctor.New(doctor.Options{})
	var reports []*doctor.Report
	var turns []*turn.Record
	n := 0
	_, err := importer.Read(t.Context(), bytes.NewReader(data), int64(len(data)), importer.Options{}, func(rec *turn.Record) error {
		n++
		rec.N = n
		report, err := d.Examine(rec)
		if report != nil {
			reports, turns = append(reports, report), append(turns, rec)
		}
		return err
	})
	require.NoError(t, err)
	return reports, turns
}

// A trace that was made with Playwright's server of tools has the calls that led to its actions, and the texts that the
// server made of the page: each call is about the element that the trace marks, each line of a control has its element.
func TestTraceOfAServerOfTools(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "trace-mcp.zip"))
	require.NoError(t, err)
	reports, turns := examined(t, data)
	var acted []string
	for i, r := range reports {
		require.Equal(t, wire.MCP, r.Dialect)
		require.Empty(t, r.Findings)
		require.NotEmpty(t, turns[i].Action)
		known := r.Knows()
		require.NotNil(t, known)
		require.Equal(t, observation.Aria, known.Format)
		for _, l := range known.Lines {
			if l.Role == "link" || l.Role == "button" || l.Role == "textbox" {
				require.GreaterOrEqual(t, l.Node, 0, "%+v", l)
				require.Equal(t, l.Name, turns[i].Capture.Nodes[l.Node].Name)
			}
		}
		for _, target := range r.Targets {
			require.Contains(t, target.Why, "Playwright's own ref")
			acted = append(acted, target.Verb+" "+turns[i].Capture.Nodes[target.Node].Name)
		}
	}
	require.Equal(t, []string{"hover Basket", "fill Your name", "click Order Sencha", "click Print"}, acted)
}

// The answers of a browser-use history are about the elements that it keeps for its actions.
func TestHistoryIsTied(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "history.json"))
	require.NoError(t, err)
	reports, turns := examined(t, data)
	var acted []string
	for i, r := range reports {
		for _, target := range r.Targets {
			require.GreaterOrEqual(t, target.Node, 0, "%+v", target)
			acted = append(acted, target.Verb+" "+turns[i].Capture.Nodes[target.Node].Tag)
		}
		require.Empty(t, r.Findings)
	}
	require.Equal(t, []string{"input input", "input input", "click button"}, acted)
	require.Equal(t, 3, reports[1].Knows().Matched)
}

// What an OpenInference span keeps of an agent's request is read as the request itself would be.
func TestSpansListThePage(t *testing.T) {
	page := "- heading \"Tea shop\" [level=1] [ref=e2]\n- link \"Basket\" [ref=e5]\n- button \"Order Assam\" [ref=e8]"
	text := func(key, value string) map[string]any {
		return map[string]any{"key": key, "value": map[string]string{"stringValue": value}}
	}
	span := map[string]any{"traceId": strings.Repeat("a", 32), "spanId": strings.Repeat("b", 16), "name": "llm",
		"startTimeUnixNano": "1795663776188000000", "endTimeUnixNano": "1795663777188000000", "attributes": []any{
			text("openinference.span.kind", "LLM"), text("llm.model_name", "m"),
			text("llm.input_messages.0.message.role", "user"),
			text("llm.input_messages.0.message.content", "The page:\n"+page),
			text("llm.output_messages.0.message.role", "assistant"),
			text("llm.output_messages.0.message.tool_calls.0.tool_call.function.name", "browser_click"),
			text("llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments", `{"target":"e8"}`)}}
	raw, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{"scopeSpans": []any{
		map[string]any{"spans": []any{span}}}}}})
	require.NoError(t, err)
	reports, _ := examined(t, raw)
	require.Len(t, reports, 1)
	require.Equal(t, observation.Aria, reports[0].Knows().Format)
	require.Len(t, reports[0].Knows().Lines, 3)
	require.Len(t, reports[0].Targets, 1)
	require.Equal(t, "e8", reports[0].Targets[0].Ref)
	require.Equal(t, 4, reports[0].Targets[0].Line)
}
