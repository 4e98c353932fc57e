package ask

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Dialects are those that a model is asked in.
func Dialects() []string {
	return []string{wire.OpenAIChat, wire.OpenAIResponses, wire.Anthropic, wire.Gemini}
}

// Stored is the request to a model that is stored with a turn, the nth payload where several are; nil for none.
func Stored(payloads []turn.Payload, n int) *turn.Payload {
	for i := range payloads {
		p := &payloads[i]
		if p.Way == turn.Request && doctor.Readable(p.Dialect) && (n == 0 || n == i+1) {
			return p
		}
	}
	return nil
}

// Changed fills how the body of a question differs from the recorded request, which may be nil.
func (q *Question) Changed(stored *turn.Payload) {
	if stored == nil {
		return
	}
	d := payload.Diff(&payload.Payload{Dialect: stored.Dialect, Body: stored.Bytes},
		&payload.Payload{Dialect: q.Dialect, Body: q.Body})
	if q.Changes = nil; !d.Same {
		q.Changes = strings.Split(d.Report(), "\n")
	}
}

// Reach sets where to ask in a dialect, "" for the vendor's own address, and with what key, "" for none. A header of
// the key that is there already stays.
func (o *Options) Reach(dialect, endpoint, key string) error {
	if o.Header == nil {
		o.Header = http.Header{}
	}
	if dialect == wire.Anthropic && o.Header.Get("Anthropic-Version") == "" {
		o.Header.Set("Anthropic-Version", "2023-06-01")
	}
	if v := apikey.Of(dialect); key != "" && o.Header.Get(v.Header) == "" {
		o.Header.Set(v.Header, v.Prefix+key)
	}
	if endpoint == "" {
		return nil
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("the endpoint %q: write it as http://HOST or https://HOST, with the path of its API",
			endpoint)
	}
	o.Base = u
	return nil
}

// Host is where a question in a dialect goes: the name of the endpoint's host.
func (o *Options) Host(dialect, model string) (string, error) {
	u, err := address(o.Base, dialect, model)
	if err != nil {
		return "", err
	}
	return u.Host, nil
}
