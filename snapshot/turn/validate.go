package turn

import (
	"fmt"

	"github.com/refscope/refscope/snapshot"
)

// validate checks what the views of a capture rely on: one that comes from a
// file may say anything. Parents come before their children, every index names
// something, and no two kept nodes have one number.
func validate(c *snapshot.Capture) error {
	if c.Schema != snapshot.Schema {
		if err := checkFormat(c.Schema, snapshot.Schema); err != nil {
			return fmt.Errorf("the capture: %w", err)
		}
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
			return fmt.Errorf("the capture's node %d stands at position %d: it is not a full capture", n.I, i)
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
