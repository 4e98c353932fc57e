package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
	"go.yaml.in/yaml/v3"
)

// Stored is a set as it is on disk, of whatever program.
type Stored struct {
	Shape Shape
	// Images are the pictures that the set names, in the order in which it does, by their paths in it.
	Images []string
	Items  []Item
	// Faults are what is wrong with its files as such.
	Faults []Finding

	sites map[string]string // of pictures, where the set says so
	split map[string]string // of pictures
	roles map[string]string // of classes: that of the first item with each
	// paths of all pictures by their paths, lower case, and by their names where only one has it
	files map[string]string
}

// Item is one example: a box, an instruction, or both.
type Item struct {
	Where       string // file and number in it, from 1
	Image       string // path in the set
	Box         Box
	HasBox      bool
	Size        [2]int // that the set gives the picture, 0 for none
	Instruction string // "" for none
	Label       string // role or class, "" for none
	Negative    bool

	relative bool // the box is of 1 and not of px, until the picture is known
}

// Box is left, top, width and height in px of the picture.
type Box [4]float64

// maxFile is the largest file of annotations that is read, bytes.
const maxFile = 1 << 30

// Read reads a set from its folder. With an empty shape it finds out which it is. Annotations that make no sense are
// faults of the set; an error is that there is no set, or none that can be read.
func Read(fsys fs.FS, shape Shape) (*Stored, error) {
	s := &Stored{Shape: shape, sites: map[string]string{}, split: map[string]string{}, files: map[string]string{},
		roles: map[string]string{}}
	texts, err := s.scan(fsys)
	if err != nil {
		return nil, err
	}
	if s.Shape == "" {
		if s.Shape, err = detect(fsys, texts); err != nil {
			return nil, err
		}
	}
	if s.Shape == YOLO {
		return s, s.readYOLO(fsys, texts)
	}
	found := 0
	for _, name := range texts {
		data, err := readFile(fsys, name)
		if err != nil {
			return nil, err
		}
		if !fits(s.Shape, data) {
			continue
		}
		found++
		if s.Shape == COCO {
			s.readCOCO(name, data)
		} else {
			s.readRows(fsys, name, data)
		}
	}
	if found == 0 {
		return nil, fmt.Errorf("there are no annotations of the form %s", s.Shape)
	}
	return s, nil
}

// scan lists the files that may hold annotations, and learns where the pictures are. Where annotations.json is, files
// for its splits repeat it.
func (s *Stored) scan(fsys fs.FS) ([]string, error) {
	var texts []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "manifests"):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		switch strings.ToLower(path.Ext(name)) {
		case ".json", ".jsonl", ".yaml", ".yml":
			texts = append(texts, name)
		case ".txt":
			if path.Base(path.Dir(name)) == "labels" || strings.HasPrefix(name, "labels/") ||
				strings.Contains(name, "/labels/") {
				texts = append(texts, name)
			}
		case ".png", ".jpg", ".jpeg", ".webp", ".gif":
			s.files[strings.ToLower(name)] = name
			base := strings.ToLower(path.Base(name))
			if _, twice := s.files["/"+base]; twice {
				name = ""
			}
			s.files["/"+base] = name
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the set: %w", err)
	}
	if slices.Contains(texts, "annotations.json") {
		texts = slices.DeleteFunc(texts, func(name string) bool {
			return strings.HasPrefix(name, "annotations-") && strings.HasSuffix(name, ".json")
		})
	}
	return texts, nil
}

// picture is the path of a picture that annotations in a file name, which may be from the set's folder, from the
// folder of pictures, from that of the file, or the name alone.
func (s *Stored) picture(file, named string) (string, bool) {
	named = strings.TrimPrefix(strings.ReplaceAll(named, `\`, "/"), "./")
	for _, at := range []string{named, path.Join(path.Dir(file), named), path.Join(ImageDir, named),
		"/" + path.Base(named)} {
		if found := s.files[strings.ToLower(at)]; found != "" {
			return found, true
		}
	}
	return text.Cut(text.Line(named), 200), false
}

func readFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err == nil && info.Size() > maxFile {
		err = errors.New("it is larger than 1 GiB")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return fs.ReadFile(fsys, name)
}

// shapeOf is the shape of annotations, "" for none that is known.
func shapeOf(data []byte) Shape {
	var one struct {
		Images        json.RawMessage `json:"images"`
		Annotations   json.RawMessage `json:"annotations"`
		Conversations json.RawMessage `json:"conversations"`
		Size          json.RawMessage `json:"img_size"`
		Kind          json.RawMessage `json:"ui_type"`
		Image         json.RawMessage `json:"img_filename"`
		Question      json.RawMessage `json:"question"`
		Answer        json.RawMessage `json:"answer"`
		File          json.RawMessage `json:"file_name"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if first := bytes.TrimLeft(data, " \t\r\n\ufeff"); len(first) > 0 && first[0] == '[' {
		if _, err := d.Token(); err != nil || !d.More() {
			return ""
		}
	}
	if d.Decode(&one) != nil {
		return ""
	}
	switch {
	case one.Images != nil && one.Annotations != nil:
		return COCO
	case one.Conversations != nil:
		return LLaVA
	case one.Image != nil && (one.Size != nil || one.Kind != nil):
		return ScreenSpotPro
	case one.Image != nil:
		return ScreenSpot
	case one.Question != nil && one.Answer != nil:
		return SoM
	case one.File != nil:
		return ImageFolder
	}
	return ""
}

// fits reports whether annotations are of a shape. An empty list is of any shape of lists.
func fits(shape Shape, data []byte) bool {
	if bytes.Equal(bytes.Join(bytes.Fields(data), nil), []byte("[]")) {
		return shape == ScreenSpot || shape == ScreenSpotPro || shape == LLaVA
	}
	return shapeOf(data) == shape || len(bytes.TrimSpace(data)) == 0 && (shape == SoM || shape == ImageFolder)
}

// detect finds out the shape of a set.
func detect(fsys fs.FS, texts []string) (Shape, error) {
	empty := false
	for _, name := range texts {
		if ext := strings.ToLower(path.Ext(name)); ext != ".json" && ext != ".jsonl" {
			continue
		}
		data, err := readFile(fsys, name)
		if err != nil {
			return "", err
		}
		if name == "sources.jsonl" {
			continue // beside the labels of YOLO
		}
		if shape := shapeOf(data); shape != "" {
			return shape, nil
		}
		empty = empty || len(bytes.TrimSpace(data)) < 4
	}
	for _, name := range texts {
		if strings.HasSuffix(name, ".txt") {
			return YOLO, nil
		}
	}
	if empty {
		return "", errors.New("its annotations are empty: name the form with --as")
	}
	return "", errors.New(
		"there are no annotations in a known form: screenspot, screenspot-pro, coco, yolo, llava, som " +
			"or imagefolder")
}

// row is an example of a list, with the members of all shapes that are lists.
type row struct {
	Image         string        `json:"img_filename"`
	Picture       string        `json:"image"`
	File          string        `json:"file_name"`
	Box           []json.Number `json:"bbox"`
	Instruction   string        `json:"instruction"`
	Question      string        `json:"question"`
	Answer        string        `json:"answer"`
	Manifest      string        `json:"manifest"`
	Kind          string        `json:"ui_type"`
	DataType      string        `json:"data_type"`
	Size          []json.Number `json:"img_size"`
	Truth         string        `json:"gt_type"`
	Split         string        `json:"split"`
	Source        rowSource     `json:"source"`
	Conversations []struct {
		From  string `json:"from"`
		Value string `json:"value"`
	} `json:"conversations"`
	Objects struct {
		Boxes        [][]json.Number `json:"bbox"`
		Categories   []json.Number   `json:"categories"`
		Roles        []string        `json:"roles"`
		Instructions []string        `json:"instructions"`
	} `json:"objects"`
	Lines []struct {
		Role string `json:"role"`
	} `json:"lines"` // of a file of labels of YOLO
}

// rowSource is where an example comes from, where a set says so; of others it may be anything.
type rowSource struct {
	Site   string
	Ref    int    // of its element
	Status Status // of its element, where it is one of ours
}

func (r *rowSource) UnmarshalJSON(b []byte) error {
	var known struct{ Site, Ref, Status json.RawMessage }
	if json.Unmarshal(b, &known) == nil {
		_ = json.Unmarshal(known.Site, &r.Site)
		_ = json.Unmarshal(known.Ref, &r.Ref)
		_ = json.Unmarshal(known.Status, &r.Status)
	}
	return nil
}

// denies is how an example and where it comes from contradict each other, "" where they do not: an element is there, or
// is one of those that are not to be found.
func (r *rowSource) denies(negative bool) string {
	switch {
	case negative && r.Status == Visible:
		return "its element is not there by its answer, and visible by its source"
	case !negative && r.Status.negative():
		return "it has a place for its element, which is " + string(r.Status) + " by its source"
	}
	return ""
}

// readRows reads a list, or a line for each example.
func (s *Stored) readRows(fsys fs.FS, name string, data []byte) {
	marks := &markedPictures{fsys: fsys}
	d := json.NewDecoder(bytes.NewReader(data))
	if first := bytes.TrimLeft(data, " \t\r\n"); len(first) > 0 && first[0] == '[' {
		_, _ = d.Token() // the bracket
	}
	split := ""
	if s.Shape == ImageFolder && path.Dir(name) != "." {
		split = path.Dir(name)
	}
	for n := 1; d.More(); n++ {
		where := fmt.Sprintf("%s:%d", name, n)
		var r row
		if err := d.Decode(&r); err != nil {
			s.fault(where, "", "it is not an example of the form %s: %v", s.Shape, err)
			var kind *json.UnmarshalTypeError
			if !errors.As(err, &kind) {
				return // what follows cannot be found
			}
			continue
		}
		if r.Split == "" {
			r.Split = split
		}
		s.addRow(name, where, &r, marks)
	}
}

func (s *Stored) addRow(name, where string, r *row, marks *markedPictures) {
	named := r.Image
	if s.Shape == ImageFolder {
		named = r.File
	} else if s.Shape == LLaVA || s.Shape == SoM {
		named = r.Picture
	}
	image := s.addImage(name, where, named, r.Split, r.Source.Site)
	item := Item{Where: where, Image: image, Instruction: r.Instruction, Negative: r.Truth == "negative",
		Label: r.Kind + r.DataType}
	if size, ok := numbers(r.Size, 2); ok {
		item.Size = [2]int{int(size[0]), int(size[1])}
	}
	switch s.Shape {
	case ImageFolder:
		for i, b := range r.Objects.Boxes {
			one := Item{Where: fmt.Sprintf("%s box %d", where, i+1), Image: image}
			if i < len(r.Objects.Instructions) {
				one.Instruction = r.Objects.Instructions[i]
			}
			if i < len(r.Objects.Roles) {
				one.Label = r.Objects.Roles[i]
				if i < len(r.Objects.Categories) {
					s.sameClass(&one, string(r.Objects.Categories[i]))
				}
			}
			s.addBox(&one, b, false)
		}
		return
	case LLaVA:
		for i := 0; i+1 < len(r.Conversations); i += 2 {
			one := Item{Where: where, Image: image,
				Instruction: strings.TrimSpace(strings.ReplaceAll(r.Conversations[i].Value,
					"<image>", ""))}
			if strings.Count(r.Conversations[i].Value, "<image>") > 1 {
				s.fault(where, image, "it has more than one <image>")
			}
			if b, ok := answered(r.Conversations[i+1].Value); ok {
				one.Box, one.HasBox, one.relative = b, true, true
			} else {
				one.Negative = true
			}
			if why := r.Source.denies(one.Negative); why != "" {
				s.fault(where, image, "%s", why)
			}
			s.Items = append(s.Items, one)
		}
		return
	case SoM:
		item.Instruction, item.Negative = r.Question, r.Answer == "none"
		item.Label = r.Answer
		if why := cmp.Or(r.Source.denies(item.Negative), marks.wrong(r, item.Size)); why != "" {
			s.fault(where, image, "%s", why)
		}
		if len(r.Box) == 0 {
			s.Items = append(s.Items, item)
			return
		}
	case ScreenSpot, ScreenSpotPro:
		if why := r.Source.denies(item.Negative); why != "" {
			s.fault(where, image, "%s", why)
		}
	}
	s.addBox(&item, r.Box, s.Shape == ScreenSpotPro)
}

// sameClass holds the role of an item against that of the first one with its class.
func (s *Stored) sameClass(it *Item, class string) {
	first, known := s.roles[class]
	if !known {
		s.roles[class] = it.Label
	} else if first != it.Label {
		s.otherClass(it.Where, it.Image, first, it.Label)
	}
}

func (s *Stored) otherClass(where, image, class, role string) {
	s.fault(where, image, "its class is %s, and its element is %s", text.Quote(text.Cut(text.Line(class), 40)),
		text.Quote(text.Cut(text.Line(role), 40)))
}

// addBox adds an item with its box; corners: it is x1, y1, x2, y2.
func (s *Stored) addBox(item *Item, b []json.Number, corners bool) {
	v, ok := numbers(b, 4)
	if !ok {
		s.fault(item.Where, item.Image, "its box is not four numbers")
		return
	}
	item.Box, item.HasBox = Box(v), true
	if corners {
		item.Box[2], item.Box[3] = v[2]-v[0], v[3]-v[1]
	}
	s.Items = append(s.Items, *item)
}

// answered reads a box of 1, x1, y1, x2, y2, from an answer.
func answered(s string) (Box, bool) {
	_, s, _ = strings.Cut(s, "[")
	s, _, ok := strings.Cut(s, "]")
	parts := strings.Split(s, ",")
	if !ok || len(parts) != 4 {
		return Box{}, false
	}
	var v [4]float64
	for i, p := range parts {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(p), 64); err != nil {
			return Box{}, false
		}
	}
	return Box{v[0], v[1], v[2] - v[0], v[3] - v[1]}, true
}

func numbers(list []json.Number, n int) ([]float64, bool) {
	if len(list) != n {
		return nil, false
	}
	out := make([]float64, n)
	for i, v := range list {
		var err error
		if out[i], err = v.Float64(); err != nil {
			return nil, false
		}
	}
	return out, true
}

// addImage adds a picture and returns its path.
func (s *Stored) addImage(file, where, named, split, site string) string {
	image, ok := s.picture(file, named)
	_, known := s.split[image]
	if !known {
		s.Images = append(s.Images, image)
		s.split[image], s.sites[image] = split, site
		if !ok {
			s.fault(where, image, "the picture %s is not there", text.Quote(image))
		}
	} else if s.split[image] != split {
		s.Faults = append(s.Faults, Finding{Rule: Leak, Where: where, Image: image,
			Message: fmt.Sprintf("the picture is in %s and in %s", splitName(s.split[image]), splitName(split))})
	}
	return image
}

func splitName(split string) string {
	if split == "" {
		return "no split"
	}
	return text.Line(split)
}

func (s *Stored) fault(where, image, format string, args ...any) {
	s.Faults = append(s.Faults, Finding{Rule: Format, Where: where, Image: image,
		Message: fmt.Sprintf(format, args...)})
}

// readCOCO reads the form of COCO and checks what pycocotools takes for granted.
func (s *Stored) readCOCO(name string, data []byte) {
	var f struct {
		Images []struct {
			ID     int64     `json:"id"`
			Width  int       `json:"width"`
			Height int       `json:"height"`
			File   string    `json:"file_name"`
			Split  string    `json:"split"`
			Source rowSource `json:"source"`
		} `json:"images"`
		Annotations []struct {
			ID         int64         `json:"id"`
			Image      int64         `json:"image_id"`
			Category   int64         `json:"category_id"`
			Box        []json.Number `json:"bbox"`
			Area       *float64      `json:"area"`
			Crowd      json.Number   `json:"iscrowd"`
			Attributes struct {
				Instruction string `json:"instruction"`
				Occluded    bool   `json:"occluded"`
				Status      string `json:"status"`
				Role        string `json:"role"`
			} `json:"attributes"`
		} `json:"annotations"`
		Categories []struct {
			ID   int64  `json:"id"`
			Name string `json:"name"`
		} `json:"categories"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		s.fault(name, "", "it is not of the form of COCO: %v", err)
		return
	}
	images, sizes := map[int64]string{}, map[int64][2]int{}
	for i, m := range f.Images {
		where := fmt.Sprintf("%s image %d", name, i+1)
		if _, twice := images[m.ID]; twice {
			s.fault(where, "", "its id %d is that of another picture", m.ID)
		}
		images[m.ID] = s.addImage(name, where, m.File, m.Split, m.Source.Site)
		sizes[m.ID] = [2]int{m.Width, m.Height}
	}
	categories := map[int64]string{}
	for _, c := range f.Categories {
		if _, twice := categories[c.ID]; twice {
			s.fault(name, "", "two categories have the id %d", c.ID)
		}
		categories[c.ID] = c.Name
	}
	ids := map[int64]bool{}
	for i, a := range f.Annotations {
		where := fmt.Sprintf("%s annotation %d", name, i+1)
		image, known := images[a.Image]
		label, of := categories[a.Category]
		switch {
		case ids[a.ID]:
			s.fault(where, image, "its id %d is that of another annotation", a.ID)
		case a.ID == 0:
			s.fault(where, image, "its id is 0, which pycocotools takes for no match")
		case !known:
			s.fault(where, "", "there is no picture with the id %d", a.Image)
			continue
		case !of:
			s.fault(where, image, "there is no category with the id %d", a.Category)
		case a.Area == nil || !(*a.Area > 0):
			s.fault(where, image, "it has no area")
		case a.Crowd != "0" && a.Crowd != "1":
			s.fault(where, image, "its iscrowd is neither 0 nor 1")
		}
		if role := a.Attributes.Role; of && role != "" && role != label {
			s.otherClass(where, image, label, role)
		}
		ids[a.ID] = true
		item := Item{Where: where, Image: image, Size: sizes[a.Image], Instruction: a.Attributes.Instruction,
			Label:    label,
			Negative: Status(a.Attributes.Status).negative()}
		s.addBox(&item, a.Box, false)
	}
}

// readYOLO reads labels beside pictures; the last folder named labels in a path stands for images.
func (s *Stored) readYOLO(fsys fs.FS, texts []string) error {
	sites, roles := map[string]string{}, map[string][]string{} // roles of the lines of labels
	if data, err := readFile(fsys, "sources.jsonl"); err == nil {
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var r row
			if json.Unmarshal(lines.Bytes(), &r) == nil {
				sites[r.Picture] = r.Source.Site
				for _, l := range r.Lines {
					roles[r.Picture] = append(roles[r.Picture], l.Role)
				}
			}
		}
	}
	classes := s.classes(fsys)
	found := false
	for _, name := range texts {
		if !strings.HasSuffix(strings.ToLower(name), ".txt") {
			continue
		}
		found = true
		image, ok := s.labelled(name)
		if !ok {
			s.fault(name, "", "there is no picture for it")
			continue
		}
		split := strings.Trim(strings.TrimPrefix(path.Dir(image), ImageDir), "/")
		s.addImage(name, name, image, split, sites[image])
		data, err := readFile(fsys, name)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
			fields := strings.Fields(line)
			if len(fields) == 0 {
				continue
			}
			where := fmt.Sprintf("%s:%d", name, n+1)
			var v [5]float64
			good := len(fields) == 5
			for i := range min(5, len(fields)) {
				var err error
				if v[i], err = strconv.ParseFloat(fields[i], 64); err != nil {
					good = false
				}
			}
			if !good {
				s.fault(where, image, "it is not a class and four numbers")
				continue
			}
			class, known := classes[fields[0]]
			if of := roles[image]; known && n < len(of) && of[n] != "" && of[n] != class {
				s.otherClass(where, image, class, of[n])
			}
			if classes != nil && !known {
				s.fault(where, image, "data.yaml has no class %s", text.Quote(text.Cut(text.Line(fields[0]), 40)))
			}
			s.Items = append(s.Items, Item{Where: where, Image: image, HasBox: true, relative: true, Label: fields[0],
				Box: Box{v[1] - v[3]/2, v[2] - v[4]/2, v[3], v[4]}})
		}
	}
	if !found {
		return errors.New("there are no labels in the form of yolo")
	}
	for _, image := range slices.Sorted(maps.Values(s.files)) {
		if _, labelled := s.split[image]; labelled || !strings.Contains("/"+image, "/"+ImageDir+"/") {
			continue
		}
		s.addImage(image, image, image, strings.Trim(strings.TrimPrefix(path.Dir(image), ImageDir), "/"), sites[image])
		s.Faults = append(s.Faults, Finding{Rule: Unlabeled, Where: image, Image: image,
			Message: "it has no file of labels: an empty one is for a picture that holds nothing"})
	}
	return nil
}

// classes are the classes that data.yaml names, by their numbers; nil where there is no such file.
func (s *Stored) classes(fsys fs.FS) map[string]string {
	data, err := readFile(fsys, "data.yaml")
	if err != nil {
		return nil
	}
	var f struct{ Names yaml.Node }
	if err := yaml.Unmarshal(data, &f); err != nil {
		s.fault("data.yaml", "", "it cannot be read: %v", err)
		return nil
	}
	out := map[string]string{}
	switch f.Names.Kind {
	case yaml.SequenceNode:
		for i, n := range f.Names.Content {
			out[strconv.Itoa(i)] = n.Value
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(f.Names.Content); i += 2 {
			out[f.Names.Content[i].Value] = f.Names.Content[i+1].Value
		}
	default:
		s.fault("data.yaml", "", "it names no classes")
		return nil
	}
	return out
}

// labelled is the picture that a file of labels is about.
func (s *Stored) labelled(label string) (string, bool) {
	stem := strings.TrimSuffix(label, path.Ext(label))
	if i := strings.LastIndex("/"+stem, "/labels/"); i >= 0 {
		stem = stem[:i] + ImageDir + stem[i+len("labels"):]
	}
	for _, ext := range []string{".png", ".jpg", ".jpeg", ".webp"} {
		if found := s.files[strings.ToLower(stem+ext)]; found != "" {
			return found, true
		}
	}
	return "", false
}
