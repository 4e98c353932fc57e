package importer

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

// A HAR file (HTTP Archive 1.2, http://www.softwareishard.com/blog/har-12-spec/), as browsers'
// tools, mitmproxy and this program write it:
//
//	{"log": {"version", "creator": {"name", "version"}, "entries": [
//	   {"startedDateTime", "time": ms,
//	    "request":  {"method", "url", "headers": [{"name", "value"}], "postData": {"mimeType", "text"}},
//	    "response": {"status", "headers", "content": {"mimeType", "text", "encoding": "base64"}},
//	    "timings":  {"send", "wait", "receive": ms}, "comment"}]}}
//
// Entries that ask a model, by method and path, become turns; others are counted.

// harEntry is one entry.
type harEntry struct {
	Started  string  `json:"startedDateTime"`
	Time     float64 `json:"time"`
	Comment  string  `json:"comment"`
	Refscope struct {
		Upstream string `json:"upstream"`
	} `json:"_refscope"`
	Request struct {
		Method  string    `json:"method"`
		URL     string    `json:"url"`
		Headers []harPair `json:"headers"`
		Cookies []harPair `json:"cookies"`
		Post    struct {
			Media    string `json:"mimeType"`
			Text     string `json:"text"`
			Encoding string `json:"encoding"` // of mitmproxy, and of ours
		} `json:"postData"`
		Size float64 `json:"bodySize"`
	} `json:"request"`
	Response struct {
		Status  int       `json:"status"`
		Headers []harPair `json:"headers"`
		Cookies []harPair `json:"cookies"`
		Content struct {
			Media    string  `json:"mimeType"`
			Text     *string `json:"text"`
			Encoding string  `json:"encoding"`
		} `json:"content"`
		Size  float64 `json:"bodySize"`
		Error string  `json:"_error"` // of Chrome, and of ours
	} `json:"response"`
	Timings struct {
		Send, Wait, Receive float64
	} `json:"timings"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// credentials are the values of headers and cookies that let their holder in.
func (e *harEntry) credentials() []redact.Secret {
	headers := map[string][]string{}
	for _, h := range slices.Concat(e.Request.Headers, e.Response.Headers) {
		name := textproto.CanonicalMIMEHeaderKey(h.Name)
		headers[name] = append(headers[name], h.Value)
	}
	for _, c := range slices.Concat(e.Request.Cookies, e.Response.Cookies) {
		headers["Cookie"] = append(headers["Cookie"], c.Name+"="+c.Value)
	}
	var query url.Values
	if u, err := url.Parse(e.Request.URL); err == nil {
		query = u.Query()
	}
	return exchange.Credentials(headers, query)
}

// eachHAREntry decodes the entries one by one.
func eachHAREntry(ctx context.Context, r io.ReaderAt, size int64, rep *Report,
	fn func(n int, e *harEntry) error) error {
	at := func(path string) visit {
		switch path {
		case "", "log", "log.entries":
			return enter
		case "log.entries[]", "log.creator":
			return take
		}
		return skip
	}
	n := 0
	err := eachValue(io.NewSectionReader(r, 0, size), at, func(path string, raw json.RawMessage) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if path == "log.creator" {
			var c struct{ Name, Version string }
			if json.Unmarshal(raw, &c) == nil && c.Name != "" {
				rep.Tool = text.Line(cut(c.Name+" "+c.Version, 80)) + " (HAR)"
			}
			return nil
		}
		n++
		var e harEntry
		var wrongType *json.UnmarshalTypeError
		if err := json.Unmarshal(raw, &e); errors.As(err, &wrongType) {
			rep.damaged("members", "entry %d: %s is a %s: it is left out", n, text.Line(cut(wrongType.Field, 100)),
				wrongType.Value)
		} else if err != nil {
			rep.damaged("entries", "entry %d: %v", n, err)
			return nil
		}
		return fn(n, &e)
	})
	if errors.Is(err, errJSON) {
		rep.damaged("ends", "the file is %v: the %d entries before are read", err, n)
		err = nil
	}
	return err
}

func readHAR(ctx context.Context, r io.ReaderAt, size int64, rep *Report, out *recording) error {
	rep.Tool = "HAR"
	for _, l := range []string{noPage, unredactedPictures,
		"a HAR file has no bytes of the wire: bodies are as they were after their encoding was taken off, and text " +
			"in UTF-8"} {
		rep.lacks(l)
	}
	// Secrets first: a key that is sent late may stand in an early body.
	var secrets []redact.Secret
	err := eachHAREntry(ctx, r, size, &Report{}, func(_ int, e *harEntry) error {
		for _, s := range e.credentials() {
			if len(secrets) < 1_000 {
				secrets = redact.Add(secrets, s)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	others := 0
	err = eachHAREntry(ctx, r, size, rep, func(n int, e *harEntry) error {
		u, err := url.Parse(e.Request.URL)
		if err != nil || e.Request.Method != "POST" || !e.asksModel(u) {
			others++
			return nil
		}
		return out.add(e.asked(n, u, secrets, rep))
	})
	if others > 0 {
		rep.damaged("others", "%s no model: left out", text.Count(others, "entry asks", "entries ask"))
	}
	return err
}

// asksModel reports whether an entry asks a model. Many a site has something else at the paths of Ollama and Gemini's
// interactions.
func (e *harEntry) asksModel(u *url.URL) bool {
	dialect := wire.DialectOf(u.Path)
	if post := e.Request.Post; (dialect == wire.Ollama || dialect == wire.Interactions) && post.Text != "" &&
		post.Encoding == "" {
		r, err := wire.ReadRequest(dialect, []byte(post.Text))
		return err == nil && r.Model != ""
	}
	return dialect != wire.Other
}

// asked is the request of an entry.
func (e *harEntry) asked(n int, u *url.URL, secrets []redact.Secret, rep *Report) asked {
	a := asked{secrets: secrets, note: e.Comment}
	body := func(what, content, encoding string) []byte {
		if encoding != "base64" {
			return []byte(content)
		}
		out, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			rep.damaged("bodies", "entry %d: its %s is no base64", n, what)
			a.lacks = append(a.lacks, "its "+what+" is no base64 and could not be read")
		}
		return out
	}
	a.bodies = exchange.Bodies{Wire: true, Recorded: true,
		RequestMedia: e.Request.Post.Media, AnswerMedia: e.Response.Content.Media,
		Request: body("request", e.Request.Post.Text, e.Request.Post.Encoding)}
	if len(a.bodies.Request) == 0 {
		a.lacks = append(a.lacks, "the file does not have the body of the request")
	}
	if e.Response.Content.Text != nil {
		a.bodies.Answer = body("answer", *e.Response.Content.Text, e.Response.Content.Encoding)
	} else if e.Response.Status != 0 {
		a.lacks = append(a.lacks, "the file does not have the body of the answer")
	}
	ms := func(f float64) float64 { return max(finite(f), 0) }
	a.e = exchange.Exchange{Upstream: upstreamOf(u.Host), Method: "POST", URL: e.Request.URL,
		Dialect: wire.DialectOf(u.Path),
		Began:   timeOf(e.Started), Sent: ms(e.Timings.Send), Ended: ms(e.Time),
		Status: max(min(e.Response.Status, 999), 0), Error: text.Start(text.Line(e.Response.Error), 300),
		RequestBytes: int64(max(finite(e.Request.Size), 0)), AnswerBytes: int64(max(finite(e.Response.Size), 0))}
	if e.Refscope.Upstream != "" {
		a.e.Upstream = e.Refscope.Upstream
	}
	if e.Timings.Wait > 0 {
		a.e.FirstByte = ms(e.Timings.Send) + ms(e.Timings.Wait)
	}
	for _, h := range e.Response.Headers {
		switch textproto.CanonicalMIMEHeaderKey(h.Name) {
		case "Retry-After":
			a.e.RetryAfter = text.Start(text.Line(h.Value), 100)
		case "Content-Encoding":
			a.e.Encoding = text.Start(text.Line(h.Value), 100)
		}
	}
	return a
}

// upstreamOf names who was asked, as the tap does: a vendor by its host, else the host.
func upstreamOf(host string) string {
	switch host {
	case "api.openai.com":
		return "openai"
	case "api.anthropic.com":
		return "anthropic"
	case "generativelanguage.googleapis.com":
		return "gemini"
	}
	return fmt.Sprint("compat/", strings.ToLower(cut(host, 200)))
}
