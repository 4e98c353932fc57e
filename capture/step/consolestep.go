package step

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
)

// consoleKinds are the steps about the console (seed 11.14).
func consoleKinds() []Kind {
	return []Kind{
		{Name: "console", Summary: "what the page wrote to its console", parse: parseConsole, Forms: []Form{
			{`true`, "the last 50 messages"},
			{`{"level":"error","type":"exception","limit":10,"stackTrace":true}`, "of a level or type (console, exception), with stacks"},
			{`{"since":1760000000000,"clear":true}`, "since a time, ms since 1970; clear begins anew"},
		}},
	}
}

type consoleParams struct {
	Limit      *int    `json:"limit,omitempty"`
	Level      string  `json:"level,omitempty"`
	Type       string  `json:"type,omitempty"`
	Since      float64 `json:"since,omitempty"`
	StackTrace bool    `json:"stackTrace,omitempty"`
	Clear      bool    `json:"clear,omitempty"`
}

// consoleOutput is what console gives (seed 11.14).
type consoleOutput struct {
	Total    int              `json:"total"` // that match
	Showing  int              `json:"showing"`
	Messages []consoleMessage `json:"messages"`
}

type consoleMessage struct {
	Level      string         `json:"level"`
	Text       string         `json:"text"` // at most 500 characters
	Type       string         `json:"type"` // console, exception
	URL        string         `json:"url,omitempty"`
	Line       int            `json:"line,omitempty"` // from 1
	Timestamp  int64          `json:"timestamp"`      // ms since 1970
	StackTrace []browser.Call `json:"stackTrace,omitempty"`
}

// levels are the levels that may be asked for: the methods of console.
var levels = []string{"log", "debug", "info", "warning", "error", "dir", "dirxml", "table", "trace", "assert", "count", "timeEnd", "clear", "startGroup", "startGroupCollapsed", "endGroup", "profile", "profileEnd"}

func parseConsole(raw json.RawMessage) (Work, error) {
	var p consoleParams
	if string(raw) != "true" {
		if shape(raw) == "bool" {
			return nil, errShape(raw, "true or an object")
		}
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
	}
	if p.Level == "warn" {
		p.Level = "warning"
	}
	if p.Level != "" && !slices.Contains(levels, p.Level) {
		return nil, unknown("level", p.Level, levels)
	}
	if p.Type != "" && p.Type != "console" && p.Type != "exception" {
		return nil, unknown("type", p.Type, []string{"console", "exception"})
	}
	limit, err := limitOf(p.Limit, 50)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		out := &consoleOutput{Messages: []consoleMessage{}}
		// The page is read so that what its password fields hold is known and can be taken
		// out of what it logged.
		_, err := r.read(ctx, func(ctx context.Context, res *collect.Result) error {
			var list []browser.Message
			for _, m := range r.page.Tab().Messages() {
				kind := "console"
				if m.Exception {
					kind = "exception"
				}
				if p.Level != "" && m.Level != p.Level || p.Type != "" && kind != p.Type || float64(m.At.UnixMilli()) <= p.Since {
					continue
				}
				list = append(list, m)
			}
			out.Total = len(list)
			list = list[max(0, len(list)-limit):]
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
				e := consoleMessage{Level: m.Level, Text: cut(m.Text, 500), Type: "console", URL: m.URL, Line: m.Line, Timestamp: m.At.UnixMilli()}
				if m.Exception {
					e.Type = "exception"
				}
				if p.StackTrace {
					e.StackTrace = m.Stack
				}
				out.Messages = append(out.Messages, e)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		out.Showing = len(out.Messages)
		if p.Clear {
			r.page.Tab().ClearMessages()
		}
		return out, nil
	}, nil
}
