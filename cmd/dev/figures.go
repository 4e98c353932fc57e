package main

import (
	"context"
	"slices"
	"strings"

	"github.com/refscope/refscope/cmd/dev/house"
	"github.com/refscope/refscope/cmd/dev/setup"
)

// measureTask prints the figures of the house.
func measureTask(ctx context.Context, d *setup.Dev, args []string) error {
	if len(args) > 0 {
		return setup.Usagef("measure takes no argument %q", args[0])
	}
	return house.Tree{Root: d.Root, Tags: setup.Tags}.Measure(ctx, d.Say)
}

// exportedTask lists exported identifiers that no other package uses, of the rooms of args
// or of all; it fails where there are any beyond the allowed ones.
func exportedTask(ctx context.Context, d *setup.Dev, args []string) error {
	unused, stale, err := house.Tree{Root: d.Root, Tags: setup.Tags}.Unused(ctx)
	if err != nil {
		return err
	}
	unused = slices.DeleteFunc(unused, func(name string) bool {
		in := func(room string) bool { return strings.HasPrefix(name, room) }
		return len(args) > 0 && !slices.ContainsFunc(args, in)
	})
	for _, name := range unused {
		d.Say("%s", name)
	}
	for _, name := range stale {
		d.Say("allowed, and used or gone: %s", name)
	}
	if len(unused) > 0 || len(stale) > 0 {
		d.Say("")
		d.Say("%d exported identifiers have no user outside their package", len(unused))
		return errSaid
	}
	return nil
}

// docsTask makes the pages of docs/ by the generator there, which may import what it describes.
func docsTask(ctx context.Context, d *setup.Dev, args []string) error {
	if len(args) > 0 {
		return setup.Usagef("docs takes no argument %q", args[0])
	}
	d.Status("making the pages")
	out, err := d.Output(ctx, nil, setup.CGO(false), "go", "run", "./docs/site")
	d.Say("%s", setup.Visible(strings.TrimSpace(out)))
	return err
}
