package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/diff"
)

// profileVersion is one text of a profile. N is 0 and Time when it was saved for the
// newest; for the others Time is when they were replaced.
type profileVersion struct {
	N       int              `json:"n,omitempty"`
	Time    time.Time        `json:"time"`
	Bytes   int              `json:"bytes"`
	Version profiles.Version `json:"version"` // SHA-256 of the text, hexadecimal
	text    string
}

// versions are the texts of a domain's profile, oldest first, the newest last. It is
// the profile of exactly that domain.
func (a *app) versions(domain string) (name string, list []profileVersion, err error) {
	store := a.profiles()
	if name, err = profiles.Domain(domain); err != nil {
		return "", nil, err
	}
	history, err := store.History(domain)
	if err != nil {
		return "", nil, err
	}
	for _, rev := range history {
		list = append(list, profileVersion{rev.N, rev.Time.UTC(), len(rev.Text), profiles.VersionOf(rev.Text), rev.Text})
	}
	f, err := store.Load(domain)
	switch {
	case errors.Is(err, profiles.ErrNotFound) && len(list) > 0:
		return name, list, nil // it was removed by hand
	case err != nil:
		return "", nil, err
	}
	return name, append(list, profileVersion{0, f.Modified.UTC(), len(f.Text), f.Version, f.Text}), nil
}

// revision is one version of the history.
func (a *app) revision(domain string, n int) (profileVersion, error) {
	name, list, err := a.versions(domain)
	if err != nil {
		return profileVersion{}, err
	}
	i := slices.IndexFunc(list, func(v profileVersion) bool { return v.N == n })
	if i < 0 && n == 0 {
		return profileVersion{}, fmt.Errorf("profile %s: %w now: name two versions, see profile history", name, profiles.ErrNotFound)
	}
	if i < 0 {
		return profileVersion{}, fmt.Errorf("profile %s has no version %d: see profile history", name, n)
	}
	return list[i], nil
}

// profileHistory lists the versions of a domain's profile.
func (a *app) profileHistory(_ context.Context, args []string, _ profileFlags) error {
	name, list, err := a.versions(args[0])
	if err != nil {
		return err
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"domain": name, "versions": list})
	}
	for _, v := range list {
		n, what := "now", "saved"
		if v.N > 0 {
			n, what = fmt.Sprint(v.N), "replaced"
		}
		if _, err := fmt.Fprintf(a.stdout, "%-4s %s %s  %d bytes  %s\n", n, what, v.Time.Format(time.RFC3339), v.Bytes, shortVersion(v.Version)); err != nil {
			return err
		}
	}
	return nil
}

// diffProfile compares two versions of a domain's profile line by line; without a
// second number, a version with what is there now.
func (a *app) diffProfile(_ context.Context, args []string, f profileFlags) error {
	var pair [2]profileVersion
	for k := range pair {
		n := 0
		if k+1 < len(args) {
			var err error
			if n, err = revisionNumber("diff", args[k+1]); err != nil {
				return err
			}
		}
		v, err := a.revision(args[0], n)
		if err != nil {
			return err
		}
		pair[k] = v
	}
	var names [2]string
	for k, v := range pair {
		names[k] = "now (" + shortVersion(v.Version) + ")"
		if v.N > 0 {
			names[k] = fmt.Sprintf("version %d (%s)", v.N, shortVersion(v.Version))
		}
	}
	text := diff.Unified(diff.Lines(pair[0].text, pair[1].text), names[0], names[1], f.context, !a.json)
	if a.json {
		name, err := profiles.Domain(args[0])
		if err != nil {
			return err
		}
		return json.NewEncoder(a.stdout).Encode(map[string]any{"domain": name, "from": pair[0], "to": pair[1], "diff": text})
	}
	if text == "" {
		a.remark("the two are the same")
	}
	_, err := io.WriteString(a.stdout, visible(text))
	return err
}
