package setup

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// listens is the line in which Chrome says where its protocol is.
var listens = regexp.MustCompile(`DevTools listening on ws://([^/]+)/`)

// StartChrome starts a browser without a window whose profile is a folder of that name in folder, and returns the
// HOST:PORT of its protocol. The caller must call leave.
func StartChrome(ctx context.Context, d *Dev, folder, profile string, flags ...string) (address string, leave func(),
	err error) {
	path, err := ProbeChrome(ctx, d)
	if err != nil {
		return "", nil, err
	}
	args := slices.Concat([]string{"--headless=new", "--remote-debugging-port=0", "--no-first-run",
		"--user-data-dir=" + filepath.Join(folder, profile)}, flags, []string{"about:blank"})
	if os.Geteuid() == 0 { // Chrome has no sandbox for root
		args = append([]string{"--no-sandbox"}, args...)
	}
	ctx, cancel := context.WithCancel(ctx)
	cmd := Command(ctx, folder, false, path, args...)
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return "", nil, err
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if m := listens.FindStringSubmatch(lines.Text()); m != nil {
			address = m[1]
			break
		}
	}
	drained := make(chan struct{})
	go func() { // a full pipe would stop the browser; ends with it
		_, _ = io.Copy(io.Discard, said)
		close(drained)
	}()
	leave = func() {
		cancel()
		<-drained
		_ = cmd.Wait() // it was told to end
	}
	if address == "" {
		leave()
		return "", nil, fmt.Errorf("%s did not say where it listens", path)
	}
	return address, leave, nil
}
