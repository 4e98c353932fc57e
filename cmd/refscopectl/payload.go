package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/payload"
)

// payloadOf prints the exact bytes that a model would receive for a turn, and no
// byte more. With --json it prints what they are made of instead.
func payloadOf(ctx context.Context, a *app, args []string) error {
	var dialect, format string
	var in payload.Input
	targets, err := a.globals("refscopectl payload", args, func(fs *flag.FlagSet) {
		fs.StringVar(&dialect, "dialect", "", "dialect: "+strings.Join(payload.Dialects(), " | "))
		fs.StringVar(&in.Model, "model", "", "the model's name, where the body has one")
		fs.StringVar(&in.Query, "query", "", "the task in the user's words")
		fs.StringVar(&in.System, "system", "", "the host's own system prompt")
		fs.StringVar(&in.Mode, "mode", "", "agent-interact: semantic | skeleton | hybrid | full")
		fs.StringVar(&format, "dump", "", "text format of the page; default dddk")
		fs.BoolVar(&in.NoImage, "no-image", false, "leave the picture out")
	})
	if err != nil {
		return err
	}
	switch {
	case len(targets) != 1:
		return usagef("payload: name one turn: SESSION#N or its folder; a URL or an .html file is captured first")
	case !slices.Contains(payload.Dialects(), dialect):
		return usagef("payload: --dialect %q: choose from %s", dialect, strings.Join(payload.Dialects(), ", "))
	case format != "" && !isFormat(format):
		return usagef("payload: --dump %q: choose from %s", format, formatNames())
	}
	l := a.live()
	defer l.close()
	s, err := l.see(ctx, targets[0], session.Options{Action: "payload"})
	if err != nil {
		return err
	}
	in.Turn, in.Capture, in.Picture, in.Dump = s.turn, s.capture, s.picture, dump.Format(format)
	p, err := export.Payload(dialect, in)
	if err != nil {
		return fmt.Errorf("%s: %w", targets[0], err)
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{
			"status": "ok", "dialect": p.Dialect, "sha256": p.SHA256, "bytes": len(p.Body), "sections": p.Sections,
		})
	}
	_, err = a.stdout.Write(p.Body)
	return err
}
