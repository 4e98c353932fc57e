package setup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// manyPackages are more than a change in this repository makes go build compile.
const manyPackages = 150

// BuildWindow builds cmd/refscope into bin/ and returns the program's path. The
// first build on a machine compiles GL's bindings, which takes minutes: it says so
// before it begins, and the line it shows counts the packages that are done and all.
func (d *Dev) BuildWindow(ctx context.Context) (string, error) {
	program := filepath.Join(d.Root, "bin", "refscope")
	if d.Machine.GOOS == "windows" {
		program += ".exe"
	}
	begin := time.Now()
	packages, last := 0, "looking what has changed"
	d.Status("building  %s", last)
	all := d.toCompile(ctx)
	if all > manyPackages {
		d.Say("Compiling %d packages, among them GL's bindings: some minutes the first time, seconds from then on.",
			all)
	}
	ticker := time.NewTicker(time.Second)
	stop, stopped := make(chan struct{}), make(chan struct{})
	news := make(chan string)
	show := func() {
		d.Status("building  %s  %d of %d packages  %s", Seconds(time.Since(begin)), packages, max(all, packages), last)
	}
	go func() { // ends with stop, which this function waits for
		defer close(stopped)
		for {
			select {
			case line := <-news:
				switch {
				case named(line):
					packages++
					last = line
				case strings.HasPrefix(line, "go: downloading "):
					last = line
				}
			case <-ticker.C:
			case <-stop:
				return
			}
			show()
		}
	}()
	out, err := d.Output(ctx, func(line string) { news <- line }, []string{"CGO_ENABLED=1"}, "go",
		"build", "-v", "-tags",
		Tags, "-o", program, "./cmd/refscope")
	ticker.Stop()
	close(stop)
	<-stopped
	if err != nil {
		var said []string
		for line := range strings.Lines(out) {
			if line = strings.TrimRight(line, "\r\n"); !named(line) {
				said = append(said, line)
			}
		}
		return "", fmt.Errorf("build the window: %w\n%s", err, strings.Join(said, "\n"))
	}
	d.Say("Built bin/%s in %s (%d packages compiled).", filepath.Base(program), Seconds(time.Since(begin)), packages)
	return program, nil
}

// toCompile is how many packages go build would compile for the window; 0 where that cannot be
// found out, as go build then says why.
func (d *Dev) toCompile(ctx context.Context) int {
	n := 0
	_, err := d.Output(ctx, func(line string) {
		if named(line) {
			n++
		}
	}, []string{"CGO_ENABLED=1"}, "go", "list", "-deps", "-tags", Tags, "-f", "{{if .Stale}}{{.ImportPath}}{{end}}",
		"./cmd/refscope")
	if err != nil {
		return 0
	}
	return n
}

// named reports whether a line of go build -v is the name of a package whose
// compilation starts, and no download and no error.
func named(line string) bool { return line != "" && !strings.ContainsAny(line, " \t:") }

// BuildCtl builds refscopectl in a folder and returns its path.
func (d *Dev) BuildCtl(ctx context.Context, folder string) (program string, err error) {
	program = filepath.Join(folder, "refscopectl")
	if d.Machine.GOOS == "windows" {
		program += ".exe"
	}
	d.Status("building refscopectl")
	if out, err := d.Output(ctx, nil, CGO(false), "go", "build", "-o", program, "./cmd/refscopectl"); err != nil {
		return "", errors.Join(err, errors.New(out))
	}
	return program, nil
}

// CGO is the environment that turns cgo on or off.
func CGO(on bool) []string {
	if on {
		return []string{"CGO_ENABLED=1"}
	}
	return []string{"CGO_ENABLED=0"}
}
