package step

import (
	"context"

	"github.com/refscope/refscope/capture/browser"
)

// Tabs opens, finds and closes the tabs of a browser and knows them by their aliases.
// The registry of tabs is behind it.
type Tabs interface {
	// Others lists the tabs that there are, to notice new ones.
	Others(ctx context.Context) ([]browser.TabInfo, error)
}
