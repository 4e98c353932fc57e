// Package exchange makes a turn of one request to a model and its answer: the bodies as
// payloads without secrets, and the facts of how they crossed the wire.
//
// The tap fills it from the wire, package importer from other tools' recordings, so a turn
// looks the same wherever it came from. Start with [Exchange.Read] and [Exchange.Fill].
package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Exchange is how one request and its answer crossed the wire. It is [turn.Record.Exchange].
type Exchange struct {
	Upstream string `json:"upstream"`
	Method   string `json:"method"`
	URL      string `json:"url"` // of the upstream, without secrets
	Dialect  string `json:"dialect"`
	Model    string `json:"model,omitempty"`
	Stream   bool   `json:"stream,omitempty"`

	Began time.Time `json:"began"`
	// Sent is when the whole request had been read from the agent, FirstByte when the first
	// byte of the answer's body came, Ended when the last one did; ms after Began, 0 where
	// that never came or is not known.
	Sent      float64 `json:"sent,omitempty"`
	FirstByte float64 `json:"firstByte,omitempty"`
	Ended     float64 `json:"ended"`

	Status int `json:"status,omitempty"` // 0: the upstream was not reached, or a recording leaves it out
	// Error is why there is no whole answer.
	Error string `json:"error,omitempty"`
	// RequestBytes and AnswerBytes are those of the bodies as they crossed the wire;
	// encodings are taken off in what is kept.
	RequestBytes int64  `json:"requestBytes"`
	AnswerBytes  int64  `json:"answerBytes"`
	Encoding     string `json:"encoding,omitempty"` // of the answer
	// Answer is what the model answered, put together from the stream; nil where it could not
	// be read, and where it has megabytes, such as a file that a tool is called with.
	Answer *wire.Answer `json:"answer,omitempty"`
	// RetryAfter is that header of the answer, "" without one.
	RetryAfter string `json:"retryAfter,omitempty"`
	// Socket counts the messages where they crossed a WebSocket; nil for a request over HTTP. The
	// bodies are then the texts, one after the other, and their sizes are without compression.
	Socket *Socket `json:"socket,omitempty"`
}

// Socket are the messages of a turn over a WebSocket.
type Socket struct {
	Sent     Messages `json:"sent"`     // by the agent
	Received Messages `json:"received"` // by the agent
	// Thread is one for all turns of a connection on which each adds to the messages before, which the vendor holds.
	Thread string `json:"thread,omitempty"`
}

// Messages counts messages of one direction. Binary ones, such as sound, are counted and not kept.
type Messages struct {
	Texts       int   `json:"texts"`
	Binary      int   `json:"binary,omitempty"`
	BinaryBytes int64 `json:"binaryBytes,omitempty"`
}

// Bodies are the request and the answer, encodings taken off; nil where there is none.
type Bodies struct {
	Request, Answer           []byte
	RequestMedia, AnswerMedia string // media types
	// Wire: these bytes crossed the wire. Without it they were written again from what a
	// recording keeps of them.
	Wire bool
	// Recorded: a recording has kept them, and marks in them may stand for what it withheld.
	Recorded bool
}

// Asked reads the request, with the conversation that it adds to.
func (e *Exchange) Asked(body []byte) (*wire.Request, error) {
	asked, err := wire.ReadRequest(e.Dialect, body)
	if err == nil && e.Socket != nil {
		asked.Thread = cmp.Or(asked.Thread, e.Socket.Thread)
	}
	return asked, err
}

// Read takes from the bodies what they say: model, stream and answer. It returns the request,
// which is empty where it cannot be read, and sentences about what could not be.
func (e *Exchange) Read(b Bodies) (asked *wire.Request, lacks []string) {
	asked, err := e.Asked(b.Request)
	switch {
	case e.Dialect == wire.MCP && len(b.Request) == 0: // the server never answered
		asked = &wire.Request{Dialect: e.Dialect}
	case err != nil:
		lacks = append(lacks, "what the request says is not known: "+text.Line(err.Error()))
		asked = &wire.Request{Dialect: e.Dialect}
	}
	e.Model, e.Stream = asked.Model, asked.Stream || e.Socket != nil ||
		strings.HasPrefix(b.AnswerMedia, "text/event-stream")
	if e.Dialect == wire.Gemini {
		e.Model = cmp.Or(geminiModel(e.URL), strings.TrimPrefix(asked.Model, "models/"))
	}
	if e.Dialect == wire.Bedrock {
		e.Model = wire.BedrockModel(e.URL)
	}
	if u, err := url.Parse(e.URL); err == nil && e.Socket != nil {
		e.Model = cmp.Or(e.Model, u.Query().Get("model"))
	}
	if e.Status != 0 || len(b.Answer) > 0 {
		if e.Answer, err = wire.ReadAnswer(e.Dialect, b.Answer); err != nil {
			lacks = append(lacks, "what the answer says is not known: "+text.Line(err.Error()))
		}
	}
	return asked, lacks
}

// Trouble is why a turn's request was not answered as it should be, "" where it was, or where the turn has no request:
// the vendor refused it or failed, or the answer is not whole. It reads [turn.Record.Exchange].
func Trouble(stored []byte) string {
	var e Exchange
	switch {
	case len(stored) == 0 || json.Unmarshal(stored, &e) != nil:
		return ""
	case e.Status >= 400:
		return fmt.Sprintf("the vendor answered with status %d", e.Status)
	case e.Error == "" && e.Answer != nil && e.Answer.Error != "":
		return "the vendor ended the answer with an error: " + text.Line(e.Answer.Error)
	}
	return text.Line(e.Error)
}

// geminiModel is the model in the path of a request: …/models/NAME:generateContent.
func geminiModel(address string) string {
	_, rest, _ := strings.Cut(address, "/models/")
	name, _, _ := strings.Cut(rest, ":")
	return name
}

// maxExchange is how many bytes an exchange has with its answer at most.
const maxExchange = 8 << 20

// Fill sets what a turn keeps of the exchange: action, payloads, what is lacking, and all, the
// exchange itself as who records it wants it stored. Nothing that rules or secrets withhold
// is in it.
func (e *Exchange) Fill(rec *turn.Record, b Bodies, all any, lacks []string, rules *redact.Redactor,
	secrets ...redact.Secret) error {
	rec.Action, rec.Payloads = e.action(rules, secrets), e.payloads(b, rules, secrets)
	for i := range lacks {
		lacks[i] = text.Start(rules.Clean(lacks[i], secrets...), 1000)
	}
	rec.Lacks = lacks
	raw, err := json.Marshal(all)
	if len(raw) > maxExchange { // what the answer says stands in its payload
		answer := e.Answer
		e.Answer = nil
		raw, err = json.Marshal(all)
		e.Answer = answer
	}
	if err != nil {
		return fmt.Errorf("writing the exchange: %w", err)
	}
	rec.Exchange, err = redact.JSON(raw, rules, secrets...)
	return err
}

// action is what a list of turns shows: who was asked, and what came of it.
func (e *Exchange) action(rules *redact.Redactor, secrets []redact.Secret) string {
	what := fmt.Sprintf("status %d", e.Status)
	if e.Status == 0 { // of a recording that keeps none
		what = "no answer"
	}
	switch a := e.Answer; {
	case e.Error != "":
		what = e.Error
	case a != nil && a.Error != "" && e.Status < 400:
		what = a.Error
	case a == nil || e.Status >= 400:
	case len(a.Calls) > 0:
		what = a.Calls[0].Name + " " + string(a.Calls[0].Arguments)
	case a.Text != "":
		what = a.Text
	}
	if e.Dialect == wire.MCP {
		if what = "list tools"; e.Answer != nil && len(e.Answer.Calls) > 0 {
			what = "call " + e.Answer.Calls[0].Name + " " + string(e.Answer.Calls[0].Arguments)
		}
	}
	// arguments are JSON, where a secret may be spelled otherwise
	clean, _ := redact.Body([]byte(what), rules, secrets...)
	what = text.Line(string(clean))
	if e.Dialect == wire.MCP {
		if e.Error != "" {
			return text.Start(what, 160) + ": " + text.Start(text.Line(rules.Clean(e.Error, secrets...)), 120)
		}
		return text.Start(what, 160)
	}
	what = text.Start(what, 120)
	return text.Line("ask "+e.Upstream+" "+text.Start(rules.Clean(e.Model, secrets...), 80)) + ": " + what
}

// payloads are the bodies without secrets, an answer only where there is one.
func (e *Exchange) payloads(b Bodies, rules *redact.Redactor, secrets []redact.Secret) []turn.Payload {
	var out []turn.Payload
	add := func(way turn.Way, media string, body []byte) {
		clean, spans := redact.Body(body, rules, secrets...)
		p := turn.Payload{Dialect: e.Dialect, Model: text.Start(text.Line(e.Model), 200), Way: way,
			Media: text.Start(text.Line(media), 200), Bytes: clean, Wire: b.Wire}
		for _, s := range spans {
			if s.Before && !b.Recorded {
				continue // it was sent as it is, as texts of our own server have marks
			}
			p.Redacted = append(p.Redacted, redact.Span{Start: s.Start, End: s.End, Why: text.Start(s.Why, 200)})
		}
		out = append(out, p)
	}
	if len(b.Request) > 0 || b.Wire && e.Dialect != wire.MCP {
		add(turn.Request, b.RequestMedia, b.Request)
	}
	if len(b.Answer) > 0 {
		add(turn.Answer, b.AnswerMedia, b.Answer)
	}
	return out
}

// ownSession is a header in which an agent numbers its own runs for its vendor: X-Claude-Code-Session-Id, Codex's
// Session-Id. It opens nothing, and stands in the agent's texts, as a part of paths. A session of an MCP server is
// none.
var ownSession = regexp.MustCompile(`(?i)^(?:x-claude-code-|x-codex-)?(?:session|thread|conversation)[-_]id$`)

// leastKey is how many bytes a word has at least that is a credential. A shorter one, such as none, dummy or ollama, is
// what people give a vendor that asks for no key, and stands in many a text.
const leastKey = 8

// Credentials are the values in headers, by their canonical names, and in the query of an
// address by which an agent shows who it is.
func Credentials(headers map[string][]string, query url.Values) []redact.Secret {
	var out []redact.Secret
	add := func(value, why string) {
		if value = strings.TrimSpace(value); len(value) >= leastKey || redact.LooksChosen(value) {
			out = redact.Add(out, redact.Secret{Value: value, Why: why, Reach: redact.Anywhere})
		}
	}
	for name, values := range headers {
		for _, v := range values {
			switch {
			case name == "Authorization" || name == "Proxy-Authorization":
				_, credential, ok := strings.Cut(v, " ")
				if !ok {
					credential = v
				}
				add(credential, "credential")
			case name == "Cookie" || name == "Set-Cookie":
				for part := range strings.SplitSeq(v, ";") {
					if _, value, ok := strings.Cut(part, "="); ok && len(strings.TrimSpace(value)) >= 8 {
						add(value, "cookie")
					}
				}
			case ownSession.MatchString(name):
			case redact.SecretName(name, redact.InHidden) != "" || strings.HasSuffix(strings.ToLower(name), "-key"):
				add(v, "credential")
			case name == "Sec-Websocket-Protocol": // where a page has to put it: openai-insecure-api-key.KEY
				for protocol := range strings.SplitSeq(v, ",") {
					if _, key, ok := strings.Cut(protocol, "api-key."); ok {
						add(key, "credential")
					}
				}
			}
		}
	}
	for name, values := range query {
		if redact.SecretName(name, redact.InQuery) != "" {
			for _, v := range values {
				add(v, "credential")
			}
		}
	}
	return out
}
