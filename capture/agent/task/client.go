package task

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/loopback"
)

// Bounds of what goes over the wire.
const (
	requestTimeout = time.Minute
	tries          = 3 // of one request
	retryPause     = 500 * time.Millisecond
	maxPause       = 10 * time.Second
	maxHops        = 3 // redirects on the same host
)

// endpointError is a request that brought no answer that can be read.
type endpointError struct {
	// Kind is timeout, network, status, redirect, type, size.
	Kind   string
	Status int // of HTTP, 0 where no answer came
	Why    string
	// Body is the beginning of the body received instead, at most 64 KiB.
	Body  []byte
	Media string
	after time.Duration // the wait that it asks for, 0 for none
	err   error
}

func (e *endpointError) Error() string { return "the endpoint " + e.Why }

func (e *endpointError) Unwrap() error { return e.err }

// again reports whether the same request may go better in a moment.
func (e *endpointError) again() bool {
	switch e.Kind {
	case "timeout", "network", "type", "size":
		return true
	case "status":
		return e.Status >= 500 || e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout
	}
	return false
}

// client sends requests to one endpoint.
type client struct {
	http    *http.Client
	url     string
	headers http.Header
	timeout time.Duration
}

// CheckEndpoint returns what is wrong with the address of an endpoint, nil for one that can
// be used.
func CheckEndpoint(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("the endpoint's address cannot be read: %w", errors.Unwrap(err))
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("the endpoint's address must begin with http:// or https:// and name a host")
	case u.User != nil:
		return errors.New("the endpoint's address holds a password: send it in a header")
	case u.Fragment != "":
		return errors.New("the endpoint's address has a fragment, which is never sent")
	}
	return nil
}

// CheckHeader returns what is wrong with a header that is sent along.
func CheckHeader(name, value string) error {
	const token = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" // RFC 9110, 5.6.2
	switch {
	case name == "" || strings.Trim(name, token) != "":
		return fmt.Errorf("%s is not a name of a header", quoted(name))
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return fmt.Errorf("the value of header %s has a control character in it", name)
	}
	switch http.CanonicalHeaderKey(name) {
	case "Content-Type", "Content-Length", "Host", "Connection", "Transfer-Encoding", "Accept-Encoding":
		return fmt.Errorf("header %s is the client's own", name)
	}
	return nil
}

func newClient(o Options) (*client, error) {
	if err := CheckEndpoint(o.Endpoint); err != nil {
		return nil, err
	}
	for name, values := range o.Headers {
		for _, v := range values {
			if err := CheckHeader(name, v); err != nil {
				return nil, err
			}
		}
	}
	c := &client{url: o.Endpoint, headers: o.Headers, timeout: o.RequestTimeout}
	if c.timeout <= 0 {
		c.timeout = requestTimeout
	}
	transport := loopback.Transport()
	transport.MaxResponseHeaderBytes = 64 << 10
	c.http = &http.Client{Transport: transport, CheckRedirect: sameHost}
	return c, nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// sameHost follows a redirect that keeps method and body and stays on the host.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case req.URL.Host != first.URL.Host || req.URL.Scheme != first.URL.Scheme:
		return &endpointError{
			Kind: "redirect",
			Why: "redirects to another host, " + quoted(
				req.URL.Scheme+"://"+req.URL.Host,
			) + ": nothing is sent there; name that endpoint if it is meant",
		}
	case req.Method != first.Method:
		return &endpointError{
			Kind: "redirect",
			Why:  "redirects in a way that loses the request (301 to 303): it must answer 307 or 308, or itself",
		}
	case len(via) > maxHops:
		return &endpointError{Kind: "redirect", Why: fmt.Sprintf("redirects more than %d times", maxHops)}
	}
	return nil
}

// post sends a body once and gives the answer's bytes, and how many bytes came.
func (c *client) post(ctx context.Context, body []byte) ([]byte, error) {
	in, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(in, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	for name, values := range c.headers {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return nil, c.failed(ctx, in, err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil && res.StatusCode == http.StatusOK {
		return nil, c.failed(ctx, in, err)
	}
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")) // one that cannot be read is none
	e := &endpointError{
		Status: res.StatusCode, Body: data[:min(len(data), 64<<10)], Media: media, after: retryAfter(res.Header),
	}
	switch {
	case res.StatusCode < 200 || res.StatusCode > 299:
		e.Kind, e.Why = "status", fmt.Sprintf("answers %d %s", res.StatusCode, http.StatusText(res.StatusCode))
	case len(data) > maxAnswer:
		e.Kind, e.Why = "size", fmt.Sprintf("answers with more than %d bytes", maxAnswer)
	case media != "" && media != "application/json" && media != "text/plain" && !strings.HasSuffix(media, "+json"):
		e.Kind, e.Why = "type", "answers with "+quoted(media)+", not with JSON"
	default:
		return data, nil
	}
	return nil, e
}

// failed words the error of a request that brought no answer.
func (c *client) failed(ctx, in context.Context, err error) error {
	var e *endpointError
	switch {
	case errors.As(err, &e):
		return e
	case ctx.Err() != nil:
		return ctx.Err()
	case in.Err() != nil:
		return &endpointError{Kind: "timeout", Why: fmt.Sprintf("did not answer within %s", c.timeout), err: err}
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address, which may hold a token
	}
	return &endpointError{Kind: "network", Why: "cannot be reached: " + err.Error(), err: err}
}

// retryAfter is how long an endpoint asks to wait, in seconds; a date is not looked at.
func retryAfter(h http.Header) time.Duration {
	s, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || s < 0 {
		return 0
	}
	return min(time.Duration(s)*time.Second, maxPause)
}

// pause is how long is waited before the nth further try, from 0.
func (e *endpointError) pause(first time.Duration, n int) time.Duration {
	if first <= 0 {
		first = retryPause
	}
	return min(max(first<<n, e.after), maxPause)
}
