package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/refscope/refscope/profiles"
)

// profileKinds are the steps about what is known of sites (seed 15.5, C-17).
func profileKinds() []Kind {
	return []Kind{
		{Name: "readSiteProfile", Summary: "read what is known of a site; it needs no tab", NoTab: true, parse: parseReadProfile, Forms: []Form{
			{`"github.com"`, "by domain or address"}, {`{"domain":"github.com"}`, "the same"},
		}},
		{Name: "writeSiteProfile", Summary: "replace what is known of a site; it needs no tab", NoTab: true, parse: parseWriteProfile, Forms: []Form{
			{`{"domain":"github.com","content":"# github.com\nUpdated: 2026-11-02\n\n## Quirks\n- search results come late\n"}`, "the whole text; the one before is kept as a version"},
		}},
	}
}

// errNoProfiles is the error of a run without a store of profiles.
var errNoProfiles = errors.New("site profiles are not kept here")

type readParams struct {
	Domain string `json:"domain"`
}

// readProfile is the output of readSiteProfile.
type readProfile struct {
	Found   bool   `json:"found"`
	Domain  string `json:"domain"`
	Content string `json:"content,omitempty"`
}

// domainOf is the name that a site's profile is kept under.
func domainOf(name string) (string, error) {
	if name == "" {
		return "", errors.New("domain is missing")
	}
	domain, err := profiles.Domain(name)
	if err != nil {
		return "", fmt.Errorf("domain: %q: %w", name, err)
	}
	return domain, nil
}

func parseReadProfile(raw json.RawMessage) (Work, error) {
	var p readParams
	if shape(raw) == "string" {
		if err := decode(raw, &p.Domain); err != nil {
			return nil, err
		}
	} else if err := decode(raw, &p); err != nil {
		return nil, err
	}
	domain, err := domainOf(p.Domain)
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, r *Runner) (any, error) {
		if r.opt.Profiles == nil {
			return nil, errNoProfiles
		}
		f, err := r.opt.Profiles.Lookup(p.Domain)
		switch {
		case errors.Is(err, profiles.ErrNotFound):
			return &readProfile{Domain: domain}, nil
		case err != nil:
			return nil, err
		}
		return &readProfile{true, f.Domain, f.Text}, nil
	}, nil
}

type writeParams struct {
	Domain  string `json:"domain"`
	Content string `json:"content"`
}

// wroteProfile is the output of writeSiteProfile.
type wroteProfile struct {
	Written bool   `json:"written"`
	Path    string `json:"path"`
	Domain  string `json:"domain"`
}

func parseWriteProfile(raw json.RawMessage) (Work, error) {
	var p writeParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	domain, err := domainOf(p.Domain)
	if err != nil {
		return nil, err
	}
	if p.Content == "" {
		return nil, errors.New("content is missing")
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		if r.opt.Profiles == nil {
			return nil, errNoProfiles
		}
		for {
			// The step replaces whatever is there: what another has saved meanwhile goes to
			// the versions, so nothing is lost.
			var base profiles.Version
			f, err := r.opt.Profiles.Load(domain)
			switch {
			case err == nil:
				base = f.Version
			case err != nil && !errors.Is(err, profiles.ErrNotFound):
				return nil, err
			}
			f, err = r.opt.Profiles.Save(ctx, domain, p.Content, base)
			var taken *profiles.Conflict
			switch {
			case err == nil:
				return &wroteProfile{true, f.Path, f.Domain}, nil
			case !errors.As(err, &taken) || ctx.Err() != nil:
				return nil, err
			}
		}
	}, nil
}
