package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
)

// findProfile looks up the profile of what the tab shows. One that is there and cannot
// be read is an error: it may hold redactions.
func findProfile(ctx context.Context, tab *browser.Tab, o *Options) error {
	if o.Profile != nil || o.Profiles == nil {
		return nil
	}
	at, err := tab.Info(ctx)
	if err != nil {
		return fmt.Errorf("the tab's address, for its profile: %w", err)
	}
	o.Profile, err = o.Profiles.Lookup(at.URL)
	if errors.Is(err, profiles.ErrNotFound) || errors.Is(err, profiles.ErrNoDomain) {
		return nil
	}
	return err
}

// profileAsThen reports whether the profile that applies to the tab now is the one that the shot was taken with.
func (s *Shot) profileAsThen(ctx context.Context, tab *browser.Tab, o Options) (bool, error) {
	if err := findProfile(ctx, tab, &o); err != nil {
		return false, err
	}
	if o.Profile == nil || s.Profile == nil {
		return o.Profile == nil && s.Profile == nil, nil
	}
	return o.Profile.Text == string(s.Profile.Bytes) && o.Profile.Domain == s.Profile.Name, nil
}

// applyProfile applies the site's profile: waits where the caller set none,
// host filters, redactions. Lines of the profile that do nothing are failures of the
// capture, so that they are seen; a redaction that cannot be applied is an error,
// because what it should have kept in would leave.
func applyProfile(o *Options) ([]snapshot.Failure, error) {
	if o.Profile == nil {
		return nil, nil
	}
	p, problems := profiles.Parse(o.Profile.Text)
	name := "profile " + o.Profile.Domain
	var failed []snapshot.Failure
	for _, problem := range problems { // those about redactions end the capture below
		failed = append(failed, snapshot.Failure{Layer: snapshot.LayerProfile, Why: name + ", " + problem.String()})
	}
	unused := map[int]bool{}
	for _, b := range p.Broken() {
		switch b.Kind {
		case profiles.SelectorRule, profiles.PatternRule:
			return nil, fmt.Errorf("%s (%s), %s; nothing was captured, because this rule withholds: mend it first",
				name, o.Profile.Path, b.Problem)
		}
		unused[b.Line] = true
		failed = append(failed, snapshot.Failure{Layer: snapshot.LayerProfile, Why: name + ", " + b.String()})
	}
	selectors, patterns := p.Redactions()
	rules := &o.Collect.Rules
	rules.Site = o.Profile.Domain
	rules.Drop = append([]string{}, rules.Drop...)
	file := o.Profile.Domain + ".md"
	if o.Profile.Path != "" {
		file = filepath.Base(o.Profile.Path)
	}
	rules.Places = map[string]string{}
	for _, r := range p.Front.Filter {
		if !unused[r.Line] {
			rules.Drop = append(rules.Drop, r.Text)
			rules.Places[r.Text] = fmt.Sprintf("%s, line %d", file, r.Line)
		}
	}
	rules.Redact = append(append([]string{}, rules.Redact...), selectors...)
	rules.Patterns = append(append([]string{}, rules.Patterns...), patterns...)
	w := p.Front.Wait
	s := &o.Settle
	if s.Quiet <= 0 {
		s.Quiet = w.Quiet
	}
	if s.Max <= 0 {
		s.Max = w.Max
	}
	if s.Network <= 0 {
		s.Network = w.Network
	}
	if s.For == "" && !unused[w.Line] {
		s.For = w.For
	}
	o.AllowSecrets = o.AllowSecrets || p.Front.AllowSecrets
	return failed, nil
}

// beside adds the console, the dialogs and the page's tools to the capture, cleaned of secrets. It asks
// the page what its password fields hold, so it comes before the page is released. It returns what it could not read.
func beside(ctx context.Context, tab *browser.Tab, shot *Shot) []snapshot.Failure {
	c, res := shot.Capture, shot.page
	c.Console, c.Dialogs = tab.Console(c.TakenAt), tab.Dialogs(c.TakenAt)
	shot.told.console, shot.told.dialogs = slices.Clone(c.Console), slices.Clone(c.Dialogs)
	failed := readTools(ctx, tab, c)
	var texts []*string
	for i := range c.Tools {
		texts = append(texts, &c.Tools[i].Name, &c.Tools[i].Description, &c.Tools[i].InputSchema)
	}
	for i := range c.Console {
		texts = append(texts, &c.Console[i].Text, &c.Console[i].URL)
	}
	for i := range c.Dialogs {
		texts = append(texts, &c.Dialogs[i].Message, &c.Dialogs[i].URL)
	}
	replaceAll(ctx, texts, res.Seal)
	return failed
}

// loaded adds what the page loaded to the capture, as beside does.
func loaded(ctx context.Context, tab *browser.Tab, shot *Shot) {
	c, res := shot.Capture, shot.page
	c.Network = tab.Network(c.TakenAt)
	shot.told.network = asTold(c.Network)
	var texts []*string
	for i := range c.Network.Requests {
		q := &c.Network.Requests[i]
		texts = append(texts, &q.URL)
		if q.Initiator != nil && q.Initiator.URL != "" {
			texts = append(texts, &q.Initiator.URL)
		}
	}
	replaceAll(ctx, texts, res.SealCleaned)
}

// replaceAll replaces texts by what change makes of them. Of equal ones, such as the script that most requests are
// from, one is changed.
func replaceAll(ctx context.Context, texts []*string, change func(context.Context, []string) []string) {
	var raw []string
	at := make(map[string]int, len(texts))
	for _, t := range texts {
		if _, known := at[*t]; !known {
			at[*t] = len(raw)
			raw = append(raw, *t)
		}
	}
	if len(raw) == 0 {
		return
	}
	changed := change(ctx, raw)
	for _, t := range texts {
		*t = changed[at[*t]]
	}
}
