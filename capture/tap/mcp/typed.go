package mcp

import (
	"encoding/json"
	"slices"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/wire"
)

// typed are the values that a call types into fields whose content is withheld, such as a password's: they stand in
// the call before any page holds them.
func (r *Recorder) typed(a *wire.Answer, pages []tap.Page) []redact.Secret {
	if a == nil {
		return nil
	}
	var out []redact.Secret
	for _, p := range pages {
		if p.Capture == nil || !slices.ContainsFunc(p.Capture.Nodes, secretField) {
			continue
		}
		made := tie.New(p.Capture)
		refs := map[string]bool{} // of fields with secrets
		if r.listed != nil {
			now := r.listed.Again()
			made.Tie(now)
			for _, l := range now.Lines {
				if n := made.Tree().Node(l.Node); l.Ref != "" && n != nil && secretField(*n) {
					refs[l.Ref] = true
				}
			}
		}
		secret := func(ref string) bool {
			node, _ := made.Held(ref)
			n := made.Tree().Node(node)
			return refs[ref] || n != nil && secretField(*n)
		}
		for _, c := range a.Calls {
			var v any
			if json.Unmarshal(c.Arguments, &v) == nil {
				out = append(out, typedIn(v, secret)...)
			}
		}
	}
	return out
}

// secretField reports whether what an element holds is withheld.
func secretField(n snapshot.Node) bool {
	return n.Tag == "input" && n.Attr("type") == "password" || slices.Contains(n.Redacted, "value")
}

// typedIn are the texts that stand in an object beside the ref of an element with a secret.
func typedIn(v any, secret func(ref string) bool) []redact.Secret {
	var out []redact.Secret
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			out = append(out, typedIn(one, secret)...)
		}
	case map[string]any:
		held := false
		for key, value := range v {
			s, text := value.(string)
			held = held || text && wire.HoldsElement(key) && secret(s)
			out = append(out, typedIn(value, secret)...)
		}
		for _, key := range []string{"text", "value", "content", "input"} {
			if s, ok := v[key].(string); ok && held && s != "" {
				out = append(out, redact.Secret{Value: s, Why: "password"})
			}
		}
	}
	return out
}
