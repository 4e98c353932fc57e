package target

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInOrder(t *testing.T) {
	var running, most atomic.Int64
	gates := make([]chan struct{}, 20)
	for i := range gates {
		gates[i] = make(chan struct{})
	}
	var release sync.WaitGroup
	release.Go(func() { // the later of two neighbours is ready first
		for i := 0; i < len(gates); i += 2 {
			close(gates[i+1])
			close(gates[i])
		}
	})
	var got []int
	err := InOrder(context.Background(), 2, len(gates), func(_ context.Context, i int) int {
		most.Store(max(most.Load(), running.Add(1)))
		<-gates[i]
		running.Add(-1)
		return i * i
	}, func(i, square int) error {
		require.Equal(t, i*i, square)
		got = append(got, i)
		return nil
	})
	release.Wait()
	require.NoError(t, err)
	require.Len(t, got, 20)
	require.IsIncreasing(t, got)
	require.LessOrEqual(t, most.Load(), int64(2))

	broken := errors.New("disk full")
	var begun atomic.Int64
	err = InOrder(context.Background(), 3, 1000, func(ctx context.Context, i int) int {
		if begun.Add(1); i > 0 {
			<-ctx.Done()
		}
		return i
	}, func(int, int) error { return broken })
	require.ErrorIs(t, err, broken)
	require.Less(t, begun.Load(), int64(8), "what comes later is not begun")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	nothing, none := func(context.Context, int) int { return 0 }, func(int, int) error { return nil }
	require.ErrorIs(t, InOrder(ctx, 2, 5, nothing, none), context.Canceled)
}
