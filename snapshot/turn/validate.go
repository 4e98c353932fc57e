package turn

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/refscope/refscope/snapshot"
)

// validate checks what the views of a capture rely on: a file may
// contain anything. Parents come before their children, every index names
// something, and no two kept nodes have one number.
func validate(c *snapshot.Capture) error {
	if c.Schema != snapshot.Schema {
		if err := checkFormat(c.Schema, snapshot.Schema); err != nil {
			return fmt.Errorf("the capture: %w", err)
		}
	}
	if err := c.Network.Check(); err != nil {
		return fmt.Errorf("the capture: %w", err)
	}
	for i, f := range c.Frames {
		if f.Parent < -1 || f.Parent >= i || i > 0 && f.Parent < 0 {
			return fmt.Errorf("the capture's frame %d has the parent %d", i, f.Parent)
		}
		if err := index(c, "owner of frame", i, f.Owner, -1); err != nil {
			return err
		}
	}
	refs := make(map[int]int)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		switch {
		case n.I != i:
			return fmt.Errorf("the capture's node %d is at position %d: it is not a full capture", n.I, i)
		case n.Parent < -1 || n.Parent >= i:
			return fmt.Errorf("the capture's node %d has the parent %d", i, n.Parent)
		case n.Frame < 0 || n.Frame >= len(c.Frames):
			return fmt.Errorf("the capture's node %d is in frame %d of %d", i, n.Frame, len(c.Frames))
		case n.Ref < 0 || n.Ref > 2*maxNumber:
			return fmt.Errorf("the capture's node %d has the ref %d", i, n.Ref)
		}
		if n.Ref > 0 {
			if other, two := refs[n.Ref]; two {
				return fmt.Errorf("the capture's nodes %d and %d have the same ref %d", other, i, n.Ref)
			}
			refs[n.Ref] = i
		}
		if err := links(c, n); err != nil {
			return err
		}
	}
	for _, l := range c.Page.Landmarks {
		if err := index(c, "landmark", 0, l.Node, 0); err != nil {
			return err
		}
	}
	for i, o := range c.Page.Overlays {
		if err := index(c, "overlay", i, o.Node, 0); err != nil {
			return err
		}
		if o.Press != nil {
			if err := index(c, "press of overlay", i, *o.Press, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// links checks the indices inside one node.
func links(c *snapshot.Capture, n *snapshot.Node) error {
	for _, r := range n.Runs {
		if err := index(c, "text run of node", n.I, r.Before, -1); err != nil {
			return err
		}
	}
	if n.Tag == "" {
		return fmt.Errorf("the capture's node %d has no tag", n.I)
	}
	o := n.Occlusion
	if o == nil {
		return nil
	}
	if o.Coverer != nil {
		if err := index(c, "coverer of node", n.I, *o.Coverer, 0); err != nil {
			return err
		}
	}
	for _, p := range o.Points {
		// A float that is no index of this capture, NaN included.
		if !(p[2] >= -1 && p[2] < float64(len(c.Nodes))) {
			return fmt.Errorf("the capture's node %d has a sample that hit the node %v", n.I, p[2])
		}
	}
	return nil
}

func index(c *snapshot.Capture, what string, of, i, lowest int) error {
	if i < lowest || i >= len(c.Nodes) {
		return fmt.Errorf("the capture's %s %d is node %d of %d", what, of, i, len(c.Nodes))
	}
	return nil
}

// What a capture from elsewhere may make of memory: a node takes some 700 bytes in
// memory, and "0," in the list of nodes would make one.
const (
	maxListed   = 1 << 20   // nodes, frames, mutations … : members of the lists at the top
	maxElements = 32 << 20  // of all lists: rectangles, points, runs of text
	maxSide     = 16384 * 8 // of a picture's declared size, px
)

// checkWeight counts the elements of lists in a capture's JSON before it is
// decoded. The JSON need not be well-formed.
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
			return fmt.Errorf("the capture has lists of more than %d nodes or %d elements: more are not read",
				maxListed,
				maxElements)
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

// checkPicture refuses what is no PNG, and a PNG whose header declares
// more px than any view decodes.
func checkPicture(b []byte) error {
	if !bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) {
		return errors.New("the picture is not a PNG")
	}
	if len(b) < 24 || string(b[12:16]) != "IHDR" {
		return nil // the decoder reports what is wrong
	}
	w, h := uint64(binary.BigEndian.Uint32(b[16:])), uint64(binary.BigEndian.Uint32(b[20:]))
	if w > maxSide || h > maxSide || w*h > snapshot.MaxPixels {
		return fmt.Errorf("the picture has %d x %d px by its header, more than a side of %d or %d megapixels",
			w, h, maxSide,
			int(snapshot.MaxPixels/1e6))
	}
	return nil
}
