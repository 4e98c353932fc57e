package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/page"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
)

type pdfParams struct {
	Path                string          `json:"path,omitempty"`
	Landscape           bool            `json:"landscape,omitempty"`
	Scale               *float64        `json:"scale,omitempty"` // 0.1 to 2
	PageRanges          string          `json:"pageRanges,omitempty"`
	Margins             json.RawMessage `json:"margins,omitempty"` // inches: a number, or an object
	MarginTop           *float64        `json:"marginTop,omitempty"`
	MarginBottom        *float64        `json:"marginBottom,omitempty"`
	MarginLeft          *float64        `json:"marginLeft,omitempty"`
	MarginRight         *float64        `json:"marginRight,omitempty"`
	Paper               json.RawMessage `json:"paper,omitempty"` // a name, or an object
	PaperWidth          *float64        `json:"paperWidth,omitempty"`
	PaperHeight         *float64        `json:"paperHeight,omitempty"`
	DisplayHeaderFooter bool            `json:"displayHeaderFooter,omitempty"`
	HeaderTemplate      string          `json:"headerTemplate,omitempty"`
	FooterTemplate      string          `json:"footerTemplate,omitempty"`
	PrintBackground     *bool           `json:"printBackground,omitempty"`
	PreferCSSPageSize   bool            `json:"preferCSSPageSize,omitempty"`
	Validate            bool            `json:"validate,omitempty"`
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

func parsePDF(raw json.RawMessage) (Work, error) {
	var p pdfParams
	if err := decodePath(raw, &p.Path, &p); err != nil {
		return nil, err
	}
	params, err := p.params()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *Runner) (any, error) { return r.pdf(ctx, &p, params) }, nil
}

// params checks the options and says them in the protocol's words.
func (p *pdfParams) params() (page.PrintToPDFParams, error) {
	// Tags and an outline would repeat names and headings of what is hidden.
	yes, no := true, false
	out := page.PrintToPDFParams{
		Landscape: &p.Landscape, DisplayHeaderFooter: &p.DisplayHeaderFooter, PrintBackground: &yes, PreferCSSPageSize: &p.PreferCSSPageSize,
		HeaderTemplate: p.HeaderTemplate, FooterTemplate: p.FooterTemplate, PageRanges: p.PageRanges, GenerateTaggedPDF: &no, GenerateDocumentOutline: &no,
	}
	if p.PrintBackground != nil {
		out.PrintBackground = p.PrintBackground
	}
	if ext := strings.ToLower(filepath.Ext(p.Path)); ext != "" && ext != ".pdf" {
		return out, fmt.Errorf("path: %s: a PDF's name ends in .pdf", p.Path)
	}
	if p.Scale != nil {
		if *p.Scale < 0.1 || *p.Scale > 2 {
			return out, fmt.Errorf("scale: %g: want 0.1 to 2", *p.Scale)
		}
		out.Scale = *p.Scale
	}
	if (p.HeaderTemplate != "" || p.FooterTemplate != "") && !p.DisplayHeaderFooter {
		return out, errors.New("headerTemplate and footerTemplate show with displayHeaderFooter:true")
	}
	if p.PageRanges != "" {
		for _, one := range strings.Split(p.PageRanges, ",") {
			one = strings.TrimSpace(one)
			from, to, both := strings.Cut(one, "-")
			a, _ := strconv.Atoi(from) // the pattern lets digits through
			b, _ := strconv.Atoi(to)
			if !rangesPattern.MatchString(one) || !both && a == 0 || both && from != "" && to != "" && (a == 0 || a > b) {
				return out, fmt.Errorf("pageRanges: %q: want pages as 1-3, 5", p.PageRanges)
			}
		}
	}
	if err := p.paper(&out); err != nil {
		return out, err
	}
	return out, p.margins(&out)
}

func (p *pdfParams) paper(out *page.PrintToPDFParams) error {
	size := papers()["letter"]
	switch {
	case p.Paper == nil:
	case shape(p.Paper) == "string":
		var name string
		if err := decode(p.Paper, &name); err != nil {
			return err
		}
		var ok bool
		if size, ok = papers()[strings.ToLower(name)]; !ok {
			return unknown("paper", name, paperNames())
		}
	default:
		var in struct{ Width, Height *float64 }
		if err := decode(p.Paper, &in); err != nil {
			return fmt.Errorf("paper: %w", err)
		}
		set(&size[0], in.Width)
		set(&size[1], in.Height)
	}
	set(&size[0], p.PaperWidth)
	set(&size[1], p.PaperHeight)
	for i, name := range [...]string{"width", "height"} {
		if size[i] < 0.1 || size[i] > 200 {
			return fmt.Errorf("paper %s: %g: want 0.1 to 200 inches", name, size[i])
		}
	}
	out.PaperWidth, out.PaperHeight = size[0], size[1]
	return nil
}

func (p *pdfParams) margins(out *page.PrintToPDFParams) error {
	var all [4]float64
	for i := range all {
		all[i] = 0.4
	}
	if p.Margins != nil && shape(p.Margins) == "number" {
		if err := decode(p.Margins, &all[0]); err != nil {
			return err
		}
		all[1], all[2], all[3] = all[0], all[0], all[0]
	} else if p.Margins != nil {
		var in struct{ Top, Bottom, Left, Right *float64 }
		if err := decode(p.Margins, &in); err != nil {
			return fmt.Errorf("margins: %w", err)
		}
		for i, v := range [...]*float64{in.Top, in.Bottom, in.Left, in.Right} {
			set(&all[i], v)
		}
	}
	for i, v := range [...]*float64{p.MarginTop, p.MarginBottom, p.MarginLeft, p.MarginRight} {
		set(&all[i], v)
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

func (r *Runner) pdf(ctx context.Context, p *pdfParams, params page.PrintToPDFParams) (any, error) {
	doc, err := session.Print(ctx, r.page.Tab(), session.PrintOptions{Params: params, Collect: r.opt.Collect, Profiles: r.opt.Profiles})
	if err != nil {
		return nil, err
	}
	out := &printed{FileSize: len(doc.PDF), Hidden: doc.Hidden}
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
	name := p.Path
	if name == "" {
		name = r.fileStem() + ".page.pdf"
	} else if filepath.Ext(name) == "" {
		name += ".pdf"
	}
	if out.Path, err = r.output(name); err != nil {
		return nil, err
	}
	if err := export.Write(out.Path, doc.PDF); err != nil {
		return nil, err
	}
	if doc.Hidden > 0 {
		r.warn("%d elements that hold what is withheld are not in the PDF", doc.Hidden)
	}
	return out, nil
}
