package chapter

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/refscope/refscope/capture/export"
)

// Files is where a command's files are and go.
type Files struct {
	// Folder is for pictures and snapshots that an answer names (C-22); "" for none.
	Folder string
	// Dir is the folder that relative paths in steps are of; "" is this process's. The broker's process has
	// another one than the command that it serves.
	Dir   string
	used  map[string]int // names that were given, and how often
	shots int            // pictures without a name
}

// Path is a file that a step names, of the folder that the command was given in.
func (f *Files) Path(name string) (string, error) {
	if f.Dir != "" && !filepath.IsAbs(name) {
		name = filepath.Join(f.Dir, name)
	}
	return filepath.Abs(name)
}

// Output is where a file goes: a bare name to the folder of pictures, as the seed has it, any other where it
// says. Its folder is made.
func (f *Files) Output(name string) (string, error) {
	if filepath.Base(name) == name {
		dir := f.Folder
		if dir == "" {
			dir = os.TempDir()
		}
		name = filepath.Join(dir, name)
	}
	name, err := f.Path(name)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return "", fmt.Errorf("making the folder of %s: %w", name, export.Cause(err))
	}
	return name, nil
}

// ShotName names a picture that has no name: t1.shot-1.png.
func (f *Files) ShotName(tab, ext string) string {
	f.shots++
	return fmt.Sprintf("%s.shot-%d.%s", Stem(tab), f.shots, ext)
}

// Stem begins the names of a tab's files.
func Stem(tab string) string {
	if tab == "" {
		return "page"
	}
	return tab
}

// Write writes a file beside the answer and gives its path: t1.snapshot.yaml, and t1.snapshot-2.yaml for the
// second of a command. The next command writes over it.
func (f *Files) Write(tab, what, ext string, data []byte) (string, error) {
	if f.Folder == "" {
		return "", fmt.Errorf(
			"the %s is too large for the answer, and there is no folder for files: ask for less, or give inlineLimit", what)
	}
	name := what
	if tab != "" {
		name = tab + "." + what
	}
	if f.used == nil {
		f.used = map[string]int{}
	}
	f.used[name+ext]++
	if k := f.used[name+ext]; k > 1 {
		name += "-" + strconv.Itoa(k)
	}
	if err := os.MkdirAll(f.Folder, 0o700); err != nil {
		return "", fmt.Errorf("writing the %s: %w", what, err)
	}
	path := filepath.Join(f.Folder, name+ext)
	if err := export.Write(path, data); err != nil {
		return "", fmt.Errorf("writing the %s: %w", what, err)
	}
	return path, nil
}
