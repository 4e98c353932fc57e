//go:build !linux

package turn

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// syncTree makes all that was written below a folder durable: each file, and where the
// system has it each folder.
func syncTree(path string) error {
	return filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if runtime.GOOS == "windows" {
				return nil // see syncDir
			}
			return syncDir(os.Open(name))
		}
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}
