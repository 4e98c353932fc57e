package stepdef

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/redact"
)

// What a script gives is an answer like any other (B-11): the values of the page's
// fields of passwords, codes and cards, what the site's profile withholds, and what
// looks like a secret do not leave in it. The collector determines those fields. A
// script that wants to, can still get a secret past this by writing it otherwise, in
// base64 for one: an agent is a program of its user's, and what is kept in is what would
// leave by mistake.

// Secrets knows what must not leave the page (B-11).
type Secrets struct {
	page     *action.Page
	collect  collect.Options
	profiles *profiles.Store
}

// NewSecrets makes the rules for a page.
func NewSecrets(page *action.Page, o collect.Options, p *profiles.Store) *Secrets {
	return &Secrets{page, o, p}
}

// Guard knows what must not leave the page, at one moment.
type Guard struct {
	res      *collect.Result // nil where the page has nothing that must be kept in
	redactor *redact.Redactor
	secrets  []redact.Secret
}

// Guard reads the page for what must not leave it. It must be released.
func (s *Secrets) Guard(ctx context.Context) (*Guard, error) {
	o := s.collect
	if err := s.profileRules(ctx, &o.Rules); err != nil {
		return nil, err
	}
	g := &Guard{redactor: redact.Standard()}
	var err error
	if len(o.Rules.Patterns) > 0 {
		if g.redactor, err = redact.New(o.Rules.Patterns...); err != nil {
			return nil, fmt.Errorf("redaction rules: %w", err)
		}
	}
	if len(o.Rules.Redact) == 0 {
		has, err := s.page.HasSecretFields(ctx)
		if err != nil {
			return nil, fmt.Errorf("looking for fields that hold secrets: %w", err)
		}
		if !has {
			return g, nil
		}
	}
	o.AllowSecrets = true
	if g.res, err = collect.Read(ctx, s.page.Tab(), o); err != nil {
		return nil, fmt.Errorf("looking for fields that hold secrets: %w", err)
	}
	g.learn()
	return g, nil
}

// profileRules adds what the profile of the tab's site withholds.
func (s *Secrets) profileRules(ctx context.Context, rules *collect.Rules) error {
	if s.profiles == nil {
		return nil
	}
	at, err := s.page.Tab().Info(ctx)
	if err != nil {
		return fmt.Errorf("the tab's address, for its profile: %w", err)
	}
	file, err := s.profiles.Lookup(at.URL)
	switch {
	case errors.Is(err, profiles.ErrNotFound), errors.Is(err, profiles.ErrNoDomain):
		return nil
	case err != nil:
		return err
	}
	p, _ := profiles.Parse(file.Text)
	selectors, patterns := p.Redactions()
	rules.Redact = append(slices.Clone(rules.Redact), selectors...)
	rules.Patterns = append(slices.Clone(rules.Patterns), patterns...)
	return nil
}

// learn takes over the withheld values. Boxes for one character each, one after the
// other, are one code.
func (g *Guard) learn() {
	code := ""
	for _, i := range slices.Sorted(maps.Keys(g.res.Secrets)) {
		v := strings.TrimSpace(g.res.Secrets[i])
		if utf8.RuneCountInString(v) == 1 {
			code += v
			continue
		}
		g.add(code, "one-time code")
		code = ""
		g.add(v, g.res.Why(i))
	}
	g.add(code, "one-time code")
}

// add notes a value of at least 3 characters: a shorter one is not specific enough.
func (g *Guard) add(value, why string) {
	if utf8.RuneCountInString(value) >= 3 {
		g.secrets = redact.Add(g.secrets, redact.Learned(value, why))
	}
}

// Release frees the objects that the guard holds in the page.
func (g *Guard) Release(ctx context.Context) {
	if g != nil && g.res != nil {
		g.res.Release(ctx)
	}
}

// clean takes out of texts what must not leave. The page is asked last: it also knows what
// the profile withholds and no field holds.
func (g *Guard) clean(ctx context.Context, texts []string) []string {
	out := slices.Clone(texts)
	for i, s := range out {
		out[i] = g.redactor.Clean(s, g.secrets...)
	}
	if g.res != nil {
		out = g.res.Seal(ctx, out)
	}
	return out
}

// errWithheld is the error of an answer that nobody could look through.
var errWithheld = errors.New("the answer was withheld, because the page could not be read for what must not leave it")

// Clean takes out of texts what must not leave the page now, and what must not have left
// it before a script ran, where before is not nil.
func (s *Secrets) Clean(ctx context.Context, before *Guard, texts ...string) ([]string, error) {
	after, err := s.Guard(ctx)
	if err != nil && ctx.Err() == nil {
		after, err = s.Guard(ctx) // the page may just have gone to another document
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errWithheld, err)
	}
	defer after.Release(ctx)
	if before != nil {
		texts = before.clean(ctx, texts)
	}
	return after.clean(ctx, texts), nil
}

// CleanText is one text without what must not leave, "[withheld]" where nobody could look
// through it.
func (s *Secrets) CleanText(ctx context.Context, text string) string {
	out, err := s.Clean(ctx, nil, text)
	if err != nil {
		return "[withheld]"
	}
	return out[0]
}
