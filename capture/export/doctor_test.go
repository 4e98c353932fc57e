package export

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// TestDetailOfAPicture: a picture is seen as small, and costs as little, as the request asks for,
// in both of OpenAI's dialects.
func TestDetailOfAPicture(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 1280, 720))))
	address := "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
	for detail, want := range map[string][3]int{
		"low": {512, 288, 85}, "high": {1280, 720, 1105}, "": {1280, 720, 1105}, "nonsense": {1280, 720, 1105},
	} {
		for dialect, body := range map[string]string{
			wire.OpenAIChat: `{"model":"gpt-4o","messages":[{"role":"user","content":[{"type":"image_url","image_url":` +
				`{"url":%q,"detail":%q}}]}]}`,
			wire.OpenAIResponses: `{"model":"gpt-4o","input":[{"role":"user","content":[{"type":"input_image","image_url":%q,` +
				`"detail":%q}]}]}`,
		} {
			r, err := NewDoctor(nil).Examine(&turn.Record{N: 1, Capture: &snapshot.Capture{}, Payloads: []turn.Payload{
				{Dialect: dialect, Model: "gpt-4o", Way: turn.Request, Bytes: fmt.Appendf(nil, body, address, detail)}}})
			require.NoError(t, err)
			seen := r.Sections[0].Images[0]
			require.Equal(t, want, [3]int{seen.SeenWidth, seen.SeenHeight, seen.Tokens}, "%s %s", dialect, detail)
		}
	}
}

// TestTheVendorsCountGoesBeforeOurs: the tokens of a request are one number wherever a report of it is shown.
func TestTheVendorsCountGoesBeforeOurs(t *testing.T) {
	request := turn.Payload{Dialect: "openai-chat", Way: turn.Request, Wire: true,
		Bytes: []byte(`{"model":"gpt-4o","messages":[{"role":"user","content":"hello"}]}`)}
	answer := turn.Payload{Dialect: "openai-chat", Way: turn.Answer, Wire: true,
		Bytes: []byte(`{"choices":[{"message":{"content":"ok"}}],"usage":{"prompt_tokens":1446,"completion_tokens":7}}`)}
	r, err := NewDoctor(nil).Examine(&turn.Record{N: 1, Capture: &snapshot.Capture{},
		Payloads: []turn.Payload{request, answer}})
	require.NoError(t, err)
	require.Equal(t, 1446, r.Counted)
	require.Equal(t, "1,446 tokens as the vendor counted", r.Cost())
	require.Contains(t, r.Text(), r.Cost())
	taped, err := json.Marshal(map[string]any{"answer": wire.Answer{Usage: wire.Usage{Input: 1446}}})
	require.NoError(t, err)
	r, err = NewDoctor(nil).Examine(&turn.Record{N: 1, Capture: &snapshot.Capture{}, Exchange: taped,
		Payloads: []turn.Payload{request, answer}})
	require.NoError(t, err)
	require.Equal(t, 1446, r.Counted, "as the tap has read it")
	r, err = NewDoctor(nil).Examine(&turn.Record{N: 1, Capture: &snapshot.Capture{}, Payloads: []turn.Payload{request}})
	require.NoError(t, err)
	require.Contains(t, r.Text(), "about 1 token,")
}

// A call of a tool rests on what its server listed long before, whether the whole session is examined or that turn alone.
func TestACallRestsOnWhatWasListedLongBefore(t *testing.T) {
	ctx := context.Background()
	store, err := turn.Create(ctx, turn.Dir(filepath.Join(t.TempDir(), "s")), "test")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	const turns = 30
	for n := 1; n <= turns; n++ {
		tool, said := "browser_press_key", "ok"
		if n <= 2 {
			tool, said = "browser_snapshot", "- button \"Save\" [ref=e1]\n- link \"Terms\" [ref=e2]"
		}
		_, err := store.Append(ctx, func(*turn.Ledger) (*turn.Record, error) {
			return &turn.Record{Capture: &snapshot.Capture{Schema: snapshot.Schema}, Payloads: []turn.Payload{
				{Dialect: wire.MCP, Way: turn.Request, Bytes: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text",`+
					`"text":%q}]}}`, said)},
				{Dialect: wire.MCP, Way: turn.Answer, Bytes: fmt.Appendf(nil,
					`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, tool)}}}, nil
		})
		require.NoError(t, err)
	}
	for _, asked := range [][]int{nil, {turns}, {turns - 1, turns}} {
		last := 0
		require.NoError(t, Examine(ctx, store, nil, asked, func(x Examined) error {
			require.NoError(t, x.Err)
			known := x.Report.Knows()
			require.NotNil(t, known, "turn %d", x.N)
			require.Equal(t, 1, known.Lines[0].Since)
			last = x.N
			return nil
		}))
		require.Equal(t, turns, last)
	}
}
