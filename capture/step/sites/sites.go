package sites

import (
	"context"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/profiles"
)

// Steps are the steps about what is known of sites (seed 15.5, C-17).
func Steps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(readSiteProfile, stepdef.StepDef{
			Name: "readSiteProfile", Summary: "read what is known of a site; it needs no tab", NoTab: true,
			Forms: []param.Form{
				{`"github.com"`, "by domain or address"}, {`{"domain":"github.com"}`, "the same"},
			},
		}),
		stepdef.Define(writeSiteProfile, stepdef.StepDef{
			Name: "writeSiteProfile", Summary: "replace what is known of a site; it needs no tab", NoTab: true,
			Forms: []param.Form{
				{`{"domain":"github.com","content":"# github.com\nUpdated: 2026-11-02\n\n## Quirks\n- search results ` +
					`come late\n"}`,
					"the whole text; the one before is kept as a version"},
			},
		}),
	}
}

// errNoProfiles is the error of a run without a store of profiles.
var errNoProfiles = errors.New("site profiles are not kept here")

// siteParams name a site by domain or address.
type siteParams struct {
	Domain string `json:"domain" form:"string" required:"" what:"domain or address"`
}

// CheckParams refuses what is no domain.
func (p *siteParams) CheckParams() error {
	if _, err := profiles.Domain(p.Domain); err != nil {
		return fmt.Errorf("domain: %q: %w", p.Domain, err)
	}
	return nil
}

// readProfile is the output of readSiteProfile.
type readProfile struct {
	Found   bool   `json:"found"`
	Domain  string `json:"domain"`
	Content string `json:"content,omitempty"`
}

func readSiteProfile(_ context.Context, e *stepdef.Env, p *siteParams) (any, error) {
	if e.Profiles == nil {
		return nil, errNoProfiles
	}
	f, err := e.Profiles.Lookup(p.Domain)
	switch {
	case errors.Is(err, profiles.ErrNotFound):
		domain, err := profiles.Domain(p.Domain)
		return &readProfile{Domain: domain}, err
	case err != nil:
		return nil, err
	}
	return &readProfile{true, f.Domain, f.Text}, nil
}

type writeParams struct {
	Domain  string `json:"domain" required:"" what:"domain or address"`
	Content string `json:"content" required:"" what:"the whole text"`
}

// CheckParams refuses what is no domain.
func (p *writeParams) CheckParams() error { return (&siteParams{p.Domain}).CheckParams() }

// wroteProfile is the output of writeSiteProfile.
type wroteProfile struct {
	Written bool   `json:"written"`
	Path    string `json:"path"`
	Domain  string `json:"domain"`
}

func writeSiteProfile(ctx context.Context, e *stepdef.Env, p *writeParams) (any, error) {
	if e.Profiles == nil {
		return nil, errNoProfiles
	}
	domain, err := profiles.Domain(p.Domain)
	if err != nil {
		return nil, err
	}
	for {
		// The step replaces whatever is there: what another has saved meanwhile goes to
		// the versions, so nothing is lost.
		var base profiles.Version
		f, err := e.Profiles.Load(domain)
		switch {
		case err == nil:
			base = f.Version
		case !errors.Is(err, profiles.ErrNotFound):
			return nil, err
		}
		f, err = e.Profiles.Save(ctx, domain, p.Content, base)
		var taken *profiles.Conflict
		switch {
		case err == nil:
			return &wroteProfile{true, f.Path, f.Domain}, nil
		case !errors.As(err, &taken) || ctx.Err() != nil:
			return nil, err
		}
	}
}
