package harden

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

// What is wrong with the end of a command is seen, whatever it is.
func TestFault(t *testing.T) {
	for _, tt := range []struct {
		name, want string // "" for none
		result     result
	}{
		{"all well", "", result{code: 0}},
		{"a sentence", "", result{code: 1, stderr: []byte("refscopectl: no such turn")}},
		{"no sentence", "without a word", result{code: 1}},
		{"another status", "exit status 3", result{code: 3}},
		{"killed", "exit status -1", result{code: -1}},
		{"a panic", "a stack trace", result{code: 2, stderr: []byte("oh\npanic: index out of range\n")}},
		{"a panic that is printed", "a stack trace", result{code: 0, out: []byte("goroutine 1 [running]:")}},
		{"too late", "no end after", result{code: 1, late: true, stderr: []byte("x")}},
		{"a steered terminal", "steers the terminal", result{code: 1, stderr: []byte("\x1b[2J")}},
		{"no text", "no UTF-8", result{code: 1, stderr: []byte("\xff")}},
		{"the word panic", "", result{code: 1, stderr: []byte("refscopectl: do not panic: try again")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.result.fault(0, 1)
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// Equal seeds are equal attacks; another seed is another one.
func TestSeedsDecide(t *testing.T) {
	body := bytes.Repeat([]byte(`{"a":[1,2,3]}`), 20)
	random := func(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
	require.Equal(t, damage(body, random(1)), damage(body, random(1)))
	require.NotEqual(t, damage(body, random(1)), damage(body, random(2)))
	require.Equal(t, bytes.Repeat([]byte(`{"a":[1,2,3]}`), 20), body, "what is given stays")
	valid, line := 0, []byte(`{"steps":[{"click":{"text":"Go","timeout":10}}],"tab":"t1"}`)
	for seed := range uint64(200) {
		if other := nearly(line, random(seed)); json.Valid(other) && !bytes.Equal(other, line) {
			valid++
		}
	}
	require.Greater(t, valid, 100, "most of what is nearly JSON is JSON")
}

// A writer's call is put into the folder of the attack, and half a file is told from a whole one.
func TestWriters(t *testing.T) {
	b := &bench{Root: "/repository"}
	names := map[string]bool{}
	for _, w := range writers() {
		require.False(t, names[w.name])
		names[w.name] = true
		call, file := w.with(b, "/dir")
		require.Equal(t, w.call[0], call[0])
		for _, word := range call {
			require.NotContains(t, word, "{")
		}
		if w.whole != nil {
			require.NotEmpty(t, file, w.name)
			require.Error(t, w.whole([]byte("half a fi")), w.name)
		}
	}
}

func TestTrials(t *testing.T) {
	short, names := 0, map[string]bool{}
	for _, tr := range allTrials(time.Hour) {
		require.False(t, names[tr.Name], tr.Name)
		names[tr.Name] = true
		if tr.Short {
			short++
		}
	}
	require.True(t, names["fuzz"] && names["soak: window"] && names["kill: turn"] && names["full: export"])
	require.Greater(t, short, 10)
	require.True(t, chosen("page*,mcp", "page: depth") && chosen("page*,mcp", "mcp") && chosen("", "x"))
	require.False(t, chosen("page*,mcp", "steps"))
	all, err := targets(testneed.Repository(t))
	require.NoError(t, err)
	require.Greater(t, len(all), 50)
}

// Run counts: a failure with its seed, what cannot be tried as not tried.
func TestTable(t *testing.T) {
	table := Table([]Row{{Name: "one", What: "first", Tried: 3, Failed: 1, First: "seed 7: it broke"},
		{Name: "two", What: "second", Unable: fmt.Errorf("%w: no root", errUnable).Error()}})
	require.Contains(t, table, "one: seed 7: it broke")
	require.Contains(t, table, "second (not possible here: no root)")
}

// A program that cannot record a session ends the run before any attack.
func TestRunNeedsTheProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "none")
	_, err := Run(t.Context(), Options{Program: program, Root: t.TempDir(), Say: func(string, ...any) {}})
	require.Error(t, err)
	require.False(t, errors.Is(err, context.Canceled))
	_, err = os.Stat(program)
	require.ErrorIs(t, err, os.ErrNotExist)
}
