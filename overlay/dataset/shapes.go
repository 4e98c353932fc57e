package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// The shapes, each as its trainer or benchmark reads it. A box is in px of the picture.
//
//	screenspot      annotations.json: a list of {img_filename, bbox: [left, top, width, height], instruction,
//	                data_type: text or icon, data_source}
//	screenspot-pro  annotations.json: a list of {img_filename, bbox: [x1, y1, x2, y2], instruction, id, img_size,
//	                ui_type: text or icon, platform, application, group, gt_type: positive or negative}
//	coco            annotations.json: info, licenses, images, annotations with bbox [left, top, width, height],
//	                categories
//	yolo            data.yaml, and for each picture labels/NAME.txt: class, middle x and y, width, height, of 1
//	llava           annotations.json: a list of {id, image, conversations}; boxes in answers are x1, y1, x2, y2, of 1
//	som             metadata.jsonl: {image, marked, manifest, question, answer}
//	imagefolder     metadata.jsonl: {file_name, objects: {bbox: [left, top, width, height] …, categories …}}
//
// img_filename, and file_name of coco, are names in the folder of pictures; paths elsewhere are from the set's folder.
// Members beyond these, such as source, are ours; trainers pass over what they do not know.
//
// A set with splits has in addition annotations-NAME.json for each; a YOLO set has a folder for each in images and
// labels; an imagefolder has a folder for each, with its own images and metadata.jsonl, as that loader wants it.

// File is one file of a set, by its path from the set's folder with slashes.
type File struct {
	Name string
	Data []byte
}

// ImageDir is the folder of a set that has its pictures while it is made, and then unless splits move them.
const ImageDir = "images"

// Folder is where a page's pictures are in the finished set.
func (s *Set) Folder(p *Page) string {
	switch split := s.split[p]; {
	case split == "":
	case s.Options.Shape == YOLO:
		return path.Join(ImageDir, split)
	case s.Options.Shape == ImageFolder:
		return path.Join(split, ImageDir)
	}
	return ImageDir
}

// Files are all files of the set but its pictures and manifests. made is what made it, for the card.
func (s *Set) Files(made Making) ([]File, error) {
	write := map[Shape]func() ([]File, error){
		ScreenSpot:    func() ([]File, error) { return s.lists(s.screenSpot) },
		ScreenSpotPro: func() ([]File, error) { return s.lists(s.screenSpotPro) },
		LLaVA:         func() ([]File, error) { return s.lists(s.llava) },
		COCO:          s.coco, YOLO: s.yolo, SoM: s.som, ImageFolder: s.imageFolder,
	}[s.Options.Shape]
	if write == nil {
		return nil, fmt.Errorf("unknown shape %q: choose from %s", s.Options.Shape, joined(Shapes()))
	}
	files, err := write()
	if err != nil {
		return nil, fmt.Errorf("writing the set as %s: %w", s.Options.Shape, err)
	}
	return append(files, File{"README.md", s.card(made)}), nil
}

// marshal is json.Marshal without the escapes that only HTML needs.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// provenance is where an example comes from.
type provenance struct {
	Source
	Ref     int    `json:"ref"`
	Node    int    `json:"node"`
	Path    string `json:"path,omitempty"`
	Verdict string `json:"verdict"`
	Status  Status `json:"status"`
}

func (x *example) source() provenance {
	return provenance{x.page.Source, x.element.Ref, x.element.Node, x.element.Path, x.element.Verdict, x.element.Status}
}

// annotations are annotations.json of all, and a file of its kind for each split.
func (s *Set) annotations(content func(split string) ([]byte, error)) ([]File, error) {
	var files []File
	add := func(name, split string) error {
		data, err := content(split)
		files = append(files, File{name, data})
		return err
	}
	err := add("annotations.json", "")
	for _, split := range s.Options.Splits {
		if err == nil {
			err = add("annotations-"+split.Name+".json", split.Name)
		}
	}
	return files, err
}

// lists writes examples as a JSON list with a line for each, and one for each split.
func (s *Set) lists(row func(x *example) any) ([]File, error) {
	all := s.examples()
	return s.annotations(func(split string) ([]byte, error) {
		var b bytes.Buffer
		b.WriteString("[")
		n := 0
		for i := range all {
			if split != "" && s.split[all[i].page] != split {
				continue
			}
			line, err := marshal(row(&all[i]))
			if err != nil {
				return nil, err
			}
			if n++; n > 1 {
				b.WriteByte(',')
			}
			b.WriteByte('\n')
			b.Write(line)
		}
		b.WriteString("\n]\n")
		return b.Bytes(), nil
	})
}

func (s *Set) screenSpot(x *example) any {
	return struct {
		Image       string     `json:"img_filename"`
		Box         [4]int     `json:"bbox"`
		Instruction string     `json:"instruction"`
		Kind        string     `json:"data_type"`
		From        string     `json:"data_source"`
		ID          string     `json:"id"`
		Split       string     `json:"split,omitempty"`
		Source      provenance `json:"source"`
	}{x.page.Image, x.element.Box, x.phrase.Text, x.element.Kind, "web", x.id, s.split[x.page], x.source()}
}

func (s *Set) screenSpotPro(x *example) any {
	e, truth := x.element, "positive"
	if x.negative {
		truth = "negative"
	}
	return struct {
		Image       string     `json:"img_filename"`
		Box         [4]int     `json:"bbox"`
		Instruction string     `json:"instruction"`
		ID          string     `json:"id"`
		Application string     `json:"application"`
		Platform    string     `json:"platform"`
		Size        [2]int     `json:"img_size"`
		Kind        string     `json:"ui_type"`
		Group       string     `json:"group"`
		Truth       string     `json:"gt_type"`
		Split       string     `json:"split,omitempty"`
		Source      provenance `json:"source"`
	}{x.page.Image, [4]int{e.Box[0], e.Box[1], e.right(), e.bottom()}, x.phrase.Text, x.id, x.page.Source.Site, "web",
		[2]int{x.page.Width, x.page.Height}, e.Kind, "Web", truth, s.split[x.page], x.source()}
}

// notThere is the answer about what is not to be found.
const notThere = "It cannot be clicked in this picture."

// llava asks for a box. The brackets of page text are replaced: <image> and the like are commands to that trainer.
func (s *Set) llava(x *example) any {
	type turn struct {
		From  string `json:"from"`
		Value string `json:"value"`
	}
	e, p := x.element, x.page
	of := func(px, all int) float64 { return float64(px) / float64(max(1, all)) }
	answer := fmt.Sprintf("[%.4f, %.4f, %.4f, %.4f]", of(e.Box[0], p.Width), of(e.Box[1], p.Height),
		of(e.right(), p.Width), of(e.bottom(), p.Height))
	if x.negative {
		answer = notThere
	}
	ask := strings.NewReplacer("<", "‹", ">", "›").Replace(x.phrase.Text)
	return struct {
		ID            string     `json:"id"`
		Image         string     `json:"image"`
		Conversations [2]turn    `json:"conversations"`
		Split         string     `json:"split,omitempty"`
		Source        provenance `json:"source"`
	}{x.id, path.Join(ImageDir, p.Image), [2]turn{{"human", "<image>\nGive the box of the element to use: " +
		ask + "."},
		{"gpt", answer}}, s.split[p], x.source()}
}

// categories are the roles of all boxes in the order of their names.
func (s *Set) categories() []string {
	roles := map[string]bool{}
	for _, p := range s.Pages {
		for _, e := range s.boxed(p) {
			roles[e.Role] = true
		}
	}
	return slices.Sorted(maps.Keys(roles))
}

type (
	cocoFile struct {
		Info        cocoInfo         `json:"info"`
		Licenses    []cocoLicense    `json:"licenses"`
		Images      []cocoImage      `json:"images"`
		Annotations []cocoAnnotation `json:"annotations"`
		Categories  []cocoCategory   `json:"categories"`
	}
	cocoInfo struct {
		Description string `json:"description"`
		Version     string `json:"version"`
	}
	cocoLicense struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	cocoImage struct {
		ID      int    `json:"id"`
		Width   int    `json:"width"`
		Height  int    `json:"height"`
		File    string `json:"file_name"`
		License int    `json:"license"`
		Split   string `json:"split,omitempty"`
		Source  Source `json:"source"`
	}
	cocoAnnotation struct {
		ID           int            `json:"id"`
		Image        int            `json:"image_id"`
		Category     int            `json:"category_id"`
		Box          [4]int         `json:"bbox"`
		Area         int            `json:"area"`
		Segmentation [1][8]int      `json:"segmentation"`
		Crowd        int            `json:"iscrowd"`
		Attributes   cocoAttributes `json:"attributes"`
	}
	cocoAttributes struct {
		Occluded     bool    `json:"occluded"`
		Truncated    bool    `json:"truncated"`
		VisibleShare float64 `json:"visible_share"`
		Status       Status  `json:"status"`
		Role         string  `json:"role"`
		Name         string  `json:"name"`
		Kind         string  `json:"ui_type"`
		Operable     bool    `json:"operable"`
		Instruction  string  `json:"instruction,omitempty"`
		Ref          int     `json:"ref"`
		Node         int     `json:"node"`
		Path         string  `json:"path,omitempty"`
		Verdict      string  `json:"verdict"`
	}
	cocoCategory struct {
		ID    int    `json:"id"`
		Name  string `json:"name"`
		Super string `json:"supercategory"`
	}
)

// coco numbers from 1: pycocotools takes an annotation with the id 0 for one that matched nothing.
func (s *Set) coco() ([]File, error) {
	roles := s.categories()
	list := []cocoCategory{}
	for i, r := range roles {
		list = append(list, cocoCategory{i + 1, r, "element"})
	}
	return s.annotations(func(split string) ([]byte, error) {
		f := cocoFile{
			Info:     cocoInfo{s.title(), "1.0"},
			Licenses: []cocoLicense{{1, s.license(), ""}}, Images: []cocoImage{}, Annotations: []cocoAnnotation{},
			Categories: list,
		}
		for i, p := range s.Pages {
			if split != "" && s.split[p] != split {
				continue
			}
			f.Images = append(f.Images, cocoImage{i + 1, p.Width, p.Height, p.Image, 1, s.split[p], p.Source})
			for _, e := range s.boxed(p) {
				x, y, r, b := e.Box[0], e.Box[1], e.right(), e.bottom()
				role, _ := slices.BinarySearch(roles, e.Role)
				a := cocoAnnotation{
					ID: len(f.Annotations) + 1, Image: i + 1, Category: role + 1, Box: e.Box, Area: e.Box[2] * e.Box[3],
					Segmentation: [1][8]int{{x, y, r, y, r, b, x, b}},
					Attributes: cocoAttributes{
						Occluded: e.Status == Covered || e.VisibleShare < 1, Truncated: e.Status == Clipped,
						VisibleShare: e.VisibleShare,
						Status:       e.Status, Role: e.Role, Name: e.Name, Kind: e.Kind, Operable: e.Operable,
						Ref:  e.Ref,
						Node: e.Node, Path: e.Path,
						Verdict: e.Verdict,
					},
				}
				if len(e.Phrases) > 0 {
					a.Attributes.Instruction = e.Phrases[0].Text
				}
				f.Annotations = append(f.Annotations, a)
			}
		}
		data, err := marshal(f)
		return append(data, '\n'), err
	})
}

// yolo also writes sources.jsonl with the provenance of each line, for which labels have no room.
func (s *Set) yolo() ([]File, error) {
	roles := s.categories()
	var files []File
	var sources bytes.Buffer
	for _, p := range s.Pages {
		var b bytes.Buffer
		type line struct {
			Ref     int    `json:"ref"`
			Node    int    `json:"node"`
			Role    string `json:"role"`
			Path    string `json:"path,omitempty"`
			Verdict string `json:"verdict"`
		}
		lines := []line{}
		for _, e := range s.boxed(p) {
			role, _ := slices.BinarySearch(roles, e.Role)
			w, h := float64(p.Width), float64(p.Height)
			fmt.Fprintf(&b, "%d %.6f %.6f %.6f %.6f\n", role, (float64(e.Box[0])+float64(e.Box[2])/2)/w,
				(float64(e.Box[1])+float64(e.Box[3])/2)/h, float64(e.Box[2])/w, float64(e.Box[3])/h)
			lines = append(lines, line{e.Ref, e.Node, e.Role, e.Path, e.Verdict})
		}
		label := strings.TrimSuffix(p.Image, path.Ext(p.Image)) + ".txt"
		files = append(files, File{path.Join("labels", s.split[p], label), b.Bytes()})
		row, err := marshal(struct {
			Image  string `json:"image"`
			Split  string `json:"split,omitempty"`
			Source Source `json:"source"`
			Lines  []line `json:"lines"`
		}{path.Join(s.Folder(p), p.Image), s.split[p], p.Source, lines})
		if err != nil {
			return nil, err
		}
		sources.Write(append(row, '\n'))
	}
	var b bytes.Buffer
	b.WriteString("path: .\n")
	if len(s.Options.Splits) == 0 {
		b.WriteString("train: images\nval: images\n")
	}
	for _, split := range s.Options.Splits {
		fmt.Fprintf(&b, "%s: images/%s\n", split.Name, split.Name)
	}
	b.WriteString("names:\n")
	for i, r := range roles {
		fmt.Fprintf(&b, "  %d: %s\n", i, text.Quote(r))
	}
	return append(files, File{"data.yaml", b.Bytes()}, File{"sources.jsonl", sources.Bytes()}), nil
}

// ManifestFile is the path of the manifest of a page's marked picture.
func (s *Set) ManifestFile(p *Page) string {
	return path.Join("manifests", strings.TrimSuffix(p.Image, path.Ext(p.Image))+".json")
}

func (s *Set) som() ([]File, error) {
	var b bytes.Buffer
	all := s.examples()
	for i := range all {
		x := &all[i]
		answer := fmt.Sprint(x.element.Mark)
		if x.negative {
			answer = "none"
		}
		line, err := marshal(struct {
			ID       string     `json:"id"`
			Image    string     `json:"image"`
			Marked   string     `json:"marked"`
			Manifest string     `json:"manifest"`
			Question string     `json:"question"`
			Answer   string     `json:"answer"`
			Box      [4]int     `json:"bbox"`
			Size     [2]int     `json:"img_size"`
			Split    string     `json:"split,omitempty"`
			Source   provenance `json:"source"`
		}{x.id, path.Join(ImageDir, x.page.Image), path.Join(ImageDir, x.page.Marked), s.ManifestFile(x.page),
			"Which number marks the element to use: " + x.phrase.Text + "?", answer, x.element.Box,
			[2]int{x.page.Width, x.page.Height}, s.split[x.page], x.source()})
		if err != nil {
			return nil, err
		}
		b.Write(append(line, '\n'))
	}
	return []File{{"metadata.jsonl", b.Bytes()}}, nil
}

// objects are the boxes of a picture as lists of one length, as that loader wants them.
type objects struct {
	Box         [][4]int `json:"bbox"`
	Category    []int    `json:"categories"`
	Role        []string `json:"roles"`
	Name        []string `json:"names"`
	Instruction []string `json:"instructions"` // "" for none
	Kind        []string `json:"ui_types"`
	Ref         []int    `json:"refs"`
	Path        []string `json:"paths"`
	Verdict     []string `json:"verdicts"`
}

func (s *Set) imageFolder() ([]File, error) {
	roles := s.categories()
	lines := map[string]*bytes.Buffer{}
	folders := []string{""}
	if len(s.Options.Splits) > 0 {
		folders = nil
		for _, split := range s.Options.Splits {
			folders = append(folders, split.Name)
		}
	}
	for _, f := range folders {
		lines[f] = &bytes.Buffer{}
	}
	for _, p := range s.Pages {
		o := objects{[][4]int{}, []int{}, []string{}, []string{}, []string{}, []string{}, []int{},
			[]string{}, []string{}}
		for _, e := range s.boxed(p) {
			role, _ := slices.BinarySearch(roles, e.Role)
			instruction := ""
			if len(e.Phrases) > 0 && e.Status == Visible {
				instruction = e.Phrases[0].Text
			}
			o.Box, o.Category, o.Role = append(o.Box, e.Box), append(o.Category, role), append(o.Role, e.Role)
			o.Name, o.Instruction = append(o.Name, e.Name), append(o.Instruction, instruction)
			o.Kind, o.Ref = append(o.Kind, e.Kind), append(o.Ref, e.Ref)
			o.Path, o.Verdict = append(o.Path, e.Path), append(o.Verdict, e.Verdict)
		}
		row, err := marshal(struct {
			File    string  `json:"file_name"`
			Width   int     `json:"width"`
			Height  int     `json:"height"`
			Objects objects `json:"objects"`
			Source  Source  `json:"source"`
		}{path.Join(ImageDir, p.Image), p.Width, p.Height, o, p.Source})
		if err != nil {
			return nil, err
		}
		lines[s.split[p]].Write(append(row, '\n'))
	}
	var files []File
	for _, f := range folders {
		files = append(files, File{path.Join(f, "metadata.jsonl"), lines[f].Bytes()})
	}
	return files, nil
}
