package app

import (
	"github.com/refscope/refscope/gui/attach"
	"github.com/refscope/refscope/gui/batch"
	"github.com/refscope/refscope/gui/compare"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/gui/settings"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/gui/timeline"
)

// Engine is everything that the window needs from outside: what all rooms share, and what
// each room asks for itself. See [core.Engine] for the rules.
type Engine interface {
	core.Engine
	core.Others
	sessions.Engine
	batch.Engine
	notes.Engine
	attach.Engine
	device.Engine
	live.Engine
	connect.Engine
	compare.Engine
	sentrequest.Engine
	replays.Engine
	settings.Engine
	timeline.Engine
	profile.Engine
	steps.Engine
	details.Engine
	export.Engine

	// Close ends everything that was started and waits for it.
	Close() error
}
