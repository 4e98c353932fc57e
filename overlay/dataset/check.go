package dataset

import (
	"context"
	"fmt"
	"image"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/text"
)

// Rule is what a set is checked for.
type Rule string

// The rules.
const (
	Format    Rule = "format"     // a file is not of its form, a picture is missing or not of the size that is given
	BoxForm   Rule = "box-form"   // boxes are of the other form: two corners, or corner and size
	OutBox    Rule = "outside"    // a box reaches out of its picture, or has no area
	Empty     Rule = "empty"      // a box and its edge are one even colour
	Ambiguous Rule = "ambiguous"  // an instruction has several boxes in a picture
	Repeated  Rule = "repeated"   // an example is there twice
	Duplicate Rule = "duplicate"  // two pictures look the same
	Leak      Rule = "leak"       // two splits have a site in common, or pictures that look the same
	Unlabeled Rule = "unlabelled" // a picture has no example
)

// Rules lists all rules with what they find.
func Rules() []struct {
	Rule Rule
	What string
} {
	return []struct {
		Rule Rule
		What string
	}{
		{Format, "a file is not of its form, or a picture is missing, cannot be read or has another size than the " +
			"set gives"},
		{BoxForm, "boxes are of the other form: two corners, or a corner and a size"},
		{OutBox, "a box reaches out of its picture, or has no area"},
		{Empty, "a box and its edge are one even colour"},
		{Ambiguous, "an instruction fits several elements of a picture"},
		{Repeated, "the same example is there twice"},
		{Duplicate, "two pictures look the same"},
		{Leak, "two splits share a site, or pictures that look the same"},
		{Unlabeled, "a picture has no example"},
	}
}

// Finding is one thing that is wrong with a set.
type Finding struct {
	Rule    Rule   `json:"rule"`
	Where   string `json:"where"`           // file and number in it
	Image   string `json:"image,omitempty"` // path in the set
	Box     *Box   `json:"box,omitempty"`
	Message string `json:"message"` // what is wrong, a sentence
}

// Report is what a check found.
type Report struct {
	Shape    Shape        `json:"shape"`
	Pictures int          `json:"pictures"` // pictures that were checked
	Examples int          `json:"examples"` // examples that were checked
	Counts   map[Rule]int `json:"counts"`   // how many findings each rule has
	Findings []Finding    `json:"findings"`
}

// looked is what is known of one picture once it has been opened.
type looked struct {
	print   likeness.Print
	size    image.Point
	found   []Finding
	missing bool
	swapped int // boxes that reach out of it as they are and would not in the other form
	boxes   int
}

// Check measures a set that was read from the folder. progress, which may be nil, is called after each picture from
// several goroutines.
func Check(ctx context.Context, fsys fs.FS, s *Stored, progress func()) (*Report, error) {
	of := map[string][]int{}
	for i := range s.Items {
		of[s.Items[i].Image] = append(of[s.Items[i].Image], i)
	}
	all := make([]looked, len(s.Images))
	next := make(chan int)
	var work sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(s.Images)) {
		work.Go(func() {
			for i := range next {
				all[i] = s.inspect(fsys, s.Images[i], of[s.Images[i]])
				if progress != nil {
					progress()
				}
			}
		})
	}
	var err error
	for i := range s.Images {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
			err = ctx.Err()
		}
		break
	}
	close(next)
	work.Wait()
	if err != nil {
		return nil, err
	}
	r := &Report{Shape: s.Shape, Pictures: len(s.Images), Examples: len(s.Items), Counts: map[Rule]int{},
		Findings: slices.Clone(s.Faults)}
	swapped, boxes := 0, 0
	for i := range all {
		r.Findings = append(r.Findings, all[i].found...)
		swapped, boxes = swapped+all[i].swapped, boxes+all[i].boxes
		if len(of[s.Images[i]]) == 0 && s.Shape != YOLO && s.Shape != COCO && s.Shape != ImageFolder {
			r.Findings = append(r.Findings, Finding{Rule: Unlabeled, Where: s.Images[i], Image: s.Images[i],
				Message: "no example is of this picture"})
		}
	}
	if other, is := map[Shape]string{ScreenSpot: "x1, y1, x2, y2",
		ScreenSpotPro: "left, top, width, height"}[s.Shape]; is &&
		4*swapped > boxes && boxes > 0 {
		r.Findings = append(r.Findings, Finding{Rule: BoxForm, Where: string(s.Shape), Message: fmt.Sprintf(
			"%d of %d boxes make no sense in the form of %s, and would as %s", swapped, boxes, s.Shape, other)})
	}
	s.alike(all, r)
	s.leaks(r)
	for i := range r.Findings {
		r.Counts[r.Findings[i].Rule]++
	}
	return r, nil
}

// inspect opens one picture and holds its examples against it. Boxes of 1 become boxes in px.
func (s *Stored) inspect(fsys fs.FS, name string, items []int) looked {
	var l looked
	find := func(rule Rule, it *Item, format string, args ...any) {
		f := Finding{Rule: rule, Where: name, Image: name, Message: fmt.Sprintf(format, args...)}
		if it != nil {
			box := it.Box
			f.Where, f.Box = it.Where, &box
		}
		l.found = append(l.found, f)
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		l.missing = true // a fault was noted as the annotations were read
		return l
	}
	img, err := likeness.Decode(data)
	if err != nil {
		l.missing = true
		find(Format, nil, "%v", err)
		return l
	}
	l.print, l.size = likeness.PrintOf(img), img.Bounds().Size()
	w, h := float64(l.size.X), float64(l.size.Y)
	alike, sized := map[string][]*Item{}, false // by their instruction
	for _, i := range items {
		it := &s.Items[i]
		if it.relative {
			it.Box, it.relative = Box{it.Box[0] * w, it.Box[1] * h, it.Box[2] * w, it.Box[3] * h}, false
		}
		if it.Size != ([2]int{}) && it.Size != [2]int{l.size.X, l.size.Y} && !sized {
			sized = true
			find(Format, nil, "the picture is %d x %d px, and the set gives it %d x %d", l.size.X, l.size.Y,
				it.Size[0], it.Size[1])
		}
		if it.HasBox {
			l.checkBox(img, it, s.Shape, find)
		}
		if key := it.sameInstruction(); key != "" {
			alike[key] = append(alike[key], it)
		}
	}
	for _, i := range items { // in the order of the set
		same := alike[s.Items[i].sameInstruction()]
		if len(same) < 2 || same[0] != &s.Items[i] {
			continue
		}
		for _, other := range same[1:] {
			if other.Negative == same[0].Negative && (!other.HasBox || overlap(same[0].Box, other.Box) > 0.95) {
				find(Repeated, other, "%s is there as %s too",
					text.QuoteLine(text.Cut(text.Line(other.Instruction), 100)),
					same[0].Where)
			} else {
				find(Ambiguous, other, "%s is also the instruction of %s, for another place",
					text.QuoteLine(text.Cut(text.Line(other.Instruction), 100)), same[0].Where)
			}
		}
	}
	return l
}

// sameInstruction are the instruction without what does not tell two apart: case and spaces.
func (it *Item) sameInstruction() string {
	return strings.Join(strings.Fields(strings.ToLower(it.Instruction)), " ")
}

// slack is by how many px a box may reach out of its picture: sets round.
const slack = 1

// checkBox holds one box against its picture.
func (l *looked) checkBox(img image.Image, it *Item, shape Shape, find func(Rule, *Item, string, ...any)) {
	b, w, h := it.Box, float64(l.size.X), float64(l.size.Y)
	l.boxes++
	inside := func(b Box) bool {
		return b[0] >= -slack && b[1] >= -slack && b[2] > 0 && b[3] > 0 && b[0]+b[2] <= w+slack && b[1]+b[3] <= h+slack
	}
	if !inside(b) {
		other := Box{b[0], b[1], b[2] - b[0], b[3] - b[1]} // a size that is a corner
		if shape == ScreenSpotPro {
			other = Box{b[0], b[1], b[0] + b[2], b[1] + b[3]}
		}
		if inside(other) {
			l.swapped++
		}
		for _, v := range b {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				find(OutBox, it, "its box is not of numbers")
				return
			}
		}
		find(OutBox, it, "its box %s is not in the picture of %d x %d px", b, l.size.X, l.size.Y)
		return
	}
	at := image.Rect(int(b[0]), int(b[1]), int(math.Ceil(b[0]+b[2])), int(math.Ceil(b[1]+b[3])))
	if !it.Negative && blank(img, at) {
		find(Empty, it, "its box %s holds nothing but one colour", b)
	}
}

// String writes the box as in a message.
func (b Box) String() string { return fmt.Sprintf("[%g, %g, %g, %g]", b[0], b[1], b[2], b[3]) }

// overlap is the intersection of two boxes over their union.
func overlap(a, b Box) float64 {
	w := min(a[0]+a[2], b[0]+b[2]) - max(a[0], b[0])
	h := min(a[1]+a[3], b[1]+b[3]) - max(a[1], b[1])
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h / (a[2]*a[3] + b[2]*b[3] - w*h)
}

// alike finds pictures that look the same, in one split and in two.
func (s *Stored) alike(all []looked, r *Report) {
	bySize := map[image.Point][]int{}
next:
	for i := range all {
		if all[i].missing {
			continue
		}
		for _, k := range bySize[all[i].size] {
			if !all[i].print.Same(all[k].print) {
				continue
			}
			a, b := s.Images[k], s.Images[i]
			f := Finding{Rule: Duplicate, Where: b, Image: b, Message: "it looks like " + a}
			if s.split[a] != s.split[b] {
				f.Rule = Leak
				f.Message = fmt.Sprintf("it is in %s and looks like %s in %s", splitName(s.split[b]),
					a, splitName(s.split[a]))
			}
			r.Findings = append(r.Findings, f)
			continue next
		}
		bySize[all[i].size] = append(bySize[all[i].size], i)
	}
}

// leaks finds sites that are in two splits.
func (s *Stored) leaks(r *Report) {
	first := map[string]string{}  // the picture that has a site first
	reported := map[string]bool{} // sites
	for _, image := range s.Images {
		site := s.sites[image]
		if site == "" || s.split[image] == "" {
			continue
		}
		at, known := first[site]
		switch {
		case !known:
			first[site] = image
		case s.split[at] != s.split[image] && !reported[site]:
			reported[site] = true
			r.Findings = append(r.Findings, Finding{Rule: Leak, Where: image, Image: image, Message: fmt.Sprintf(
				"the site %s is in %s and in %s", text.Line(site), splitName(s.split[at]), splitName(s.split[image]))})
		}
	}
}
