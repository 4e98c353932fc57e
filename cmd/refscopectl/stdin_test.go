package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/agent/apikey/apikeytest"
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
			waits := readerFunc(func([]byte) (int, error) {
				interrupt()
				<-over
				return 0, context.Canceled
			})
			var stdout, stderr bytes.Buffer
			a := &app{stdout: &stdout, stderr: &stderr, in: waits}
			require.Equal(t, 1, a.report(a.dispatch(ctx, args)), stderr.String())
			require.Error(t, ctx.Err(), "it asked for input")
			require.NoFileExists(t, out)
		})
	}
}

// Input comes whole, in however many pieces it is read.
func TestInputComesWhole(t *testing.T) {
	long := strings.Repeat("one line\n", 100_000)
	a := &app{in: strings.NewReader(long)}
	var got bytes.Buffer
	_, err := got.ReadFrom(a.stdin(t.Context()))
	require.NoError(t, err)
	require.Equal(t, long, got.String())
}
