//go:build !linux && !darwin

package browser

import "context"

func privateMemory(context.Context, int) (int64, error) { return 0, ErrNoMemory }
