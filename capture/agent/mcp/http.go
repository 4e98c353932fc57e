package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/refscope/refscope/snapshot/address"
)

// NewToken makes a bearer token: 26 letters and digits of base32, 130 bits from crypto/rand.
func NewToken() string { return rand.Text() }

// newID makes the id of a client's session, which nobody can guess.
func newID() string { return rand.Text() }

// guard passes requests from allowed origins (MCP 2025-11-25, transports,
// security warning):
//
//   - Host is a loopback name, or any with AllowRemote: a page whose own name was pointed
//     at this machine (DNS rebinding) shows in it;
//   - Origin is absent, as it is from programs, or that of a page on this machine with the
//     Host that was called: other pages are refused, and with them what they would send
//     through a person's browser;
//   - the bearer token is the server's. Tokens are compared by their hashes in constant
//     time, so that neither length nor beginning can be found by timing.
func (s *Server) guard(next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(s.opt.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r.Host)
		switch {
		case !s.opt.AllowRemote && !address.IsLoopback(host):
			http.Error(w, "forbidden: this server is called by a loopback name, such as 127.0.0.1",
				http.StatusForbidden)
			return
		case !sameOrigin(r.Header.Values("Origin"), r.Host):
			http.Error(w, "forbidden: pages of other origins may not call this server", http.StatusForbidden)
			return
		}
		got := sha256.Sum256([]byte(bearer(r.Header.Values("Authorization"))))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 || s.opt.Token == "" {
			w.Header().Set("WWW-Authenticate", `Bearer realm="refscope"`)
			http.Error(
				w, "unauthorized: send the token that the server was started with, as Authorization: Bearer TOKEN",
				http.StatusUnauthorized,
			)
			return
		}
		if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" {
			if !s.room() {
				http.Error(w, "too many clients are connected, and all of them are at work: try again later",
					http.StatusServiceUnavailable)
				return
			}
			var came arrival
			r = r.WithContext(context.WithValue(r.Context(), arrivalKey{}, &came))
			defer func() {
				if came.client != nil && w.Header().Get("Mcp-Session-Id") == "" { // it was no client
					s.mu.Lock()
					defer s.mu.Unlock()
					delete(s.waiting, came.client.ID)
				}
			}()
		}
		if r.Method == http.MethodDelete { // the client leaves, and its session would wait for what runs
			s.mu.Lock()
			d := s.clients[r.Header.Get("Mcp-Session-Id")]
			s.mu.Unlock()
			if d != nil {
				d.breakOff()
			}
		}
		next.ServeHTTP(w, r)
	})
}

// sameOrigin reports whether a request is from no page, or from one of the host it calls.
func sameOrigin(origins []string, host string) bool {
	if len(origins) == 0 {
		return true
	}
	if len(origins) > 1 {
		return false
	}
	u, err := url.Parse(origins[0])
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.EqualFold(u.Host, host)
}

// bearer is the token of the one Authorization header, "" for none.
func bearer(headers []string) string {
	if len(headers) != 1 {
		return ""
	}
	scheme, token, ok := strings.Cut(headers[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// hostOf is the name in HOST or HOST:PORT, without the brackets of an IPv6 address.
func hostOf(hostport string) string {
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		return h
	}
	return strings.Trim(hostport, "[]")
}
