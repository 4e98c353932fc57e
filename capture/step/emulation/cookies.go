package emulation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/redact"
)

// CookieSteps is the step about cookies (C-21).
func CookieSteps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(cookies, stepdef.StepDef{
			Name: "cookies", Summary: "read, set or clear cookies",
			Forms: []param.Form{
				{`{"get":true}`, "those of the page and its frames; values that open a session are withheld"},
				{`{"get":["https://example.com/"],"name":"theme"}`,
					"those that these addresses would be sent, of one name"},
				{`{"set":[{"name":"theme","value":"dark"}]}`,
					"for the page; with domain, path, url, expires (seconds since 1970, or 30m, 2h, 7d), httpOnly, " +
						"secure, sameSite"},
				{`{"clear":true}`, "those of the page and its frames"},
				{`{"clear":["theme"],"domain":"example.com"}`, "by name, of a domain"},
			},
		}),
	}
}

type cookieParams struct {
	Get    *trueOrNames `json:"get,omitempty" what:"true: those of the page; or addresses"`
	Set    []cookieSet  `json:"set,omitempty" item:"cookie" what:"cookies to set"`
	Clear  *trueOrNames `json:"clear,omitempty" what:"true: those of the page; or names"`
	Name   string       `json:"name,omitempty" what:"only those of this name"`
	Domain string       `json:"domain,omitempty" what:"only those of this domain"`
}

// trueOrNames is true, or a list.
type trueOrNames struct {
	_     struct{} `form:"true" want:"true or a list"`
	Names []string `json:"-" form:"array"`
}

// CheckParams refuses a list that is empty.
func (n *trueOrNames) CheckParams() error {
	if n.Names != nil && len(n.Names) == 0 {
		return errors.New("the list is empty: write true for all of the page")
	}
	return nil
}

type cookieSet struct {
	Name     string          `json:"name" required:"" what:"its name"`
	Value    string          `json:"value" secret:"" what:"its value"`
	URL      string          `json:"url,omitempty" what:"the address that it is for"`
	Domain   string          `json:"domain,omitempty" what:"its domain"`
	Path     string          `json:"path,omitempty" what:"its path"`
	Expires  json.RawMessage `json:"expires,omitempty" what:"seconds since 1970, a time, or 30m, 2h, 7d, 4w from now"`
	HTTPOnly bool            `json:"httpOnly,omitempty" what:"no script reads it"`
	Secure   bool            `json:"secure,omitempty" what:"only over https"`

	SameSite string `json:"sameSite,omitempty" choices:"Strict,Lax,None" fold:"" what:"for requests of other sites"`

	cookie browser.Cookie
}

// CheckParams refuses what is not one of get, set and clear.
func (p *cookieParams) CheckParams() error {
	switch {
	case param.Count(p.Get != nil, p.Set != nil, p.Clear != nil) != 1:
		return errors.New("give one of get, set and clear")
	case p.Get != nil:
		for _, u := range p.Get.Names {
			if at, err := url.Parse(u); err != nil || at.Host == "" {
				return fmt.Errorf("get: %q is not an address such as https://example.com/", u)
			}
		}
	case p.Set != nil && (p.Name != "" || p.Domain != ""):
		return errors.New("set takes name and domain in each cookie")
	case p.Set != nil && len(p.Set) == 0:
		return errors.New("set: name at least one cookie")
	}
	return nil
}

func cookies(ctx context.Context, e *stepdef.Env, p *cookieParams) (any, error) {
	switch {
	case p.Get != nil:
		return getCookies(ctx, e, p)
	case p.Clear != nil:
		return clearCookies(ctx, e, p)
	}
	list := make([]browser.Cookie, len(p.Set))
	for i := range p.Set {
		list[i] = p.Set[i].cookie
	}
	if err := e.Page.Tab().SetCookies(ctx, list); err != nil {
		return nil, err
	}
	return map[string]any{"set": len(list)}, nil
}

// CheckParams makes the cookie, and refuses a time that is none.
func (c *cookieSet) CheckParams() error {
	c.cookie = browser.Cookie{
		Name: c.Name, Value: c.Value, URL: c.URL, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly,
		Secure: c.Secure, SameSite: c.SameSite,
	}
	switch param.Shape(c.Expires) {
	case "null":
		return nil
	case "number":
		var at float64
		if err := json.Unmarshal(c.Expires, &at); err != nil || at <= 0 || at > 1e11 {
			return fmt.Errorf("expires: %s: want seconds since 1970", c.Expires)
		}
		c.cookie.Expires = time.UnixMilli(int64(at * 1000))
		return nil
	case "string":
		var in string
		if err := json.Unmarshal(c.Expires, &in); err != nil {
			return fmt.Errorf("expires: %w", err)
		}
		if at, err := time.Parse(time.RFC3339, in); err == nil {
			c.cookie.Expires = at
			return nil
		}
		units := map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
			"w": 7 * 24 * time.Hour}
		for suffix, unit := range units {
			if rest, ok := strings.CutSuffix(in, suffix); ok {
				if n, err := strconv.Atoi(rest); err == nil && n > 0 && n < 100_000 && strconv.Itoa(n) == rest {
					c.cookie.In = time.Duration(n) * unit
					return nil
				}
			}
		}
		return fmt.Errorf("expires: %q: want 30m, 2h, 7d, 4w, a time as 2026-12-31T23:59:00Z, or seconds since 1970",
			in)
	}
	return fmt.Errorf("expires: %w", param.ErrShape(c.Expires, "a number or a string"))
}

func getCookies(ctx context.Context, e *stepdef.Env, p *cookieParams) (any, error) {
	list, err := e.Page.Tab().Cookies(ctx, p.Get.Names)
	if err != nil {
		return nil, err
	}
	red := redact.Standard()
	out := []browser.Cookie{}
	for _, c := range list {
		if p.Name != "" && c.Name != p.Name || p.Domain != "" && !inDomain(c.Domain, p.Domain) {
			continue
		}
		c.Expires = c.Expires.UTC().Truncate(time.Second)
		if !e.Collect.AllowSecrets {
			c.Value = veilCookie(red, &c)
		}
		out = append(out, c)
	}
	return map[string]any{"count": len(out), "cookies": out}, nil
}

// veilCookie redacts a cookie's value. The cookie of a session gives access to the
// session (B-11), so what no script of the page may read is withheld,
// and so is what is named like a key, or looks like one.
func veilCookie(red *redact.Redactor, c *browser.Cookie) string {
	secret := c.HTTPOnly || redact.SecretName(c.Name, redact.InQuery) != ""
	name := strings.ToLower(c.Name)
	for _, word := range []string{"sess", "sid", "auth", "login", "user", "account", "key", "code"} { // who it is
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
// others of a browser that may be the user's own.
func clearCookies(ctx context.Context, e *stepdef.Env, p *cookieParams) (any, error) {
	names := p.Clear.Names
	if p.Name != "" {
		names = append(names, p.Name)
	}
	list, err := e.Page.Tab().Cookies(ctx, nil)
	if err != nil {
		return nil, err
	}
	gone := []string{}
	for _, c := range list {
		if len(names) > 0 && !slices.Contains(names, c.Name) || p.Domain != "" && !inDomain(c.Domain, p.Domain) {
			continue
		}
		if err := e.Page.Tab().DeleteCookie(ctx, c); err != nil {
			return nil, err
		}
		gone = append(gone, c.Name)
	}
	return map[string]any{"cleared": len(gone), "names": gone}, nil
}
