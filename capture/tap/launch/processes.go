package launch

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// process is one that was started below another.
type process struct {
	pid   int
	argv  []string
	above [][]string // command lines of those above it, from the one that was asked about
}

// below are the processes that a process has started, and theirs; those whose parent has ended are not known.
func below(pid int) []process {
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
	seen := map[int]bool{pid: true} // numbers are given again, so that a parent may be younger than its child
	var walk func(pid int, above [][]string)
	walk = func(pid int, above [][]string) {
		above = append(slices.Clip(above), commandLine(pid))
		slices.Sort(children[pid])
		for _, child := range children[pid] {
			if seen[child] {
				continue
			}
			seen[child] = true
			out = append(out, process{child, commandLine(child), above})
			walk(child, above)
		}
	}
	walk(pid, nil)
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
