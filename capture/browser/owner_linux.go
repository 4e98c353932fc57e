package browser

import (
	"bufio"
	"net"
	"os"
	"strconv"
	"strings"
)

// Owner is the user whose program listens at HOST:PORT of this machine, as the kernel
// lists it in /proc/net/tcp; false where it is not known.
func Owner(address string) (uid int, ok bool) {
	_, text, err := net.SplitHostPort(address)
	if err != nil {
		return 0, false
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, false
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		uid, ok := listener(bufio.NewScanner(f), port)
		_ = f.Close() // only read
		if ok {
			return uid, true
		}
	}
	return 0, false
}

// listener finds the line of a port that is listened at: number, local address, remote
// address, state (0A), queues, timer, retransmits, uid.
func listener(lines *bufio.Scanner, port uint64) (uid int, ok bool) {
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 8 || f[3] != "0A" {
			continue
		}
		_, at, _ := strings.Cut(f[1], ":")
		if n, err := strconv.ParseUint(at, 16, 16); err != nil || n != port {
			continue
		}
		uid, err := strconv.Atoi(f[7])
		return uid, err == nil
	}
	return 0, false
}
