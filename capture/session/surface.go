package session

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// The debug surface (D-11) is window.__dddkDebug, where an agent that runs in the page
// mirrors what its model saw last: {lastDom, lastDomAt, lastDomBytes, lastIndexMap,
// lastLlmMessages}; 000_c41bbe38402a5b5d.txt, "Debug exposure". A page's own one is read
// at every turn and stored as payloads of the dialect "dddk". Ours is written only where
// Options.DebugSurface asks for it, and marked so that it is never read as an agent's.

// Limits of what is read of a page's debug surface.
const (
	surfaceUnits   = 8 << 20 // UTF-16 units of text
	surfaceEntries = 5_000   // members and list entries
	surfaceDepth   = 12
	surfaceTime    = 1_000 // ms that the page's own getters may take
)

//go:embed surface.js
var surfaceJS string

// surfaceLayer names the debug surface in a capture's failures.
const surfaceLayer = "debug-surface"

// surfaceText is what the tab's page has as debug surface, as surface.js gives it, "" for none; unread is why it could
// not be read.
func surfaceText(ctx context.Context, tab *browser.Tab) (text, unread string) {
	expr := strings.NewReplacer("MAX_UNITS", strconv.Itoa(surfaceUnits), "MAX_ENTRIES", strconv.Itoa(surfaceEntries),
		"MAX_DEPTH", strconv.Itoa(surfaceDepth)).Replace(surfaceJS)
	yes := true
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	res, err := cdp.Call(ctx, tab.Session(), runtime.Evaluate, runtime.EvaluateParams{
		Expression: expr, ReturnByValue: &yes, Silent: &yes, ThrowOnSideEffect: &yes, Timeout: surfaceTime,
	})
	switch {
	case err != nil:
		return "", fmt.Sprintf("the page's own __dddkDebug could not be read within %d ms", surfaceTime)
	case res.ExceptionDetails != nil:
		return "", fmt.Sprintf("the page's own __dddkDebug could not be read: reading it would change the page, or "+
			"takes longer than %d ms", surfaceTime)
	case res.Result == nil || res.Result.Type != runtime.RemoteObjectTypeString:
		return "", ""
	}
	if err := json.Unmarshal(res.Result.Value, &text); err != nil {
		return "", fmt.Sprintf("what the page's own __dddkDebug holds is not text: %v", err)
	}
	return text, ""
}

// readSurface reads the debug surface of the tab's page into the shot: the dump and the
// messages of the agent that runs there, redacted like everything. A page that has none
// costs one evaluation. One that cannot be read is a failure of the capture.
func readSurface(ctx context.Context, tab *browser.Tab, shot *Shot) (missed []snapshot.Failure) {
	failed := func(why string) { missed = append(missed, snapshot.Failure{Layer: surfaceLayer, Why: why}) }
	text, unread := surfaceText(ctx, tab)
	if unread != "" {
		failed(unread)
		return missed
	}
	if text == "" {
		return missed
	}
	s, err := parseSurface(text)
	if err != nil {
		failed(fmt.Sprintf("the page's own __dddkDebug could not be read: %v", err))
		return missed
	}
	if s.cut {
		failed("the page's own __dddkDebug holds more than is read, or what cannot be read: the rest is left out")
	}
	s.seal(ctx, shot.page)
	s.store(shot)
	return missed
}

// surface is what was read of a page's debug surface.
type surface struct {
	dom, at  string
	messages any // lists and ordered objects of texts, numbers, booleans and nil
	cut      bool
}

// parseSurface reads the string that surface.js gives.
func parseSurface(text string) (*surface, error) {
	p := surfaceParser{in: utf16.Encode([]rune(text))}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok || len(list) != 4 || p.at != len(p.in) {
		return &surface{cut: true}, nil
	}
	s := &surface{messages: list[3], cut: p.cut}
	s.dom, _ = list[0].(string)
	s.at, _ = list[1].(string)
	return s, nil
}

// surfaceParser reads values by their lengths in UTF-16 units, as the page counts them.
type surfaceParser struct {
	in  []uint16
	at  int
	cut bool
}

// pair is a member of an object, in the page's order.
type pair struct {
	name  string
	value any
}

func (p *surfaceParser) value(depth int) (any, error) {
	if p.at >= len(p.in) || depth > surfaceDepth+2 {
		return nil, fmt.Errorf("its answer breaks off at unit %d", p.at)
	}
	c := p.in[p.at]
	p.at++
	switch c {
	case 'z':
		return nil, nil
	case 't', 'f':
		return c == 't', nil
	case 'x':
		p.cut = true
		return nil, nil
	case 's', 'c', 'n':
		p.cut = p.cut || c == 'c'
		s, err := p.text()
		if err != nil || c != 'n' {
			return s, err
		}
		if json.Valid([]byte(s)) {
			return json.Number(s), nil
		}
		return nil, nil // NaN and the infinities, as JSON has them
	case '[':
		list := []any{}
		for {
			if p.ends(']') {
				return list, nil
			}
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
	case '{':
		object := []pair{}
		for {
			if p.ends('}') {
				return object, nil
			}
			name, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			text, ok := name.(string)
			if !ok {
				return nil, fmt.Errorf("its answer has no name at unit %d", p.at)
			}
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			object = append(object, pair{text, v})
		}
	}
	return nil, fmt.Errorf("its answer has an unknown mark at unit %d", p.at-1)
}

func (p *surfaceParser) ends(mark uint16) bool {
	if p.at < len(p.in) && p.in[p.at] == mark {
		p.at++
		return true
	}
	return false
}

func (p *surfaceParser) text() (string, error) {
	n := 0
	for ; p.at < len(p.in) && p.in[p.at] >= '0' && p.in[p.at] <= '9' && n <= surfaceUnits; p.at++ {
		n = 10*n + int(p.in[p.at]-'0')
	}
	if p.at >= len(p.in) || p.in[p.at] != ':' || p.at+1+n > len(p.in) {
		return "", fmt.Errorf("its answer breaks off in a text at unit %d", p.at)
	}
	p.at++
	s := string(utf16.Decode(p.in[p.at : p.at+n]))
	p.at += n
	return s, nil
}

// seal takes the secrets out of every text; it asks the page what its password fields
// hold, so it comes before the page is released.
func (s *surface) seal(ctx context.Context, page *collect.Result) {
	texts := []string{s.dom, s.at}
	eachText(s.messages, func(t string) string { texts = append(texts, t); return t })
	clean := page.Seal(ctx, texts)
	s.dom, s.at = clean[0], clean[1]
	next := 2
	s.messages = eachText(s.messages, func(string) string { next++; return clean[next-1] })
}

// eachText calls fn with every text of a value, names of members among them, in order,
// and returns the value with fn's results in their place.
func eachText(v any, fn func(string) string) any {
	switch v := v.(type) {
	case string:
		return fn(v)
	case []any:
		for i := range v {
			v[i] = eachText(v[i], fn)
		}
	case []pair:
		for i := range v {
			v[i].name = fn(v[i].name)
			v[i].value = eachText(v[i].value, fn)
		}
	}
	return v
}

// store makes payloads of what was read. The bytes of the messages are ours, for the page
// holds objects: their values and their order are the page's.
func (s *surface) store(shot *Shot) {
	add := func(media string, body []byte) {
		p := turn.Payload{Dialect: "dddk", Way: turn.Request, Media: media, Wire: true}
		p.Bytes, p.Redacted = redact.Body(body, nil) // fields by their names; the texts are sealed
		shot.Payloads = append(shot.Payloads, p)
	}
	if s.dom != "" {
		add("text/plain; charset=utf-8", []byte(s.dom))
	}
	if s.messages != nil {
		add("application/json", appendValue(nil, s.messages))
	}
	if len(shot.Payloads) > 0 {
		at := "an unknown time"
		if len(s.at) > 0 && len(s.at) < 60 {
			at = strconv.QuoteToGraphic(s.at)
		}
		shot.Lacks = append(shot.Lacks, "what the agent in the page sent is what its __dddkDebug says, of "+at+
			": its last request alone, and nothing proves that it was sent")
	}
}

// appendValue writes a value as JSON.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return text.AppendJSON(b, v)
	case json.Number:
		return append(b, v...)
	case bool:
		return strconv.AppendBool(b, v)
	case []any:
		b = append(b, '[')
		for i, inner := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, inner)
		}
		return append(b, ']')
	case []pair:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(text.AppendJSON(b, m.name), ':')
			b = appendValue(b, m.value)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}
