//go:build !cgo

// Refscope is the desktop inspector. Its window needs cgo; this file replaces
// it in builds without.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "refscope: this build has no window: build it with CGO_ENABLED=1 and a C compiler (go run "+
		"./cmd/dev run sees to both), or use refscopectl, which needs neither")
	os.Exit(1)
}
