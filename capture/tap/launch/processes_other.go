//go:build !linux && !darwin && !windows

package launch

import "errors"

func parents() (map[int]int, error) {
	return nil, errors.New("processes cannot be listed on this system")
}

func commandLine(int) []string { return nil }
