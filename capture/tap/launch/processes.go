package launch

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
)

// process is one that was started below another.
type process struct {
	pid   int
	argv  []string
	above [][]string // command lines of those above it, from the one that was asked about
}

// family are the processes that a command has started, and theirs. One that was seen stays in it when its parent has
// ended: a daemon, which a tool of the command line leaves behind for its next call.
type family struct {
	pid  int
	seen map[int]process // at the last look
}

// below are those that run now.
func (f *family) below() []process {
	of, err := parents()
	if err != nil {
		return nil // the next look may see them
	}
	children := map[int][]int{}
	for own, parent := range of {
		if own != parent {
			children[parent] = append(children[parent], own)
		}
	}
	var out []process
	seen := map[int]process{f.pid: {}} // numbers are given again, so that a parent may be younger than its child
	var walk func(p process)
	walk = func(p process) {
		above := append(slices.Clip(p.above), p.argv)
		slices.Sort(children[p.pid])
		for _, child := range children[p.pid] {
			if _, is := seen[child]; is {
				continue
			}
			seen[child] = process{child, commandLine(child), above}
			out = append(out, seen[child])
			walk(seen[child])
		}
	}
	walk(process{pid: f.pid, argv: commandLine(f.pid)})
	for _, pid := range slices.Sorted(maps.Keys(f.seen)) {
		p := f.seen[pid]
		_, runs := of[pid]
		if _, is := seen[pid]; is || !runs || !slices.Equal(commandLine(pid), p.argv) {
			continue
		}
		seen[pid] = p
		out = append(out, p)
		walk(p)
	}
	f.seen = seen
	return out
}

// argvOf reads what macOS keeps of a program's start (sysctl kern.procargs2): how many arguments it has, its path, and
// the arguments, each with a zero byte behind, before the first as many as there is room for.
func argvOf(raw []byte) []string {
	if len(raw) < 4 {
		return nil
	}
	count := binary.LittleEndian.Uint32(raw)
	_, rest, _ := bytes.Cut(raw[4:], []byte{0})
	rest = bytes.TrimLeft(rest, "\x00")
	var out []string
	for range count {
		arg, more, ok := bytes.Cut(rest, []byte{0})
		if !ok {
			break
		}
		out, rest = append(out, string(arg)), more
	}
	return out
}
