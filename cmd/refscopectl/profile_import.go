package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/refscope/refscope/profiles"
)

// importProfiles copies the profiles of a folder into the home folder; those that
// cdp-skill keeps for this user where none is named (C-17).
func (a *app) importProfiles(ctx context.Context, args []string, _ profileFlags) error {
	store := a.profiles()
	dir := store.Fallback()
	if len(args) > 0 {
		dir = args[0]
	}
	if dir == "" {
		return usagef("profile import: no home folder is known: name the folder to import")
	}
	files, err := store.Import(ctx, dir)
	if err != nil && len(files) == 0 {
		return err
	}
	count := map[profiles.Outcome]int{}
	for _, f := range files {
		count[f.Outcome]++
	}
	switch {
	case a.json && err == nil:
		if files == nil {
			files = []profiles.Imported{}
		}
		if err := json.NewEncoder(a.stdout).Encode(map[string]any{"folder": dir, "files": files}); err != nil {
			return err
		}
	case a.json:
		return a.failWith(err, map[string]any{"folder": dir, "files": files})
	default:
		for _, f := range files {
			line := fmt.Sprintf("%-8s  %s", f.Outcome, oneLine(f.File))
			if f.Domain != "" {
				line += fmt.Sprintf("  as %s  %d bytes", f.Domain, f.Bytes)
			}
			if f.Why != "" {
				line += "  " + oneLine(f.Why)
			}
			if _, werr := fmt.Fprintln(a.stdout, visible(line)); werr != nil {
				return werr
			}
		}
		a.remark("%d imported, %d the same, %d kept as they are here, %d refused", count[profiles.Taken], count[profiles.Same], count[profiles.Kept], count[profiles.Refused])
	}
	if err == nil && count[profiles.Refused] > 0 {
		return errReported
	}
	return err
}
