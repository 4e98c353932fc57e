package timeline

import (
	"encoding/json"
	"net/url"
	"path"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

// Title is a turn in a few words: what was done, and on which page. The action of a turn that the tap recorded is the
// upstream, the model, and the beginning of the answer: of that, its verb and target are told.
func Title(r core.TurnRow) string {
	action := r.Action
	if asked, answer, ok := strings.Cut(r.Action, ": "); ok && strings.HasPrefix(asked, "ask ") {
		action = deed(answer)
	}
	if page := pageOf(r); page != "" {
		action += " · " + page
	}
	return action
}

// deed is the beginning of an answer as what it does: the verb of its first action with the target, else its words.
func deed(answer string) string {
	name, args, _ := strings.Cut(answer, " ")
	call := wire.Answer{Calls: []wire.ToolCall{{Name: name, Arguments: json.RawMessage(args)}}}
	if !json.Valid([]byte(args)) {
		call = wire.Answer{Text: answer}
	}
	if list := call.Actions(); len(list) > 0 {
		a := list[0]
		verb := conversation.Verb(a.Verb)
		switch {
		case a.Ref != "":
			return verb + " " + text.Cut(a.Ref, 12)
		case a.Named != "":
			return verb + " “" + text.Cut(text.Line(a.Named), 24) + "”"
		}
		return verb
	}
	if strings.HasPrefix(answer, "{") || strings.HasPrefix(answer, "[") {
		return "answer"
	}
	if strings.HasPrefix(args, "{") { // a call about no element
		return strings.TrimPrefix(name, "browser_")
	}
	return text.Cut(answer, 40)
}

// pageOf is a page in a few words: the last part of its address, or its host where that is all.
func pageOf(r core.TurnRow) string {
	u, err := url.Parse(r.URL)
	if err != nil || u.Host == "" {
		return ""
	}
	if last := path.Base(u.Path); last != "/" && last != "." {
		return text.Cut(text.Line(last), 28)
	}
	return text.Cut(text.Line(u.Host), 28)
}
