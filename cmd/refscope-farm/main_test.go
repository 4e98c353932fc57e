package main

import (
	"bufio"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/batch/farm"
	"github.com/stretchr/testify/require"
)

// The queue opens with the token that is printed, with no other, and ends with its input.
func TestServes(t *testing.T) {
	input, end := io.Pipe()
	output, printed := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(t.Context(), []string{"--store", t.TempDir(), "--until-eof"}, input, printed) }()
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	address := strings.TrimSpace(line)
	q, err := farm.Connect(t.Context(), address, farm.Options{})
	require.NoError(t, err)
	q.Close()
	_, err = farm.Connect(t.Context(), farm.Address(address), farm.Options{})
	require.ErrorContains(t, err, "Authorization")
	require.NoError(t, end.Close())
	require.NoError(t, <-ended)
}

func TestWrongCalls(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), nil, nil, nil), "name the folder")
	require.ErrorContains(t, run(t.Context(), []string{"--dance"}, nil, nil), "see refscope-farm --help")
	var help strings.Builder
	require.ErrorIs(t, run(t.Context(), []string{"--help"}, nil, &help), flag.ErrHelp)
	require.Contains(t, help.String(), "  -store DIR\n")
}
