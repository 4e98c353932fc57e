package turn

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFollow: what is there comes at once, what is written comes when it is
// whole, in order, and nothing twice.
func TestFollow(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	fsys := newMemFS()
	s, err := Create(ctx, fsys, "test")
	require.NoError(t, err)
	for range 3 {
		_, err := appendPage(t, s, pageSpec{nodes: 20, seed: 1}, nil)
		require.NoError(t, err)
	}
	reader, err := Open(fsys)
	require.NoError(t, err)
	written := 3
	fsys.waiting = func() { // each time the reader has nothing to do, a turn is written
		if written == 6 {
			cancel()
			return
		}
		written++
		_, err := appendPage(t, s, pageSpec{nodes: 20, seed: 1}, nil)
		require.NoError(t, err)
	}
	var got []int
	err = reader.Follow(ctx, 1, func(sum Summary, err error) error {
		require.NoError(t, err)
		require.Equal(t, "capture", sum.Action)
		got = append(got, sum.N)
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []int{2, 3, 4, 5, 6}, got)
}

func TestFollowEnds(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	for range 3 {
		_, err := appendPage(t, s, pageSpec{nodes: 20, seed: 1}, nil)
		require.NoError(t, err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(path, turnsDir, "0002", turnFile), []byte("rust"), 0o600))
	enough := errors.New("enough")
	var got []int
	err := s.Follow(ctx, 0, func(sum Summary, err error) error {
		got = append(got, sum.N)
		var d *DamagedError
		require.Equal(t, sum.N == 2, errors.As(err, &d))
		if sum.N == 3 {
			return enough
		}
		return nil
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, []int{1, 2, 3}, got, "a damaged turn hides no others")

	err = s.Follow(ctx, 2, func(Summary, error) error { return os.RemoveAll(path) })
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "no longer there")
}

// TestFollowProcess follows a session on disk that another process writes.
func TestFollowProcess(t *testing.T) {
	s, path := newSession(t)
	const turns = 6
	done := make(chan error, 1)
	go func() { done <- child(path, "a", turns).Run() }()
	enough := errors.New("enough")
	var got []int
	require.ErrorIs(t, s.Follow(context.Background(), 0, func(sum Summary, err error) error {
		require.NoError(t, err)
		require.True(t, sum.HasPicture)
		_, err = s.Load(context.Background(), sum.N)
		require.NoError(t, err)
		if got = append(got, sum.N); len(got) == turns {
			return enough
		}
		return nil
	}), enough)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6}, got)
	require.NoError(t, <-done)
}
