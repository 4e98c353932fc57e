package timeline

import (
	"encoding/json"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/wire"
)

// Title is a turn in a few words: what was done, and on which page. The action of a turn that the tap recorded is the
// upstream, the model, and the beginning of the answer: of that, its verb and target are told until the story of the
// turn is known. A request without a page has none.
func Title(r core.TurnRow) string {
	action, page := strings.TrimPrefix(r.Action, "browse_"), conversation.PageName(r.URL) // a tool of our MCP server
	switch asked, answer, ok := strings.Cut(r.Action, ": "); {
	case r.Story != nil:
		action = r.Story.Did
		if !r.Story.Paired {
			page = ""
		}
	case ok && strings.HasPrefix(asked, "ask "):
		action, page = deed(answer), "" // whether the address is that of a page or of the upstream, its story tells
	}
	if page != "" {
		action += " · " + page
	}
	return action
}

// deed is the beginning of an answer as what it does.
func deed(answer string) string {
	name, args, _ := strings.Cut(answer, " ")
	call := wire.Answer{Calls: []wire.ToolCall{{Name: name, Arguments: json.RawMessage(args)}}}
	switch {
	case !strings.HasPrefix(args, "{"):
		call = wire.Answer{Text: answer}
	case !json.Valid([]byte(args)): // cut off
		call.Calls[0].Arguments = nil
	}
	return conversation.Deed(&call, nil)
}
