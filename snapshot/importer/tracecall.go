package importer

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// rewrittenCall is said of turns of a trace that was made with Playwright's server of tools.
const rewrittenCall = "the trace keeps what Playwright was asked and the text that it made of the page, not the " +
	"messages of the server of tools: call and answer are written again in the form of mcp"

// ariaRef is the selector by which Playwright's server of tools finds the element that an agent named.
var ariaRef = regexp.MustCompile(`^aria-ref=(\w+)`)

// agentCall is what an action tells of the call of a tool that led to it.
type agentCall struct {
	ref string // of the element, "" for none
	// text was typed or chosen, "" for none.
	text string
	url  string
}

// call reads the action's parameters; the zero value where no agent named its element, and it opened no page.
func (a *action) call() agentCall {
	var p struct{ Selector, URL, Value, Text, Key string }
	if len(a.Params) == 0 || json.Unmarshal(a.Params, &p) != nil || a.runner {
		return agentCall{}
	}
	if m := ariaRef.FindStringSubmatch(p.Selector); m != nil {
		return agentCall{ref: m[1], text: p.Text + p.Value + p.Key}
	}
	if a.Method == "goto" {
		return agentCall{url: p.URL}
	}
	return agentCall{}
}

// snapshotText is the text with refs that an action made of the page, "" for none.
func (a *action) snapshotText() string {
	if a.Method != "ariaSnapshot" && a.Method != "snapshotForAI" && a.Method != "_snapshotForAI" {
		return ""
	}
	var r struct{ Snapshot, Full string }
	if json.Unmarshal(a.Result, &r) != nil {
		return ""
	}
	if text := r.Snapshot + r.Full; strings.Contains(text, "[ref=") {
		return text
	}
	return ""
}

// given are the texts that were made of the page after each action that a call led to, the last one before the next
// such action; nil where no call named an element, so that no agent's server made the trace.
func (t *trace) given() map[*action]string {
	if !slices.ContainsFunc(t.actions, func(a *action) bool { return a.call().ref != "" }) {
		return nil
	}
	out := map[*action]string{}
	var last *action
	for _, a := range t.actions {
		if a.call() != (agentCall{}) {
			last = a
		}
		if text := a.snapshotText(); text != "" && last != nil {
			out[last] = text
		}
	}
	return out
}

// setCall gives the turn of an action the call that led to it, and the text of the page that came after.
func (t *trace) setCall(rec *turn.Record, a *action, given string) error {
	c := a.call()
	if c.ref == "" && given == "" {
		return nil
	}
	arguments := map[string]string{}
	for name, v := range map[string]string{"target": c.ref, "text": c.text, "url": c.url} {
		if v != "" {
			arguments[name] = v
		}
	}
	const media = "application/json"
	b := exchange.Bodies{Recorded: true, RequestMedia: media, AnswerMedia: media}
	var err error
	message := func(members map[string]any) []byte {
		members["jsonrpc"], members["id"] = "2.0", cut(a.CallID, 200)
		raw, failed := json.Marshal(members)
		if failed != nil {
			err = fmt.Errorf("writing a call again: %w", failed)
		}
		return raw
	}
	b.Answer = message(map[string]any{"method": "tools/call",
		"params": map[string]any{"name": cut(a.Method, 100), "arguments": arguments}})
	content := []any{}
	if given != "" {
		content = append(content, map[string]string{"type": "text", "text": given})
	}
	b.Request = message(map[string]any{"result": map[string]any{"content": content}})
	if err != nil {
		return err
	}
	secrets := slices.Clone(t.s.secrets)
	for i := range secrets {
		secrets[i].Reach = redact.Auto // in bodies also within words
	}
	if v := a.hide(); v != "" {
		secrets = append(secrets, redact.Secret{Value: v, Why: a.secret})
	}
	return fillExchange(rec, &exchange.Exchange{Dialect: wire.MCP, Upstream: "Playwright"}, b, rewrittenCall,
		t.s.clean, secrets)
}
