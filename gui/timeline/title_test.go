package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/snapshot/conversation"
)

func TestTitle(t *testing.T) {
	tests := map[string]core.TurnRow{
		"click e12": {Action: `ask openai gpt-4o: browser_click {"element":"it","target":"e12"}`,
			URL: "http://127.0.0.1:1/forms/login.html"},
		"snapshot":                  {Action: `ask anthropic claude: browser_snapshot {}`, URL: "https://a.example/"},
		"I am done.":                {Action: "ask openai gpt-4o: I am done."},
		"answer":                    {Action: `ask openai gpt-4o: {"thought":"x"`},
		"click · cart":              {Action: "browse_click", URL: "https://shop.example/cart"},
		"goto · cart":               {Action: "goto", URL: "https://shop.example/cart"},
		"status 500":                {Action: "ask openai gpt-4o: status 500", URL: "https://shop.example"},
		"click 5 then: more · cart": {Action: "click 5 then: more", URL: "https://shop.example/cart"},
		"click e12 “Sign in” · forms/login.html": {Action: "ask openai gpt-4o: x", URL: "http://127.0.0.1:1/forms/login.html",
			Story: &conversation.Story{Did: "click e12 “Sign in”", Paired: true}},
		"navigate cart": {Action: "ask openai gpt-4o: x", URL: "https://api.example/v1/chat/completions",
			Story: &conversation.Story{Did: "navigate cart"}},
		`capture · \u{202e}x`: {Action: "capture", URL: "https://shop.example/%E2%80%AEx"},
	}
	for want, row := range tests {
		require.Equal(t, want, timeline.Title(row))
	}
}
