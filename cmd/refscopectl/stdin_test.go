package main

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"github.com/refscope/refscope/capture/agent/apikey/apikeytest"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/stretchr/testify/require"
)

// Whoever waits for standard input ends when it is interrupted, though nothing comes.
func TestWaitingForInputIsInterrupted(t *testing.T) {
	apikeytest.Keyring(t)
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	out := filepath.Join(t.TempDir(), "out")
	for name, args := range map[string][]string{
		"run":     {"run", "-"},
		"key":     {"key", "set", "openai"},
		"batch":   {"batch", "-", "-o", out},
		"dataset": {"dataset", "build", "-", "-o", out, "--as", "coco"},
		"profile": {"profile", "write", "a.example"},
		"skill":   {"skill", "install", "--dir", out},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			over := make(chan struct{})
			defer close(over)
			waits := waiting(func() (int, error) {
				interrupt()
				<-over
				return 0, context.Canceled
			})
			var stdout, stderr bytes.Buffer
			a := &cli.App{Stdout: &stdout, Stderr: &stderr, In: waits}
			require.Equal(t, 1, a.Report(dispatch(ctx, a, args)), stderr.String())
			require.Error(t, ctx.Err(), "it asked for input")
			require.NoFileExists(t, out)
		})
	}
}

// waiting is input that comes when it likes.
type waiting func() (int, error)

func (w waiting) Read([]byte) (int, error) { return w() }
