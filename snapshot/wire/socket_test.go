package wire_test

import (
	"testing"

	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// The messages of a WebSocket read as one request, and its sections lie in them byte for byte.
func TestRequestsOfWebSockets(t *testing.T) {
	for name, test := range map[string]struct {
		dialect, body string
		want          []string
	}{
		"responses": {wire.OpenAIResponses, `{"type":"response.create","model":"m","instructions":"Act.","tools":[{"type":"function","name":"click"}],"input":[{"role":"user","content":[{"type":"input_text","text":"See"},{"type":"input_image","image_url":"data:image/png;base64,` + pixel + `"}]}]}`,
			[]string{"system text: Act.", "user text: See", "user image: image/png PIXELS"}},
		"realtime": {wire.OpenAIResponses, `{"type":"session.update","session":{"model":"m","instructions":"Act.","tools":[{"type":"function","name":"click"}]}}
{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"type":"input_text","text":"See"}]}}
{"type":"conversation.item.create","item":{"type":"function_call_output","call_id":"c","output":"ok"}}
{"type":"response.create","response":{"output_modalities":["text"]}}`,
			[]string{"system text: Act.", "user text: See", "tool result: c ok"}},
		"gemini": {wire.Gemini, `{"setup":{"model":"m","systemInstruction":{"parts":[{"text":"Act."}]},"tools":[{"functionDeclarations":[{"name":"click"}]}]}}
{"realtimeInput":{"video":{"mimeType":"image/jpeg","data":"` + pixel + `"}}}
{"realtimeInput":{"audio":{"mimeType":"audio/pcm","data":"AAAA"}}}
{"toolResponse":{"functionResponses":[{"id":"f","name":"click","response":{"ok":1}}]}}
{"clientContent":{"turns":[{"role":"user","parts":[{"text":"See"}]}],"turnComplete":true}}`,
			[]string{"system text: Act.", "user image: image/jpeg PIXELS", `user result: f {"ok":1}`, "user text: See"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := wire.ReadRequest(test.dialect, []byte(test.body))
			require.NoError(t, err)
			require.Equal(t, "m", r.Model)
			require.Equal(t, []string{"click"}, r.Tools)
			require.Equal(t, test.want, brief(r.Messages))
			sections, err := wire.Sections(test.dialect, []byte(test.body))
			require.NoError(t, err)
			var got []string
			for _, s := range sections[1:] {
				got = append(got, brief([]wire.Message{{Role: s.Role, Parts: s.Parts}})...)
				for _, p := range s.Parts {
					if p.Kind != wire.Image {
						require.Contains(t, test.body[s.Start:s.End], p.Text)
					}
				}
			}
			require.Equal(t, test.want, got)
		})
	}
}
