package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/cmd/dev/house"
)

// measureTask prints the figures of the house.
func measureTask(ctx context.Context, d *dev, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("measure takes no argument %q", args[0])}
	}
	return house.Tree{Root: d.root, Tags: tags}.Measure(ctx, d.say)
}

// exportedTask lists exported identifiers that no other package uses, of the rooms of args
// or of all; it fails where there are any beyond the allowed ones.
func exportedTask(ctx context.Context, d *dev, args []string) error {
	unused, stale, err := house.Tree{Root: d.root, Tags: tags}.Unused(ctx)
	if err != nil {
		return err
	}
	unused = slices.DeleteFunc(unused, func(name string) bool {
		in := func(room string) bool { return strings.HasPrefix(name, room) }
		return len(args) > 0 && !slices.ContainsFunc(args, in)
	})
	for _, name := range unused {
		d.say("%s", name)
	}
	for _, name := range stale {
		d.say("allowed, and used or gone: %s", name)
	}
	if len(unused) > 0 || len(stale) > 0 {
		d.say("")
		d.say("%d exported identifiers have no user outside their package", len(unused))
		return errSaid
	}
	return nil
}
