package stepdef

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/text"
)

// Files is where a command's files are and go. An agent reads and writes no other files: page
// content may steer it.
type Files struct {
	// Folder is for pictures and snapshots that an answer names (C-22); "" for none.
	Folder string
	// Session is the folder of the tab's session, where new files may go too; "" for none.
	Session string
	// Roots are folders that steps may read files from and write files to, with all that is
	// below them (--files); none by default.
	Roots []string
	// Dir is the folder that relative paths in steps are of; "" is this process's. The broker's process has
	// another one than the command that it serves.
	Dir string
	// Name is how answers name a file, nil for its path.
	Name  func(path string) string
	used  map[string]int // names that were given, and how often
	shots int            // pictures without a name
}

// ClosedError is the error of a file, or an address, that steps may not use.
type ClosedError struct{ Name, Why string }

func (e *ClosedError) Error() string { return text.Cut(text.Line(e.Name), 201) + ": " + e.Why }

// Subtype makes the error known to the agent by its kind.
func (e *ClosedError) Subtype() string { return "AccessDeniedError" }

const (
	closedFile = "local files are closed to steps: refscopectl's flag --files DIR opens a folder to them"
	closedLink = "it leads out of the folders that --files opens to steps"
)

// Named is how an answer names a file that was written.
func (f *Files) Named(path string) string {
	if f.Name == nil || path == "" {
		return path
	}
	return f.Name(path)
}

// path is a file that a step names, of the folder that the command was given in.
func (f *Files) path(name string) (string, error) {
	if f.Dir != "" && !filepath.IsAbs(name) {
		name = filepath.Join(f.Dir, name)
	}
	return filepath.Abs(name)
}

// Readable is the path of a file that a step reads, which is there and below a root.
func (f *Files) Readable(name string) (string, error) {
	path, err := f.path(name)
	if err != nil {
		return "", err
	}
	if !below(path, f.Roots) { // whether it is there is nothing to learn
		return "", &ClosedError{name, closedFile}
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("%s: file not found", name)
	}
	if !below(real, f.Roots) {
		return "", &ClosedError{name, closedLink}
	}
	return real, nil
}

// Output is where a file goes: a bare name to the folder of pictures, as the seed has it, any
// other to its path, below a root or the session. Its folder is made. A file that is there
// is written over only in the folder of pictures, which the next command writes over anyway,
// or where that is wanted.
func (f *Files) Output(name string, overwrite bool) (string, error) {
	if filepath.Base(name) == name && f.Folder != "" {
		name = filepath.Join(f.Folder, name)
	}
	path, err := f.path(name)
	if err != nil {
		return "", err
	}
	roots := f.Roots
	for _, own := range []string{f.Folder, f.Session} {
		if own != "" {
			roots = append(roots[:len(roots):len(roots)], own)
		}
	}
	if !below(path, roots) {
		return "", &ClosedError{name, closedFile}
	}
	dir := filepath.Dir(path)
	if below(dir, []string{f.Folder}) {
		err = os.MkdirAll(f.Folder, 0o700)
	}
	if err == nil && !below(existing(dir), roots) {
		return "", &ClosedError{name, closedLink}
	}
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return "", fmt.Errorf("making the folder of %s: %w", path, export.Cause(err))
	}
	if _, err := os.Lstat(path); err == nil && !below(path, []string{f.Folder}) {
		switch {
		case !overwrite:
			return "", &ClosedError{name, "there is a file already: name another one, or add overwrite:true"}
		case !below(path, f.Roots):
			return "", &ClosedError{name, "there is a file already, and those of a session are not written over"}
		}
	}
	return path, nil
}

// PageAddress is the address that a step opens. The path of an .html file below a root becomes one
// on loopback, where its folder is served, as refscopectl snap does it; a file: address stays.
func (e *Env) PageAddress(ctx context.Context, typed string) (string, error) {
	if err := e.Files.Address(typed); err != nil {
		return "", err
	}
	t, err := address.Parse(typed)
	if err != nil || t.Path == "" || strings.HasPrefix(strings.ToLower(strings.TrimSpace(typed)), "file:") {
		return typed, nil // the browser reports what is wrong with it
	}
	file, err := e.Files.Readable(t.Path)
	if err != nil {
		return "", err
	}
	if e.Host == nil {
		return "", fmt.Errorf("%s: no folder can be served here, because the tab was given: name an address", typed)
	}
	return e.Host.Serve(ctx, file)
}

// Address refuses an address that is no page: a local file that is not below a root, or one
// of the browser's own.
func (f *Files) Address(typed string) error {
	// As the browser reads it: without what surrounds it, and without line breaks.
	plain := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimFunc(typed,
		func(r rune) bool { return r <= ' ' }))
	scheme, rest, ok := strings.Cut(plain, ":")
	if !ok || strings.ContainsAny(scheme, "/?#") {
		return nil // it has no scheme, which the browser reports
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "data", "blob":
		return nil
	case "chrome", "chrome-extension", "chrome-search", "chrome-untrusted", "devtools", "edge", "javascript",
		"view-source":
		return &ClosedError{typed, opensOnly}
	case "about":
		if page, _, _ := strings.Cut(strings.ToLower(rest), "#"); page == "blank" || page == "srcdoc" {
			return nil
		}
	case "file":
		u, err := url.Parse(plain)
		if err != nil || u.Host != "" && u.Host != "localhost" || u.Path == "" {
			return &ClosedError{typed, closedFile}
		}
		_, err = f.Readable(filepath.FromSlash(address.FilePath(u, runtime.GOOS)))
		return err
	default:
		return &browser.NavError{URL: text.Cut(text.Line(typed), 201), Why: "no page has a " +
			text.Cut(text.Line(scheme), 31) + ": address; " + opensOnly}
	}
	return &ClosedError{typed, opensOnly}
}

const opensOnly = "steps open http:, https:, data: and about:blank addresses, and file: ones below --files DIR"

// existing is the part of a folder's path that is there, with its links followed.
func existing(dir string) string {
	for {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return real
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}

// below reports whether a path is one of the folders or below one, as they are spelled or
// with their links followed.
func below(path string, folders []string) bool {
	for _, f := range folders {
		if f == "" {
			continue
		}
		f, err := filepath.Abs(f)
		if err != nil {
			continue
		}
		for _, at := range []string{f, existing(f)} {
			if rel, err := filepath.Rel(at, path); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
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
			"the %s is too large for the answer, and there is no folder for files: ask for less, or give inlineLimit",
			what)
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
