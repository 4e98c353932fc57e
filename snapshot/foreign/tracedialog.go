package foreign

import (
	"encoding/json"
)

// told takes in an event of the browser: a dialog, or a console line until version 4.
func (t *trace) told(e *event) {
	class, method, params, at, page := e.Class, e.Method, e.Params, e.Time, e.PageID
	if m := e.Metadata; m != nil {
		class, method, params, at, page = m.Class, m.Method, m.Params, m.StartTime, m.PageID
	}
	var p struct {
		PageID      string          `json:"pageId"`
		Type        string          `json:"type"`
		Message     json.RawMessage `json:"message"`
		Initializer json.RawMessage `json:"initializer"`
	}
	if len(params) == 0 || json.Unmarshal(params, &p) != nil {
		return
	}
	if p.PageID != "" {
		page = p.PageID
	}
	switch {
	case method == "dialog":
		var message string
		if json.Unmarshal(p.Message, &message) == nil {
			l := t.page(page)
			l.dialogs = append(l.dialogs, dialogLine{time: at, kind: p.Type, message: message})
		}
	case method == "console":
		var of struct {
			GUID string `json:"guid"`
		}
		if json.Unmarshal(p.Message, &of) == nil {
			if o, ok := t.objects[of.GUID]; ok {
				t.consoleObject(o.Initializer, at, page)
			}
		}
	case method == "__create__" && class == "ConsoleMessage":
		t.consoleObject(p.Initializer, at, page)
	}
}

func (t *trace) consoleObject(initializer json.RawMessage, at float64, page string) {
	var m struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Location struct {
			URL  string `json:"url"`
			Line int    `json:"lineNumber"`
		} `json:"location"`
	}
	if json.Unmarshal(initializer, &m) == nil {
		p := t.page(page)
		p.console = append(p.console, consoleLine{at, m.Type, m.Text, m.Location.URL, m.Location.Line})
	}
}
