package app

import (
	"context"

	"github.com/refscope/refscope/profiles"
)

// ProfileEngine is where the profiles of sites are kept.
type ProfileEngine interface {
	// FindProfile finds the profile for an address. Where there is none, the file has
	// the name and the path that one would get, and no version; the error is
	// [profiles.ErrNoDomain] where the address can have none.
	FindProfile(ctx context.Context, url string) (*profiles.File, error)
	// SaveProfile replaces a domain's profile where the file is still of version base;
	// else the error is a [profiles.Conflict].
	SaveProfile(ctx context.Context, domain, text string, base profiles.Version) (*profiles.File, error)
	// Revisions are the versions of a domain's profile that were replaced, oldest first.
	Revisions(ctx context.Context, domain string) ([]profiles.Revision, error)
	// ImportProfiles copies the profiles of cdp-skill and says of which folder.
	ImportProfiles(ctx context.Context) (folder string, files []profiles.Imported, err error)
}
