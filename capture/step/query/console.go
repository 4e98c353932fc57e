package query

import (
	"context"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/text"
)

// ConsoleSteps are the steps about the console (seed 11.14).
func ConsoleSteps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(console, stepdef.StepDef{
			Name: "console", Summary: "what the page wrote to its console",
			Forms: []param.Form{
				{`true`, "the last 50 messages"},
				{`{"level":"error","type":"exception","limit":10,"stackTrace":true}`,
					"of a level or type (console, exception), with stacks"},
				{`{"since":1760000000000,"clear":true}`, "since a time, ms since 1970; clear empties the list"},
			},
		}),
	}
}

type consoleParams struct {
	_ struct{} `form:"true" want:"true or an object"`
	stepdef.Limit
	Level      messageLevel `json:"level,omitempty" what:"only messages of a level: log, warning, error, …"`
	Type       string       `json:"type,omitempty" choices:"console,exception" what:"only one kind"`
	Since      float64      `json:"since,omitempty" what:"only later ones, ms since 1970"`
	StackTrace bool         `json:"stackTrace,omitempty" what:"with stacks"`
	Clear      bool         `json:"clear,omitempty" what:"forget the messages afterwards"`
}

// consoleOutput is the output of console (seed 11.14).
type consoleOutput struct {
	Total    int              `json:"total"` // that match
	Showing  int              `json:"showing"`
	Messages []consoleMessage `json:"messages"`
}

type consoleMessage struct {
	Level      string         `json:"level"`
	Text       string         `json:"text"` // at most [messageShown] characters
	Type       string         `json:"type"` // console, exception
	URL        string         `json:"url,omitempty"`
	Line       int            `json:"line,omitempty"` // from 1
	Timestamp  int64          `json:"timestamp"`      // ms since 1970
	StackTrace []browser.Call `json:"stackTrace,omitempty"`
}

// messageShown is how much of a message is given, in characters: as much as an object that was logged may take.
const messageShown = 1000

// messageLevel is a level of messages: the methods of console.
type messageLevel string

// Choices lists the levels that may be requested.
func (messageLevel) Choices() []string {
	return []string{
		"log", "debug", "info", "warning", "error", "dir", "dirxml", "table", "trace", "count", "timeEnd", "clear",
		"startGroup", "startGroupCollapsed", "endGroup", "profile", "profileEnd", "warn",
	}
}

func console(ctx context.Context, e *stepdef.Env, p *consoleParams) (any, error) {
	if p.Level == "warn" {
		p.Level = "warning"
	}
	out := &consoleOutput{Messages: []consoleMessage{}}
	// The page is read so that what its password fields hold is known and can be taken
	// out of what it logged.
	_, err := e.Read(ctx, func(ctx context.Context, res *collect.Result) error {
		var list []browser.Message
		for _, m := range e.Page.Tab().Messages() {
			kind := "console"
			if m.Exception {
				kind = "exception"
			}
			if p.Level != "" && m.Level != string(p.Level) || p.Type != "" && kind != p.Type ||
				float64(m.At.UnixMilli()) <= p.Since {
				continue
			}
			list = append(list, m)
		}
		out.Total = len(list)
		list = list[max(0, len(list)-p.Or(50)):]
		var texts []*string
		for i := range list {
			m := &list[i]
			texts = append(texts, &m.Text, &m.URL)
			for k := range m.Stack {
				texts = append(texts, &m.Stack[k].Function, &m.Stack[k].URL)
			}
		}
		raw := make([]string, len(texts))
		for i, t := range texts {
			raw[i] = *t
		}
		for i, s := range res.Seal(ctx, raw) {
			*texts[i] = s
		}
		for _, m := range list {
			one := consoleMessage{Level: m.Level, Text: text.Start(m.Text, messageShown), Type: "console", URL: m.URL,
				Line: m.Line, Timestamp: m.At.UnixMilli()}
			if m.Exception {
				one.Type = "exception"
			}
			if p.StackTrace {
				one.StackTrace = m.Stack
			}
			out.Messages = append(out.Messages, one)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Showing = len(out.Messages)
	if p.Clear {
		e.Page.Tab().ClearMessages()
	}
	return out, nil
}
