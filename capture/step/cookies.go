package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/redact"
)

// cookieKinds is the step about cookies (C-21).
func cookieKinds() []Kind {
	return []Kind{
		{Name: "cookies", Summary: "read, set or clear cookies", parse: parseCookies, Forms: []Form{
			{`{"get":true}`, "those of the page and its frames; values that open a session are withheld"}, {`{"get":["https://example.com/"],"name":"theme"}`, "those that these addresses would be sent, of one name"},
			{`{"set":[{"name":"theme","value":"dark"}]}`, "for the page; with domain, path, url, expires (seconds since 1970, or 30m, 2h, 7d), httpOnly, secure, sameSite"},
			{`{"clear":true}`, "those of the page and its frames"}, {`{"clear":["theme"],"domain":"example.com"}`, "by name, of a domain"},
		}},
	}
}

type cookieParams struct {
	Get    json.RawMessage `json:"get,omitempty"`
	Set    []cookieSet     `json:"set,omitempty"`
	Clear  json.RawMessage `json:"clear,omitempty"`
	Name   string          `json:"name,omitempty"`
	Domain string          `json:"domain,omitempty"`
}

type cookieSet struct {
	Name     string          `json:"name"`
	Value    string          `json:"value"`
	URL      string          `json:"url,omitempty"`
	Domain   string          `json:"domain,omitempty"`
	Path     string          `json:"path,omitempty"`
	Expires  json.RawMessage `json:"expires,omitempty"`
	HTTPOnly bool            `json:"httpOnly,omitempty"`
	Secure   bool            `json:"secure,omitempty"`
	SameSite string          `json:"sameSite,omitempty"` // Strict, Lax, None
}

// shownCookie is a cookie in an answer.
type shownCookie struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Domain   string `json:"domain"`
	Path     string `json:"path"`
	Expires  string `json:"expires,omitempty"` // RFC 3339; "" ends with the browser
	HTTPOnly bool   `json:"httpOnly,omitempty"`
	Secure   bool   `json:"secure,omitempty"`
	SameSite string `json:"sameSite,omitempty"`
}

func parseCookies(raw json.RawMessage) (Work, error) {
	var p cookieParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	n := 0
	for _, is := range []bool{p.Get != nil, p.Set != nil, p.Clear != nil} {
		if is {
			n++
		}
	}
	if n != 1 {
		return nil, errors.New("give one of get, set and clear")
	}
	switch {
	case p.Get != nil:
		urls, err := trueOrList("get", p.Get)
		if err != nil {
			return nil, err
		}
		for _, u := range urls {
			if at, err := url.Parse(u); err != nil || at.Host == "" {
				return nil, fmt.Errorf("get: %q is no address such as https://example.com/", u)
			}
		}
		return func(ctx context.Context, r *Runner) (any, error) { return r.getCookies(ctx, urls, p) }, nil
	case p.Clear != nil:
		names, err := trueOrList("clear", p.Clear)
		if err != nil {
			return nil, err
		}
		if p.Name != "" {
			names = append(names, p.Name)
		}
		return func(ctx context.Context, r *Runner) (any, error) { return r.clearCookies(ctx, names, p.Domain) }, nil
	}
	if p.Name != "" || p.Domain != "" {
		return nil, errors.New("set takes name and domain in each cookie")
	}
	list := make([]browser.Cookie, len(p.Set))
	for i, c := range p.Set {
		var err error
		if list[i], err = c.cookie(); err != nil {
			return nil, fmt.Errorf("set: cookie %d: %w", i+1, err)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("set: name at least one cookie")
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		if err := r.page.Tab().SetCookies(ctx, list); err != nil {
			return nil, err
		}
		return map[string]any{"set": len(list)}, nil
	}, nil
}

// trueOrList reads true as no names.
func trueOrList(what string, raw json.RawMessage) ([]string, error) {
	if string(raw) == "true" {
		return nil, nil
	}
	var list []string
	if shape(raw) != "array" {
		return nil, fmt.Errorf("%s: %w", what, errShape(raw, "true or a list"))
	}
	if err := decode(raw, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: the list is empty: write true for all of the page", what)
	}
	return list, nil
}

func (c *cookieSet) cookie() (browser.Cookie, error) {
	out := browser.Cookie{Name: c.Name, Value: c.Value, URL: c.URL, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure}
	if c.Name == "" {
		return out, errors.New("name is missing")
	}
	if c.SameSite != "" {
		known := []string{"Strict", "Lax", "None"}
		i := slices.IndexFunc(known, func(s string) bool { return strings.EqualFold(s, c.SameSite) })
		if i < 0 {
			return out, unknown("sameSite", c.SameSite, known)
		}
		out.SameSite = known[i]
	}
	if c.Expires == nil {
		return out, nil
	}
	switch shape(c.Expires) {
	case "number":
		var at float64
		if err := decode(c.Expires, &at); err != nil {
			return out, err
		}
		if at <= 0 || at > 1e11 {
			return out, fmt.Errorf("expires: %g: want seconds since 1970", at)
		}
		out.Expires = time.UnixMilli(int64(at * 1000))
	case "string":
		var in string
		if err := decode(c.Expires, &in); err != nil {
			return out, err
		}
		if at, err := time.Parse(time.RFC3339, in); err == nil {
			out.Expires = at
			return out, nil
		}
		for suffix, unit := range map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
			var n int
			if rest, ok := strings.CutSuffix(in, suffix); ok {
				if _, err := fmt.Sscanf(rest, "%d", &n); err == nil && n > 0 && n < 100_000 && fmt.Sprint(n) == rest {
					out.In = time.Duration(n) * unit
					return out, nil
				}
			}
		}
		return out, fmt.Errorf("expires: %q: want 30m, 2h, 7d, 4w, a time as 2026-12-31T23:59:00Z, or seconds since 1970", in)
	default:
		return out, errShape(c.Expires, "a number or a string")
	}
	return out, nil
}

func (r *Runner) getCookies(ctx context.Context, urls []string, p cookieParams) (any, error) {
	list, err := r.page.Tab().Cookies(ctx, urls)
	if err != nil {
		return nil, err
	}
	red := redact.Standard()
	out := []shownCookie{}
	for _, c := range list {
		if p.Name != "" && c.Name != p.Name || p.Domain != "" && !inDomain(c.Domain, p.Domain) {
			continue
		}
		s := shownCookie{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: c.SameSite}
		if !c.Expires.IsZero() {
			s.Expires = c.Expires.UTC().Format(time.RFC3339)
		}
		if !r.opt.Collect.AllowSecrets {
			s.Value = veilCookie(red, &c)
		}
		out = append(out, s)
	}
	return map[string]any{"count": len(out), "cookies": out}, nil
}

// veilCookie is what may be told of a cookie's value. Whoever has the cookie of a
// session has the session (B-11), so what no script of the page may read is withheld,
// and so is what is named like a key, or looks like one.
func veilCookie(red *redact.Redactor, c *browser.Cookie) string {
	name := strings.ToLower(c.Name)
	secret := c.HTTPOnly
	for _, word := range []string{"sess", "sid", "auth", "token", "jwt", "csrf", "xsrf", "secret", "key", "login", "user", "account", "pass", "otp", "code", "card"} {
		secret = secret || strings.Contains(name, word)
	}
	if secret || len(c.Value) >= 24 && !strings.Contains(c.Value, " ") && strings.ContainsAny(c.Value, "0123456789") {
		return fmt.Sprintf("[redacted: cookie, %d characters]", len([]rune(c.Value)))
	}
	return red.Clean(c.Value)
}

// inDomain reports whether a cookie of the one domain is of the other or one below it.
func inDomain(cookie, domain string) bool {
	cookie, domain = strings.ToLower(strings.TrimPrefix(cookie, ".")), strings.ToLower(strings.TrimPrefix(domain, "."))
	return cookie == domain || strings.HasSuffix(cookie, "."+domain)
}

// clearCookies removes cookies that the page or its frames would be sent: never the
// others of a browser that may be somebody's own.
func (r *Runner) clearCookies(ctx context.Context, names []string, domain string) (any, error) {
	list, err := r.page.Tab().Cookies(ctx, nil)
	if err != nil {
		return nil, err
	}
	gone := []string{}
	for _, c := range list {
		if len(names) > 0 && !slices.Contains(names, c.Name) || domain != "" && !inDomain(c.Domain, domain) {
			continue
		}
		if err := r.page.Tab().DeleteCookie(ctx, c); err != nil {
			return nil, err
		}
		gone = append(gone, c.Name)
	}
	return map[string]any{"cleared": len(gone), "names": gone}, nil
}
