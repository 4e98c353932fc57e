package main

import (
	"github.com/spf13/cobra"
)

func datasetCheckCommand(a *app) *cobra.Command {
	return &cobra.Command{Use: "check DIR"}
}
