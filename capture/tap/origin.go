package tap

import (
	"net/http"
	"net/url"
	"slices"
)

// admit refuses a request from a page, unless its origin was named: a page would use the agent's way to its vendor. It
// reports whether the request goes on; a preflight of a named origin is answered here.
func (t *Tap) admit(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	switch {
	case origin == "":
		return true
	case !slices.Contains(t.opt.Origins, origin):
		http.Error(w, "refscope tap: pages may not call it, but those of an origin that --allow-origin names",
			http.StatusForbidden)
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Expose-Headers", "*")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return true
	}
	h.Set("Access-Control-Allow-Methods", r.Header.Get("Access-Control-Request-Method"))
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
	}
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	w.WriteHeader(http.StatusNoContent)
	return false
}

// corsHeaders are those that an answer of the vendor must not bring twice where the tap gives its own.
var corsHeaders = []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials",
	"Access-Control-Expose-Headers"}

// named reports whether a page at this address is of an origin that was named: what its scripts ask of models by
// themselves is an agent's.
func (t *Tap) named(page string) bool {
	u, err := url.Parse(page)
	return err == nil && slices.Contains(t.opt.Origins, u.Scheme+"://"+u.Host)
}
