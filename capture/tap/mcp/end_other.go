//go:build !linux

package mcp

import "os/exec"

// endWithParent does nothing here: a server notices the end of its standard input.
func endWithParent(*exec.Cmd) {}
