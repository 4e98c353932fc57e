package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// numbersPages is how many saved pages the gate of numbers looks at, half of them articles and half forms.
const numbersPages = 40

// benchNumbers captures saved pages, at most numbersPages, and has a test of gui/picture look at the window's picture
// of each, in four windows and at five zooms: whose box each number is nearest to, and whether anything is painted
// over its digits. Without ../shared/corpus there are the project's own pages, in captures that it has.
func benchNumbers(ctx context.Context, d *setup.Dev) error {
	dir, err := os.MkdirTemp("", "refscope-numbers-")
	if err != nil {
		return fmt.Errorf("a folder for captures: %w", err)
	}
	defer os.RemoveAll(dir)
	var list []string
	for _, kind := range []string{"real", "forms"} {
		all, err := filepath.Glob(filepath.Join(d.Root, "..", "shared", "corpus", kind, "*.html"))
		if err != nil {
			return fmt.Errorf("saved pages: %w", err)
		}
		for k := range min(numbersPages/2, len(all)) {
			list = append(list, all[k*len(all)/min(numbersPages/2, len(all))])
		}
	}
	keep := filepath.Join(dir, "captures")
	if len(list) > 0 {
		if err := capturePages(ctx, d, dir, keep, list); err != nil {
			return err
		}
	}
	if err := os.Setenv("REFSCOPE_CAPTURES", keep); err != nil {
		return fmt.Errorf("captures: %w", err)
	}
	return benchTest(ctx, d, "TestNumbersInPixels", "./gui/picture", "REFSCOPE_NUMBERS=1")
}

// capturePages writes the capture of each page of a list to a folder, as a test reads them.
func capturePages(ctx context.Context, d *setup.Dev, dir, keep string, list []string) error {
	file, out := filepath.Join(dir, "list.txt"), filepath.Join(dir, "batch")
	if err := os.WriteFile(file, []byte(strings.Join(list, "\n")+"\n"), 0o600); err != nil {
		return fmt.Errorf("saved pages: %w", err)
	}
	ctl, err := d.BuildCtl(ctx, dir)
	if err != nil {
		return err
	}
	d.Say("capturing %d pages", len(list))
	home := []string{"REFSCOPE_HOME=" + filepath.Join(dir, "home")}
	if said, err := d.Output(ctx, nil, home, ctl, "batch", file, "-o", out, "--do", "snap --format capture --all",
		"--jobs", "2"); err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	done, err := filepath.Glob(filepath.Join(out, "pages", "*", "snap.txt"))
	if err == nil && len(done) < len(list) {
		err = fmt.Errorf("%d of %d pages were captured", len(done), len(list))
	}
	if err == nil {
		err = os.Mkdir(keep, 0o700)
	}
	for _, from := range done {
		if err == nil {
			err = os.Rename(from, filepath.Join(keep, filepath.Base(filepath.Dir(from))+".json"))
		}
	}
	if err != nil {
		return fmt.Errorf("saved pages: %w", err)
	}
	return nil
}
