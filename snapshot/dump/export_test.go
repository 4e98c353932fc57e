package dump

import (
	"testing"

	"github.com/refscope/refscope/snapshot"
)

// ParsePage and HostilePage are for tests outside the package, which may import what
// imports it.
func ParsePage(t testing.TB, src string) *snapshot.Capture { return parsePage(t, src) }

// HostilePage puts one text everywhere that page text can get into a dump.
func HostilePage(t testing.TB, s string) *snapshot.Capture { return hostilePage(t, s) }

// HostileTexts are what the other tests try.
func HostileTexts() []string { return hostileTexts() }
