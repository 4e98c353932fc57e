package wire

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestActions(t *testing.T) {
	at := func(x, y float64) *[2]float64 { return &[2]float64{x, y} }
	for name, c := range map[string]struct {
		dialect, model, call, args, text string
		want                             []Action
	}{
		"playwright mcp": {OpenAIChat, "m", "browser_click", `{"element":"Add to cart button","ref":"e12"}`, "",
			[]Action{{Verb: "browser_click", Ref: "e12"}}},
		"our number":  {OpenAIChat, "m", "browse_click", `{"ref":12}`, "", []Action{{Verb: "browse_click", Ref: "12"}}},
		"in brackets": {OpenAIChat, "m", "click", `{"target":"[12]"}`, "", []Action{{Verb: "click", Ref: "12"}}},
		"browser-use call": {OpenAIChat, "m", "AgentOutput",
			`{"memory":"x","action":[{"click":{"index":5}},{"input":{"index":6,"text":"a 7"}}]}`, "",
			[]Action{{Verb: "click", Ref: "5"}, {Verb: "input", Ref: "6"}}},
		"browser-use text": {OpenAIChat, "m", "", "", "Sure.\n```json\n{\"action\":[{\"click_element_by_index\":{\"index\":5}}]}\n```",
			[]Action{{Verb: "click_element_by_index", Ref: "5"}}},
		"task loop": {OpenAIChat, "m", "", "", `{"thought":"go","action":"setValue(7, 'a')"}`, []Action{{Verb: "setValue", Ref: "7"}}},
		"computer of anthropic": {Anthropic, "claude-x", "computer", `{"action":"left_click","coordinate":[640,360]}`, "",
			[]Action{{Verb: "left_click", Point: at(640, 360)}}},
		"computer of openai": {OpenAIResponses, "computer-use", "computer", `{"type":"click","x":10,"y":20,"button":"left"}`, "",
			[]Action{{Verb: "click", Point: at(10, 20)}}},
		"gemini": {Gemini, "gemini-x", "click_at", `{"x":500,"y":250}`, "", []Action{{Verb: "click_at", Point: at(500, 250), Thousandths: true}}},
		"ui-tars": {OpenAIChat, "ui-tars-1.5", "", "", "Thought: x\nAction: click(start_box='(120,340)')",
			[]Action{{Verb: "click", Point: at(120, 340), Thousandths: true}}},
		"qwen box":     {OpenAIChat, "qwen2.5-vl", "click", `{"bbox":[10,20,30,40]}`, "", []Action{{Verb: "click", Point: at(20, 30)}}},
		"by its words": {OpenAIChat, "m", "click", `{"text":"Add to cart"}`, "", []Action{{Verb: "click", Named: "Add to cart"}}},
		"a tab":        {OpenAIChat, "m", "switch_tab", `{"index":2}`, "", nil},
		"done":         {OpenAIChat, "m", "done", `{"text":"all 3 done"}`, "", nil},
		"prose":        {OpenAIChat, "m", "", "", "I see 3 buttons (one is blue). Nothing to do.", nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := Answer{Dialect: c.dialect, Model: c.model, Text: c.text}
			if c.call != "" {
				a.Calls = []ToolCall{{Name: c.call, Arguments: json.RawMessage(c.args)}}
			}
			require.Equal(t, c.want, a.Actions())
		})
	}
}

func TestSections(t *testing.T) {
	for dialect, body := range map[string]string{
		OpenAIChat: `{"model":"m","messages":[{"role":"system","content":"S"},{"role":"user","content":[{"type":"text","text":"T"},
			{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}],"tools":[{"type":"function","function":{"name":"f"}}]}`,
		OpenAIResponses: `{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"T"},
			{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}],"tools":[{"type":"function","name":"f"}],"instructions":"S"}`,
		Anthropic: `{"messages":[{"role":"user","content":[{"type":"text","text":"T"},{"type":"image","source":{"type":"base64",
			"media_type":"image/png","data":"AAAA"}}]}],"model":"m","system":[{"type":"text","text":"S"}],"tools":[{"name":"f"}]}`,
		Gemini: `{"contents":[{"parts":[{"text":"T"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}],
			"systemInstruction":{"parts":[{"text":"S"}]},"tools":[{"functionDeclarations":[{"name":"f"}]}]}`,
	} {
		t.Run(dialect, func(t *testing.T) {
			got, err := Sections(dialect, []byte(body))
			require.NoError(t, err)
			require.Len(t, got, 4)
			require.Equal(t, "tools", got[0].Role)
			require.Equal(t, []string{"S", "T", ""}, []string{got[1].Text(), got[2].Text(), got[3].Text()})
			require.Equal(t, Image, got[3].Parts[0].Kind)
			require.Contains(t, body[got[3].Start:got[3].End], "AAAA")
			require.NotContains(t, body[got[2].Start:got[2].End], "AAAA")
		})
	}
}

// A conversation that goes on does not break; a mark for the cache that moved is none either.
func TestFirstBreak(t *testing.T) {
	read := func(body string) ([]byte, []Section) {
		s, err := Sections(Anthropic, []byte(body))
		require.NoError(t, err)
		return []byte(body), s
	}
	a, as := read(`{"system":"at 10:01","messages":[{"role":"user","content":[{"type":"text","text":"one","cache_control":{"type":"ephemeral"}}]}]}`)
	b, bs := read(`{"system":"at 10:01","messages":[{"role":"user","content":[{"type":"text","text":"one"}]},{"role":"assistant","content":"x"}]}`)
	require.Equal(t, 2, FirstBreak(a, as, b, bs).Section)
	c, cs := read(`{"system":"at 10:02","messages":[{"role":"user","content":[{"type":"text","text":"one"}]}]}`)
	got := FirstBreak(a, as, c, cs)
	require.Equal(t, 0, got.Section)
	require.Equal(t, "2", string(c[got.Now]))
}
