package bulk

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/capture/export/trainset"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/text"
)

// buildDataset makes a data set.
func buildDataset(ctx context.Context, a *cli.App, f *datasetFlags, targets []string) error {
	if err := f.check(); err != nil {
		return err
	}
	looks, err := f.looks(a)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return cli.Usagef("dataset build: name a session, turns, pages or a list of them")
	}
	o := inspect.DatasetOptions{Home: a.Home, Dir: f.dir, Plan: f.plan(nil), Looks: looks, Jobs: f.page.Jobs,
		Settle: f.page.Settle, Tabs: a.Opener(), In: a.Stdin(ctx), Open: a.OpenSession, Remark: a.Remark,
		Progress: a.Progress}
	defer o.Tabs.Close()
	if !a.JSON {
		o.Failed = func(err error) { a.Report(err) }
	}
	set, err := inspect.BuildDataset(ctx, o, targets)
	if err != nil {
		return err
	}
	return f.answer(a, set)
}

// plan is that of a set of the shots.
func (f *datasetFlags) plan(shots []string) trainset.Plan {
	return trainset.Plan{Tool: cli.Tool(), Options: f.options, Model: f.model + " " + f.detail, Format: f.pictures,
		Shots: shots}
}

// answer describes the set.
func (f *datasetFlags) answer(a *cli.App, set *inspect.DatasetBuild) error {
	c := set.Counts
	if a.JSON {
		if err := a.PrintJSON(set); err != nil {
			return err
		}
	} else {
		lines := []string{f.sentence(c)}
		if c.Duplicates > 0 {
			lines = append(lines, text.Count(c.Duplicates, "picture", "pictures")+" dropped, as they look like others")
		}
		if err := a.PrintLines(append(lines, leftOutLines(c)...)); err != nil {
			return err
		}
	}
	if len(set.Failed) == 0 {
		return nil
	}
	if a.JSON {
		return cli.ErrReported
	}
	return fmt.Errorf("%d of %d pictures failed: the set is made of the others; run the command again to try once more",
		len(set.Failed), set.Shots)
}

// sentence is what is in the set, in one line.
func (f *datasetFlags) sentence(c dataset.Counts) string {
	return fmt.Sprintf("%s: %s in %s of %s, as %s", f.dir, text.Count(c.Examples, "example", "examples"),
		text.Count(c.Pictures, "picture", "pictures"), text.Count(c.Sites, "site", "sites"), f.options.Shape)
}

// leftOutLines are what is left out and why, the most first.
func leftOutLines(c dataset.Counts) []string {
	var out []string
	for _, why := range c.Reasons() {
		out = append(out, fmt.Sprintf("  left out %6d  %s", c.LeftOut[why], dataset.Reason(why)))
	}
	return out
}
