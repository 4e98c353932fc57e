package conversation

import (
	"cmp"
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Story is a turn of an agent in a line: what its answer wants done, why that could not work, what it took, and what
// a tool reported of an action. Its sentences are safe to show.
type Story struct {
	Turn int
	// Did is what the answer wants done, in a few words: click e92 “Add to the basket”; why there is none where there
	// is none: the agent broke off the request. Actions counts those that mean an element or a point.
	Did     string
	Actions int
	// Trouble is why one of them could not work, "" where nothing speaks against it. Doubt: it is not certain.
	Trouble string
	Doubt   bool
	// Errors is how many findings on the request and its answer are errors, but that no whole answer came: the turn
	// counts that itself, see [exchange.Trouble].
	Errors int
	// Paired: the page of that moment is known.
	Paired bool
	Model  string
	Usage  wire.Usage
	// Took is how long the model took to answer, 0 where that is not known.
	Took time.Duration
	// Of is the turn whose action the tool reports about: that of the request before, or this one where a server of
	// tools was recorded; 0 for none. Said is what it reports, "" for a page or nothing; Failed: it reports an error.
	Of     int
	Said   string
	Failed bool
}

// didLength is the most characters of what a story says was done, nameLength of the name of an element in it.
const (
	didLength  = 80
	nameLength = 32
)

// noAnswer is what an answer without words wants done; failed begins what an error in its place did.
const (
	noAnswer = "no answer"
	failed   = "failed: "
)

// StoryOf is the story of a turn, by the report of its request; nil where it holds none.
func StoryOf(rec *turn.Record, r *doctor.Report) *Story {
	asked, answer := Stored(rec.Payloads)
	if asked == nil || r == nil {
		return nil
	}
	out := &Story{Turn: rec.N, Paired: r.Paired, Model: text.Cut(text.Line(r.Model), 60), Took: took(rec.Exchange)}
	out.Errors = r.Errors
	if exchange.Trouble(rec.Exchange) != "" && slices.ContainsFunc(r.Findings,
		func(f audit.Finding) bool { return f.Rule == doctor.Refused || f.Rule == doctor.NoAnswer }) {
		out.Errors--
	}
	aims := Aims(r, rec.Capture)
	out.Actions = len(aims)
	for _, a := range aims {
		if a.Trouble != "" && (out.Trouble == "" || out.Doubt && !a.Doubt) {
			out.Trouble, out.Doubt = a.Trouble, a.Doubt
		}
	}
	if answer != nil {
		if a, err := wire.ReadAnswer(answer.Dialect, answer.Bytes); err == nil {
			out.Usage, out.Did = a.Usage, Deed(a, aims)
			if len(a.Calls) == 0 && a.Text == "" && a.Error == "" {
				out.Did = cmp.Or(withoutModel(asked), out.Did)
			}
		}
	}
	if out.Did == noAnswer || out.Did == "" && len(rec.Exchange) > 0 { // what did not cross the wire is not answered
		out.Did = text.Cut(cmp.Or(exchange.Trouble(rec.Exchange), noAnswer), didLength)
	}
	if why := broke(rec, out.Did); why != "" && (out.Trouble == "" || out.Doubt) {
		out.Trouble, out.Doubt = text.Capital(why)+".", false
	}
	if talk, err := Read(*asked, answer, r, func(string) int { return 0 }); err == nil {
		if out.Of = talk.Before; talk.Own {
			out.Of = rec.N
		}
		out.Said, out.Failed = talk.Reported()
	}
	return out
}

// broke is why the answer of a turn is not whole, "" where it is, or where what it did says so.
func broke(rec *turn.Record, did string) string {
	why := text.Cut(exchange.Trouble(rec.Exchange), didLength)
	if why == did || strings.HasPrefix(did, failed) {
		return ""
	}
	return why
}

// took is how long an exchange waited for its answer.
func took(raw json.RawMessage) time.Duration {
	var x struct{ Sent, Ended float64 } // ms after its beginning
	if len(raw) == 0 || json.Unmarshal(raw, &x) != nil || x.Ended <= x.Sent {
		return 0
	}
	return time.Duration((x.Ended - x.Sent) * float64(time.Millisecond))
}

// Deed is what an answer wants done, in a few words: its first action with the name of the element, or the tool that it
// calls, or the beginning of its words. aims are its actions by the page, nil where that is not known.
func Deed(a *wire.Answer, aims []Aim) string {
	if len(aims) == 0 {
		for _, one := range a.Actions(nil) {
			aims = append(aims, Aim{Target: doctor.Target{Action: one, Node: -1}, Label: label(one)})
		}
	}
	if len(aims) > 0 {
		out := aims[0].words(true)
		if n := len(aims) - 1; n > 0 {
			out += " and " + text.Count(n, "more", "more")
		}
		return text.Cut(out, didLength)
	}
	if len(a.Calls) > 0 {
		return text.Cut(Verb(a.Calls[0].Name)+destination(a.Calls[0].Arguments)+inCode(a.Calls[0].Arguments), didLength)
	}
	words := strings.TrimSpace(Thought(a.Text))
	switch {
	case a.Error != "":
		return failed + text.Cut(text.Line(a.Error), didLength)
	case words == "":
		return noAnswer
	case strings.HasPrefix(words, "{"), strings.HasPrefix(words, "["):
		if name, value := onlyMember(words); name != "" { // {"title": "…"}: what an agent asks for beside its work
			return text.Cut(text.Line(name)+" “"+text.Line(value), didLength-1) + "”"
		}
		return cmp.Or(Listed(words), "answer")
	}
	return text.Cut(Plain(strings.SplitN(words, "\n", 2)[0]), didLength)
}

// withoutModel is what a request is for that asks for no answer of a model, "" for any other.
func withoutModel(asked *turn.Payload) string {
	r, err := wire.ReadRequest(asked.Dialect, asked.Bytes)
	switch {
	case err != nil:
	case r.Prepares:
		return "prepare the next request"
	case r.Dialect == wire.MCP && len(r.Tools) > 0:
		return "list " + text.Count(len(r.Tools), "tool", "tools")
	}
	return ""
}

// inCode are the tools that a program calls which is the argument of a call, as Codex has its model write one, in a few
// words with a blank before; "" for any other argument.
func inCode(args json.RawMessage) string {
	var code string
	if json.Unmarshal(args, &code) != nil {
		return ""
	}
	out := ""
	for i, name := range wire.ToolsInCode(code) {
		if i < 3 {
			out += " " + Verb(name)
		}
	}
	return out
}

// Listed are the actions of an answer that is a list of them in JSON, in a few words, for one that is about no element,
// as browser-use's {"action":[{"navigate":{"url":"…"}}]} is: navigate login; "" for any other.
func Listed(answer string) string {
	var all struct{ Action []map[string]json.RawMessage }
	if json.Unmarshal([]byte(answer), &all) != nil || len(all.Action) == 0 || len(all.Action[0]) != 1 {
		return ""
	}
	out := ""
	for name, args := range all.Action[0] {
		out = Verb(name) + destination(args)
	}
	if n := len(all.Action) - 1; n > 0 {
		out += " and " + text.Count(n, "more", "more")
	}
	return text.Cut(out, didLength)
}

// onlyMember is the name and the text of an object that has no other member; "" for anything else.
func onlyMember(object string) (name, value string) {
	var all map[string]string
	if json.Unmarshal([]byte(object), &all) != nil || len(all) != 1 {
		return "", ""
	}
	for name, value = range all {
		if strings.TrimSpace(value) == "" {
			return "", ""
		}
	}
	return name, value
}

// words are an action in a few words: click e17 “Sign in”; without its number where it has a name: click “Sign in”.
func (a Aim) words(numbered bool) string {
	out := Verb(a.Verb)
	named := a.Name != "" && !strings.Contains(a.Label, "“")
	if a.Label != "" && (numbered || !named) {
		out += " " + a.Label
	}
	if named {
		out += " “" + text.Cut(a.Name, nameLength) + "”"
	}
	return out
}

// destination is the page that a call goes to, in a word with a blank before it, "" where it goes to none.
func destination(args json.RawMessage) string {
	var to struct{ URL, Action string }
	if json.Unmarshal(args, &to) != nil {
		return ""
	}
	if name := PageName(to.URL); name != "" {
		return " " + name
	}
	if to.Action != "" {
		return " " + text.Cut(text.Line(to.Action), 24)
	}
	return ""
}

// PageName is a page in a few words: the last two parts of its address, or its host where that is all; "" for no
// address. It is safe to show.
func PageName(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	last := path.Base(u.Path)
	if last == "/" || last == "." {
		return text.Cut(text.Line(u.Host), 40)
	}
	if before := path.Base(path.Dir(u.Path)); before != "/" && before != "." {
		last = before + "/" + last
	}
	return text.Cut(text.Line(last), 60)
}

// Reported is what the newest tool of a request reports: the first line of the last result that is new in it, or of its
// own answer's call, with its heading. Of a result that lists the page only an error is told. It is safe to show.
func (c *Conversation) Reported() (said string, failed bool) {
	for i := len(c.Messages) - 1; i >= 0; i-- {
		m := &c.Messages[i]
		if m.Answer || !m.New && !c.Own {
			continue
		}
		for k := range m.Parts {
			p := &m.Parts[k]
			if p.Kind != wire.Result {
				continue
			}
			said := strings.TrimSpace(text.Unstyled(p.Text))
			if inner := observation.LongestValue(said); 2*len(inner) > len(said) { // as Gemini is given a tool's text
				said = strings.TrimSpace(inner)
			}
			if first, rest, more := strings.Cut(said, "\n"); more && strings.HasPrefix(first, "#") {
				said = strings.TrimLeft(first, "# ")
				switch rest = strings.TrimSpace(rest); {
				case strings.HasPrefix(rest, "```"): // code is no report
				case strings.HasPrefix(rest, said+":"): // the heading once more
					said = rest
				default:
					said += ": " + rest
				}
			}
			said, _, _ = strings.Cut(said, "\n")
			failed = p.Failed || len(said) >= 5 && strings.EqualFold(said[:5], "error")
			if p.Page == nil || failed {
				return text.Cut(text.Line(said), 240), failed
			}
			return "", false
		}
	}
	return "", false
}
