package release

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// Target is a system to build for.
type Target struct{ GOOS, GOARCH string }

func (t Target) String() string { return t.GOOS + "/" + t.GOARCH }

// Env is the environment in which go builds for it.
func (t Target) Env() []string { return []string{"GOOS=" + t.GOOS, "GOARCH=" + t.GOARCH} }

// Vetted are the packages that go vet reads for a system without its C compiler. The window is none of them on macOS,
// where Fyne has parts in Objective-C.
func (t Target) Vetted() []string {
	if t.GOOS != "darwin" {
		return []string{"./..."}
	}
	return []string{"./assets/...", "./capture/...", "./cmd/dev/...", "./cmd/refscopectl/...", "./docs/...",
		"./overlay/...", "./profiles/...", "./snapshot/..."}
}

// Targets are the systems that programs are handed out for.
func Targets() []Target {
	return []Target{
		{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"darwin", "amd64"},
		{"windows", "amd64"}, {"windows", "arm64"},
	}
}

// hostTarget is the system that a plain go build makes programs for.
func hostTarget(ctx context.Context, d *setup.Dev) (Target, error) {
	out, err := d.Output(ctx, nil, nil, "go", "env", "-json", "GOOS", "GOARCH")
	if err != nil {
		return Target{}, err
	}
	var env struct{ GOOS, GOARCH string }
	if err := json.Unmarshal([]byte(out), &env); err != nil {
		return Target{}, fmt.Errorf("go env -json says %q: %w", out, err)
	}
	return Target{env.GOOS, env.GOARCH}, nil
}
