package payload

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
)

// The picture of agent-interact's hybrid mode (S-20): a bare base64 JPEG without a data
// URL, and beside it a hash by which pictures can be compared without decoding them.

// screenshotQuality is the quality, of 100, with which a PNG is made the JPEG of the
// hybrid mode. A picture that is a JPEG already goes as it is.
const screenshotQuality = 80

// The grid of the hash: cells across and down. Each row gives a bit less than it has
// cells.
const (
	hashColumns = 9
	hashRows    = 8
)

// screenshot is the picture as JPEG and its hash; nil where Input.NoImage is set. Under
// compat it is the clean picture, as in the original, else the marked one where there
// is one.
func screenshot(in Input) (p *picture, hash string, err error) {
	if in.NoImage {
		return nil, "", nil
	}
	if in.Compat && len(in.Picture) > 0 {
		in.Marked = nil
		in.ImageRule.Width, in.ImageRule.Height = 0, 0 // of the marked picture
	}
	if p, err = pictureOf(in); err != nil {
		return nil, "", err
	}
	if p == nil {
		return nil, "", fmt.Errorf("mode hybrid needs a picture and turn %d has none: take it with one, or leave the "+
			"picture out on purpose", in.Turn)
	}
	var img image.Image
	switch p.media {
	case "image/jpeg":
		img, err = jpeg.Decode(bytes.NewReader(p.data))
	case "image/png":
		img, err = png.Decode(bytes.NewReader(p.data))
	default:
		err = errors.New("this dialect takes PNG and JPEG only")
	}
	if err != nil {
		return nil, "", fmt.Errorf("picture of turn %d: %s: %w", in.Turn, p.media, err)
	}
	if p.media == "image/png" {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, opaque(img), &jpeg.Options{Quality: screenshotQuality}); err != nil {
			return nil, "", fmt.Errorf("picture of turn %d: encoding it as JPEG: %w", in.Turn, err)
		}
		p.data, p.media = b.Bytes(), "image/jpeg"
	}
	return p, hashOf(img), nil
}

// opaque puts a picture with transparent parts on white, which JPEG cannot leave out.
func opaque(img image.Image) image.Image {
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		return img
	}
	dst := image.NewRGBA(img.Bounds())
	draw.Draw(dst, dst.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(dst, dst.Bounds(), img, img.Bounds().Min, draw.Over)
	return dst
}

// hashOf is the perceptual hash of a picture, a difference hash: 64 characters
// 0 or 1. The picture is divided into 9 by 8 cells; each gets the mean luma of its
// pixels (Rec. 601: 0.299 R + 0.587 G + 0.114 B, on white); row by row from the top, a
// bit is 1 where a cell is brighter than the one left of it. Pictures that look alike
// differ in few bits, whatever their size. An empty picture has 64 times 0.
func hashOf(img image.Image) string {
	r := img.Bounds()
	var luma [hashRows][hashColumns]uint64
	for row := range hashRows {
		for column := range hashColumns {
			x0, x1 := cellRange(r.Min.X, r.Dx(), column, hashColumns)
			y0, y1 := cellRange(r.Min.Y, r.Dy(), row, hashRows)
			luma[row][column] = meanLuma(img, image.Rect(x0, y0, x1, y1))
		}
	}
	bits := make([]byte, 0, hashRows*(hashColumns-1))
	for _, row := range luma {
		for i := 1; i < hashColumns; i++ {
			bit := byte('0')
			if row[i] > row[i-1] {
				bit = '1'
			}
			bits = append(bits, bit)
		}
	}
	return string(bits)
}

// cellRange is where cell i of n begins and ends, at least one pixel of length.
func cellRange(from, length, i, n int) (a, b int) {
	a, b = from+length*i/n, from+length*(i+1)/n
	if b == a && length > 0 {
		b = a + 1
	}
	return a, b
}

// meanLuma is the mean luma of the pixels, 0 to 65,535,000.
func meanLuma(img image.Image, r image.Rectangle) uint64 {
	sum, n := uint64(0), uint64(0)
	rgba, fast := img.(*image.RGBA)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			var red, green, blue, alpha uint32
			if fast {
				red, green, blue, alpha = rgba.RGBAAt(x, y).RGBA()
			} else {
				red, green, blue, alpha = img.At(x, y).RGBA()
			}
			white := uint64(0xffff - alpha) // what the background adds
			sum += 299*(uint64(red)+white) + 587*(uint64(green)+white) + 114*(uint64(blue)+white)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}
