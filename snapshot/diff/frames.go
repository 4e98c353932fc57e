package diff

// pairFrames names which frame of b is which of a: the same document, else the same
// frame id, else both are the main frame.
func (p *pairing) pairFrames() {
	p.frame, p.frameRule = make([]int, len(p.a.Frames)), make([]string, len(p.a.Frames))
	taken := make([]bool, len(p.b.Frames))
	at := make(map[string]int, len(p.b.Frames))
	for j := range p.b.Frames {
		if id := p.b.Frames[j].ID; id != "" {
			at[id] = j
		}
	}
	for i := range p.a.Frames {
		p.frame[i] = -1
		j, ok := at[p.a.Frames[i].ID]
		if !ok || taken[j] || (i == 0) != (j == 0) {
			continue
		}
		p.frame[i], p.frameRule[i], taken[j] = j, "frame id", true
		if p.same(i, j) {
			p.frameRule[i] = "document"
		}
	}
	if len(p.a.Frames) > 0 && len(p.b.Frames) > 0 && p.frame[0] < 0 {
		p.frame[0], p.frameRule[0] = 0, "main frame"
	}
}

// pairOwners pairs the frames that are left: those whose frame elements were paired,
// else those that are at the same path, else those with an address that no other
// frame has.
func (p *pairing) pairOwners() {
	taken := map[int]bool{}
	for _, j := range p.frame {
		taken[j] = true
	}
	owners, paths, urls := map[int]int{}, map[string]int{}, map[string][]int{}
	for j := range p.b.Frames {
		f := &p.b.Frames[j]
		if taken[j] {
			continue
		}
		if n := p.b.Node(f.Owner); n != nil {
			owners[n.I] = j
			if n.Path != "" {
				paths[n.Path] = j
			}
		}
		urls[f.URL] = append(urls[f.URL], j)
	}
	count := map[string]int{}
	for i := range p.a.Frames {
		if p.frame[i] < 0 {
			count[p.a.Frames[i].URL]++
		}
	}
	join := func(i, j int, rule string) {
		if p.frame[i] < 0 && !taken[j] {
			p.frame[i], p.frameRule[i], taken[j] = j, rule, true
		}
	}
	for i := range p.a.Frames {
		f := &p.a.Frames[i]
		if p.frame[i] >= 0 {
			continue
		}
		if pos := p.posA(f.Owner); pos >= 0 {
			if other := p.toB[pos]; other >= 0 {
				if j, ok := owners[p.b.Nodes[other].I]; ok {
					join(i, j, "owner")
				}
			}
			if j, ok := paths[p.a.Nodes[pos].Path]; ok {
				join(i, j, "path")
			}
		}
		if same := urls[f.URL]; len(same) == 1 && count[f.URL] == 1 && f.URL != "" {
			join(i, same[0], "url")
		}
	}
}

// frames lists the frames that differ. The main frame's address is a page fact.
func (w *comparison) frames() {
	found := make([]bool, len(w.b.Frames))
	for i := range w.a.Frames {
		x, j := &w.a.Frames[i], w.frame[i]
		if j < 0 {
			w.Frames = append(w.Frames, FrameChange{Kind: "removed", Before: i, After: -1, From: x.URL})
			continue
		}
		found[j] = true
		y := &w.b.Frames[j]
		change := func(kind, why string) {
			w.Frames = append(w.Frames, FrameChange{Kind: kind, Before: i, After: j, From: x.URL, To: y.URL, Why: why,
				Rule: w.frameRule[i]})
		}
		switch {
		case i == 0:
		case Navigated(x.URL, y.URL) && x.URL != y.URL:
			change("navigated", "")
		case w.documents(i, j) && !w.same(i, j) && w.frameRule[i] == "frame id":
			change("reloaded", "")
		}
		switch {
		case x.Readable && !y.Readable:
			change("unreadable", y.Why)
		case !x.Readable && y.Readable:
			change("readable", x.Why)
		}
	}
	for j := range w.b.Frames {
		if !found[j] {
			w.Frames = append(w.Frames, FrameChange{Kind: "added", Before: -1, After: j, To: w.b.Frames[j].URL,
				Why: w.b.Frames[j].Why})
		}
	}
}
