package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// registerJobs adds --jobs, of commands that capture several pages.
func (f *captureFlags) registerJobs(c *cobra.Command) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.IntVar(&f.jobs, "jobs", 1,
		"capture `N` pages at a time, in tabs of one browser; results keep the order of the pages")
	addSection(c, captureSection, fs)
}

// maxJobs bounds --jobs: each page takes a renderer process of 100 MB and more.
const maxJobs = 64

// checkJobs refuses a number that --jobs cannot be.
func (f *captureFlags) checkJobs(command string) error {
	if f.jobs < 1 || f.jobs > maxJobs {
		return usagef("%s: --jobs %d: choose a number from 1 to %d", command, f.jobs, maxJobs)
	}
	return nil
}
