package app

import (
	"context"

	"github.com/refscope/refscope/gui/attach"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/live"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/sessions"
)

// Engine is everything that the window needs from outside: what all rooms share, and what
// each room asks for itself. See [core.Engine] for the rules.
type Engine interface {
	core.Engine
	sessions.Engine
	notes.Engine
	attach.Engine
	device.Engine
	live.Engine
	connect.Engine
	ProfileEngine
	StepsEngine
	WhyEngine

	// ExportSession writes the session in use as one .refscope file (N-14), ExportReport as
	// one HTML file; whole or not at all.
	ExportSession(ctx context.Context, path string) error
	ExportReport(ctx context.Context, path string) error
	// Close ends everything that was started and waits for it.
	Close() error
}

// Recorded is a turn as the engine gives it.
type Recorded = core.Recorded
