package output

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
)

type pdfParams struct {
	_    struct{} `form:"true" want:"true, a path or an object"`
	Path *string  `json:"path,omitempty" form:"string" what:"the file; a bare name goes to the folder of pictures"`

	Landscape           bool     `json:"landscape,omitempty" what:"turned to the side"`
	Scale               *float64 `json:"scale,omitempty" min:"0.1" max:"2" what:"of what is printed"`
	PageRanges          string   `json:"pageRanges,omitempty" what:"pages as 1-3, 5"`
	Margins             *margins `json:"margins,omitempty" what:"inches: a number, or top, bottom, left, right"`
	MarginTop           *float64 `json:"marginTop,omitempty" unit:"inches" what:"0.4"`
	MarginBottom        *float64 `json:"marginBottom,omitempty" unit:"inches" what:"0.4"`
	MarginLeft          *float64 `json:"marginLeft,omitempty" unit:"inches" what:"0.4"`
	MarginRight         *float64 `json:"marginRight,omitempty" unit:"inches" what:"0.4"`
	Paper               *paper   `json:"paper,omitempty" what:"a name such as A4, or width and height in inches"`
	PaperWidth          *float64 `json:"paperWidth,omitempty" unit:"inches" what:"8.5"`
	PaperHeight         *float64 `json:"paperHeight,omitempty" unit:"inches" what:"11"`
	DisplayHeaderFooter bool     `json:"displayHeaderFooter,omitempty" what:"print the templates"`
	HeaderTemplate      string   `json:"headerTemplate,omitempty" what:"HTML"`
	FooterTemplate      string   `json:"footerTemplate,omitempty" what:"HTML"`
	PrintBackground     *bool    `json:"printBackground,omitempty" what:"false: without backgrounds"`
	PreferCSSPageSize   bool     `json:"preferCSSPageSize,omitempty" what:"the page's own paper"`
	Validate            bool     `json:"validate,omitempty" what:"report whether the file is whole"`
	Overwrite           bool     `json:"overwrite,omitempty" what:"write over a file that is there"`

	print page.PrintToPDFParams
}

// margins are written as a number, or as an object; inches.
type margins struct {
	_      struct{} `want:"a number or an object"`
	All    *float64 `json:"-" form:"number"`
	Top    *float64 `json:"top"`
	Bottom *float64 `json:"bottom"`
	Left   *float64 `json:"left"`
	Right  *float64 `json:"right"`
}

// paper is written as a name, or as an object; inches.
type paper struct {
	_      struct{} `want:"a name or an object"`
	Name   string   `json:"-" form:"string"`
	Width  *float64 `json:"width"`
	Height *float64 `json:"height"`
}

// printed is the output of pdf.
type printed struct {
	Path     string `json:"path"`
	Pages    int    `json:"pages"`
	FileSize int    `json:"fileSize"` // bytes
	// Hidden is how many elements are left out because they hold a secret.
	Hidden     int         `json:"hidden,omitempty"`
	Validation *validation `json:"validation,omitempty"`
}

type validation struct {
	Valid bool   `json:"valid"` // header, end, and cross-reference table
	Error string `json:"error,omitempty"`
}

// rangesPattern is how pages are named: 1, 1-3, -3, 2-, several with commas.
var rangesPattern = regexp.MustCompile(`^(\d{1,5}|\d{1,5}-|-\d{1,5}|\d{1,5}-\d{1,5})$`)

// CheckParams writes the options as the protocol has them.
func (p *pdfParams) CheckParams() error {
	// Tags and an outline would repeat names and headings of what is hidden.
	yes, no := true, false
	out := page.PrintToPDFParams{
		Landscape: &p.Landscape, DisplayHeaderFooter: &p.DisplayHeaderFooter, PrintBackground: &yes,
		PreferCSSPageSize: &p.PreferCSSPageSize,
		HeaderTemplate:    p.HeaderTemplate, FooterTemplate: p.FooterTemplate, PageRanges: p.PageRanges,
		GenerateTaggedPDF:       &no,
		GenerateDocumentOutline: &no,
	}
	path := ""
	param.Set(&path, p.Path)
	if p.Path != nil && path == "" {
		return errors.New("the path is empty")
	}
	if p.PrintBackground != nil {
		out.PrintBackground = p.PrintBackground
	}
	if ext := strings.ToLower(filepath.Ext(path)); ext != "" && ext != ".pdf" {
		return fmt.Errorf("path: %s: a PDF's name ends in .pdf", path)
	}
	if p.Scale != nil {
		out.Scale = *p.Scale
	}
	if (p.HeaderTemplate != "" || p.FooterTemplate != "") && !p.DisplayHeaderFooter {
		return errors.New("headerTemplate and footerTemplate show with displayHeaderFooter:true")
	}
	if p.PageRanges != "" {
		for _, one := range strings.Split(p.PageRanges, ",") {
			one = strings.TrimSpace(one)
			from, to, both := strings.Cut(one, "-")
			a, _ := strconv.Atoi(from) // the pattern lets digits through
			b, _ := strconv.Atoi(to)
			if !rangesPattern.MatchString(one) || !both && a == 0 || both && from != "" && to != "" &&
				(a == 0 || a > b) {
				return fmt.Errorf("pageRanges: %q: want pages as 1-3, 5", p.PageRanges)
			}
		}
	}
	if err := p.setPaper(&out); err != nil {
		return err
	}
	p.print = out
	return p.setMargins(&p.print)
}

func (p *pdfParams) setPaper(out *page.PrintToPDFParams) error {
	size := papers()["letter"]
	if p.Paper != nil {
		if name := p.Paper.Name; name != "" {
			var ok bool
			if size, ok = papers()[strings.ToLower(name)]; !ok {
				return param.Unknown("paper", name, slices.Sorted(maps.Keys(papers())))
			}
		}
		param.Set(&size[0], p.Paper.Width)
		param.Set(&size[1], p.Paper.Height)
	}
	param.Set(&size[0], p.PaperWidth)
	param.Set(&size[1], p.PaperHeight)
	for i, name := range [...]string{"width", "height"} {
		if size[i] < 0.1 || size[i] > 200 {
			return fmt.Errorf("paper %s: %g: want 0.1 to 200 inches", name, size[i])
		}
	}
	out.PaperWidth, out.PaperHeight = size[0], size[1]
	return nil
}

func (p *pdfParams) setMargins(out *page.PrintToPDFParams) error {
	var all [4]float64
	for i := range all {
		all[i] = 0.4
	}
	if m := p.Margins; m != nil {
		for i, v := range [...]*float64{m.Top, m.Bottom, m.Left, m.Right} {
			param.Set(&all[i], m.All)
			param.Set(&all[i], v)
		}
	}
	for i, v := range [...]*float64{p.MarginTop, p.MarginBottom, p.MarginLeft, p.MarginRight} {
		param.Set(&all[i], v)
		if all[i] < 0 {
			return fmt.Errorf("margins: %g: want 0 inches or more", all[i])
		}
	}
	if all[0]+all[1] >= out.PaperHeight && !p.Landscape || all[2]+all[3] >= out.PaperWidth && !p.Landscape ||
		p.Landscape && (all[0]+all[1] >= out.PaperWidth || all[2]+all[3] >= out.PaperHeight) {
		return errors.New("margins: they leave no room on the paper")
	}
	out.MarginTop, out.MarginBottom, out.MarginLeft, out.MarginRight = &all[0], &all[1], &all[2], &all[3]
	return nil
}

func printPDF(ctx context.Context, e *stepdef.Env, p *pdfParams) (any, error) {
	name := ""
	param.Set(&name, p.Path)
	if name == "" {
		name = stepdef.Stem(e.Alias) + ".page.pdf"
	} else if filepath.Ext(name) == "" {
		name += ".pdf"
	}
	path, err := e.Files.Output(name, p.Overwrite)
	if err != nil {
		return nil, err
	}
	doc, err := session.Print(ctx, e.Page.Tab(), session.PrintOptions{Params: p.print, Collect: e.Collect,
		Profiles: e.Profiles})
	if err != nil {
		return nil, err
	}
	out := &printed{Path: e.Files.Named(path), FileSize: len(doc.PDF), Hidden: doc.Hidden}
	pages, broken := doc.Pages()
	if p.Validate {
		out.Validation = &validation{Valid: broken == nil}
		if broken != nil {
			out.Validation.Error = broken.Error()
		}
	} else if broken != nil {
		return nil, broken
	}
	out.Pages = pages
	if err := export.Write(path, doc.PDF); err != nil {
		return nil, err
	}
	if doc.Hidden > 0 {
		e.Warn("%d elements that hold what is withheld are not in the PDF", doc.Hidden)
	}
	return out, nil
}
