package turn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// What a capture from elsewhere may make of memory: a node takes some 700 bytes in
// memory, and "0," in the list of nodes would make one.
const (
	maxListed   = 1 << 20  // nodes, frames, mutations … : members of the lists at the top
	maxElements = 32 << 20 // of all lists: rectangles, points, runs of text
	// What a picture may say that it has, in px; what it takes as RGBA is the fourfold.
	maxSide   = 16384 * 8
	maxPixels = 256 << 20
)

// checkWeight counts the elements of lists in a capture's JSON before it is
// decoded. It does not mind whether the JSON is well-formed.
func checkWeight(b []byte) error {
	var open []byte // the brackets that are open
	listed, elements := 0, 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; c {
		case '"':
			i = endOfString(b, i+1)
			continue
		case '{', '[':
			open = append(open, c)
		case '}', ']':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
		if c := b[i]; c != '[' && c != ',' || len(open) == 0 || open[len(open)-1] != '[' {
			continue
		}
		elements++
		if len(open) <= 2 {
			listed++
		}
		if listed > maxListed || elements > maxElements {
			return fmt.Errorf("the capture has lists of more than %d nodes or %d elements: more are not read", maxListed, maxElements)
		}
	}
	return nil
}

// endOfString is the index of the quote that closes the JSON string which begins
// at from.
func endOfString(b []byte, from int) int {
	for i := from; i < len(b); {
		quote := bytes.IndexByte(b[i:], '"')
		if quote < 0 {
			break
		}
		i += quote
		back := 0
		for i-1-back >= from && b[i-1-back] == '\\' {
			back++
		}
		if back%2 == 0 {
			return i
		}
		i++
	}
	return len(b)
}

// checkPicture refuses what is no PNG, and a PNG whose header says that it has
// more px than any view decodes.
func checkPicture(b []byte) error {
	if !bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) {
		return errors.New("the picture is not a PNG")
	}
	if len(b) < 24 || string(b[12:16]) != "IHDR" {
		return nil // whoever decodes it says what is wrong
	}
	w, h := uint64(binary.BigEndian.Uint32(b[16:])), uint64(binary.BigEndian.Uint32(b[20:]))
	if w > maxSide || h > maxSide || w*h > maxPixels {
		return fmt.Errorf("the picture says that it has %d x %d px, more than a side of %d or %d megapixels", w, h, maxSide, maxPixels>>20)
	}
	return nil
}
