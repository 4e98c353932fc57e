package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// buildWindow builds cmd/refscope into bin/ and returns the program's path. The
// first build on a machine compiles GL's bindings, which takes minutes: the line it
// shows counts the packages as they are done.
func (d *dev) buildWindow(ctx context.Context) (string, error) {
	program := filepath.Join(d.root, "bin", "refscope")
	if d.machine.goos == "windows" {
		program += ".exe"
	}
	begin := time.Now()
	packages, last := 0, "looking what has changed"
	ticker := time.NewTicker(time.Second)
	stop, stopped := make(chan struct{}), make(chan struct{})
	news := make(chan string)
	show := func() { d.status("building  %s  %d packages  %s", seconds(time.Since(begin)), packages, last) }
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
	out, err := d.output(ctx, func(line string) { news <- line }, []string{"CGO_ENABLED=1"}, "go", "build", "-v", "-tags",
		tags, "-o", program, "./cmd/refscope")
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
	d.say("Built bin/%s in %s (%d packages compiled).", filepath.Base(program), seconds(time.Since(begin)), packages)
	return program, nil
}

// named reports whether a line of go build -v is the name of a package whose
// compilation starts, and no download and no error.
func named(line string) bool { return line != "" && !strings.ContainsAny(line, " \t:") }
