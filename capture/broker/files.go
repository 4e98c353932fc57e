package broker

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
)

// Files is the folder for pictures and snapshots that answers name (C-22), mode 0700: one for
// each home folder, because every home has a tab t1. It is below this user's own folder among
// the temporary ones, and is made where it is not there.
func Files(home string) (string, error) {
	dir, err := temp()
	if err != nil {
		return "", err
	}
	key, err := homeKey(home)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, key)
	return dir, os.MkdirAll(dir, 0o700)
}

// homeKey is a short name of a home folder, 16 hexadecimal digits.
func homeKey(home string) (string, error) {
	abs, err := filepath.Abs(home)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(abs))
	return fmt.Sprintf("%x", sum[:8]), nil
}
