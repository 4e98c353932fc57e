package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/refscope/refscope/profiles"
)

// newProfile prints a first profile for a site, filled in from the page where it can be
// captured, or writes it where there is none.
func (a *app) newProfile(ctx context.Context, args []string, f profileFlags) error {
	if f.strict && !f.save {
		return usagef("profile new: --strict is about what --save writes")
	}
	target := args[0]
	l := a.live()
	defer l.close()
	c, failed := l.capture(ctx, target, "profile new")
	_, recorded := a.recorded(target)
	recorded = recorded || isCapture(target)
	if failed != nil && (recorded || ctx.Err() != nil) {
		return failed
	}
	address := target
	switch to, err := resolve(target); {
	case failed == nil && !recorded && err == nil && to.Path != "":
		address = "127.0.0.1" // its port is another one each time
	case failed == nil:
		address = c.URL
	case err != nil || to.Path != "":
		return failed // nothing tells the domain
	}
	domain, err := profiles.Domain(address)
	if err != nil {
		return err
	}
	var text, why string
	if failed == nil {
		text = profiles.FromPage(domain, time.Now(), c)
	} else {
		text, why = profiles.Template(domain, time.Now()), visible(failed.Error())
		a.remark("the regions are left to you, as the page could not be captured: %s", why)
	}
	if f.save {
		if _, err := a.profiles().Load(domain); err == nil {
			return fmt.Errorf("there is a profile of %s already: see profile show %s, and change it with profile write", domain, domain)
		}
		f.base = "none"
		return a.saveProfile(ctx, domain, text, f)
	}
	if a.json {
		out := map[string]any{"domain": domain, "path": a.profiles().Path(domain), "content": text, "captured": failed == nil}
		if failed != nil {
			out["why"] = why
		}
		return json.NewEncoder(a.stdout).Encode(out)
	}
	_, err = io.WriteString(a.stdout, visible(text))
	return err
}
