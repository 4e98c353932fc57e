package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// Cookie is a cookie of the browser. As JSON it is as a listing shows it.
type Cookie struct {
	Name     string        `json:"name"`
	Value    string        `json:"value"`
	URL      string        `json:"-"` // to set one for, instead of Domain and Path; "" in lists
	Domain   string        `json:"domain"`
	Path     string        `json:"path"`
	Expires  time.Time     `json:"expires,omitzero"` // zero: it ends with the browser
	In       time.Duration `json:"-"`                // to set one that expires so long from now
	HTTPOnly bool          `json:"httpOnly,omitempty"`
	Secure   bool          `json:"secure,omitempty"`
	SameSite string        `json:"sameSite,omitempty"` // Strict, Lax, None, or "" for what the server left open

	partition *network.CookiePartitionKey
}

// Cookies lists the cookies that the addresses would be sent; those of the page and its
// frames without any.
func (t *Tab) Cookies(ctx context.Context, urls []string) ([]Cookie, error) {
	res, err := cdp.Call(ctx, t.session, network.GetCookies, network.GetCookiesParams{URLs: urls})
	if err != nil {
		return nil, fmt.Errorf("reading the cookies: %w", err)
	}
	out := make([]Cookie, 0, len(res.Cookies))
	for _, c := range res.Cookies {
		k := Cookie{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly,
			Secure:   c.Secure,
			SameSite: string(c.SameSite), partition: c.PartitionKey}
		if !c.Session && c.Expires > 0 {
			k.Expires = time.UnixMilli(int64(c.Expires * 1000))
		}
		out = append(out, k)
	}
	return out, nil
}

// SetCookies sets cookies; one without address and domain is for the page.
func (t *Tab) SetCookies(ctx context.Context, list []Cookie) error {
	info, err := t.Info(ctx)
	if err != nil {
		return err
	}
	params := network.SetCookiesParams{}
	for _, c := range list {
		p := &network.CookieParam{Name: c.Name, Value: c.Value, URL: c.URL, Domain: c.Domain, Path: c.Path,
			HTTPOnly: c.HTTPOnly, Secure: c.Secure, SameSite: network.CookieSameSite(c.SameSite)}
		if p.URL == "" && p.Domain == "" {
			if !strings.HasPrefix(info.URL, "http") {
				return fmt.Errorf("cookie %s: the page at %.100s has no cookies: name its url or domain",
					c.Name, info.URL)
			}
			p.URL = info.URL
		}
		until := c.Expires
		if c.In > 0 {
			until = time.Now().Add(c.In)
		}
		if !until.IsZero() {
			p.Expires = cdp.TimeSinceEpoch(float64(until.UnixMilli()) / 1000)
		}
		params.Cookies = append(params.Cookies, p)
	}
	if err := call(ctx, t.session, network.SetCookies, params); err != nil {
		if reply, ok := errors.AsType[*cdproto.Error](err); ok {
			return fmt.Errorf("the browser does not take the cookies (%s): check domain, secure and sameSite",
				reply.Message)
		}
		return fmt.Errorf("setting the cookies: %w", err)
	}
	return nil
}

// DeleteCookie removes a cookie of [Tab.Cookies].
func (t *Tab) DeleteCookie(ctx context.Context, c Cookie) error {
	err := call(ctx, t.session, network.DeleteCookies, network.DeleteCookiesParams{Name: c.Name, Domain: c.Domain,
		Path: c.Path, PartitionKey: c.partition})
	if err != nil {
		return fmt.Errorf("removing the cookie %s: %w", c.Name, err)
	}
	return nil
}
