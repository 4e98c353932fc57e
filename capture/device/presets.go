package device

import "slices"

// The table is as of November 2026. Widths and heights are of the whole screen in CSS px
// in its upright position; a browser with its bars shown has less height.
//
// Sources: iPhones and iPads from Apple's Human Interface Guidelines, "Layout: device
// screen dimensions" (points, and px over points as scale); Pixel and Galaxy devices from
// their makers' data sheets (px) over the density that they are sold with, as Chrome's
// own list of emulated devices rounds it; laptops and desktops from the makers' default
// scaled resolution. Systems are those that the devices got last when the table was made,
// and not newer than the year's Safari and Chrome report.
const (
	iosOld = "15.8" // of devices that get no newer one
	ios    = "17.5"
)

// iphones, upright.
var iphones = [...]struct {
	name          string
	width, height int
	scale         float64
	os            string
}{
	{"iphone-se", 375, 667, 2, ios}, {"iphone-8", 375, 667, 2, iosOld}, {"iphone-x", 375, 812, 3, iosOld},
	{"iphone-xr", 414, 896, 2, ios},
	{"iphone-11", 414, 896, 2, ios}, {"iphone-11-pro", 375, 812, 3, ios}, {"iphone-11-pro-max", 414, 896, 3, ios},
	{"iphone-12-mini", 375, 812, 3, ios}, {"iphone-12", 390, 844, 3, ios}, {"iphone-12-pro", 390, 844, 3, ios},
	{"iphone-12-pro-max", 428, 926, 3, ios},
	{"iphone-13-mini", 375, 812, 3, ios}, {"iphone-13", 390, 844, 3, ios}, {"iphone-13-pro", 390, 844, 3, ios},
	{"iphone-13-pro-max", 428, 926, 3, ios},
	{"iphone-14", 390, 844, 3, ios}, {"iphone-14-plus", 428, 926, 3, ios}, {"iphone-14-pro", 393, 852, 3, ios},
	{"iphone-14-pro-max", 430, 932, 3, ios},
	{"iphone-15", 393, 852, 3, ios}, {"iphone-15-plus", 430, 932, 3, ios}, {"iphone-15-pro", 393, 852, 3, ios},
	{"iphone-15-pro-max", 430, 932, 3, ios},
}

// ipads, upright.
var ipads = [...]struct {
	name          string
	width, height int
}{
	{"ipad", 810, 1080}, {"ipad-mini", 768, 1024}, {"ipad-air", 820, 1180}, {"ipad-pro-11", 834, 1194},
	{"ipad-pro-12-9", 1024, 1366},
}

// androids, upright.
var androids = [...]struct {
	name          string
	width, height int
	scale         float64
	model, os     string
	tablet        bool
}{
	{"pixel-5", 393, 851, 2.75, "Pixel 5", "14", false}, {"pixel-6", 412, 915, 2.625, "Pixel 6", "14", false},
	{"pixel-6-pro", 412, 892, 3.5, "Pixel 6 Pro", "14", false},
	{"pixel-7", 412, 915, 2.625, "Pixel 7", "14", false}, {"pixel-7-pro", 412, 892, 3.5, "Pixel 7 Pro", "14", false},
	{"galaxy-s21", 360, 800, 3, "SM-G991B", "14", false}, {"galaxy-s21-plus", 384, 854, 2.8125,
		"SM-G996B", "14", false},
	{"galaxy-s21-ultra", 384, 854, 3.75, "SM-G998B", "14", false},
	{"galaxy-s22", 360, 780, 3, "SM-S901B", "14", false}, {"galaxy-s22-plus", 384, 832, 2.8125,
		"SM-S906B", "14", false},
	{"galaxy-s22-ultra", 384, 824, 3.75, "SM-S908B", "14", false},
	{"galaxy-s23", 360, 780, 3, "SM-S911B", "14", false}, {"galaxy-s23-plus", 384, 832, 2.8125,
		"SM-S916B", "14", false},
	{"galaxy-s23-ultra", 384, 824, 3.75, "SM-S918B", "14", false},
	{"galaxy-tab-s7", 800, 1280, 2, "SM-T870", "13", true},
}

// desktops have no touch and keep the browser's user agent.
var desktops = [...]struct {
	name          string
	width, height int
	scale         float64
}{
	{"desktop", 1920, 1080, 1}, {"desktop-hd", 1920, 1080, 1}, {"desktop-qhd", 2560, 1440, 1},
	{"desktop-4k", 3840, 2160, 1},
	{"laptop", 1366, 768, 1}, {"laptop-hd", 1440, 900, 1}, {"laptop-hidpi", 1440, 900, 2},
	{"macbook-air", 1440, 900, 2}, {"macbook-pro-13", 1440, 900, 2}, {"macbook-pro-14", 1512, 982, 2},
	{"macbook-pro-16", 1728, 1117, 2},
}

// Presets lists the devices: every phone and tablet upright and, with "-landscape" after
// its name, on its side; then laptops and desktops.
func Presets() []Device {
	var held []Device
	for _, p := range iphones {
		held = append(held, Device{Name: p.name, Width: p.width, Height: p.height, Scale: p.scale, Agent: AgentIPhone,
			OS: p.os})
	}
	for _, p := range ipads {
		held = append(held, Device{Name: p.name, Width: p.width, Height: p.height, Scale: 2, Agent: AgentIPad, OS: ios})
	}
	for _, p := range androids {
		agent := AgentAndroid
		if p.tablet {
			agent = AgentTablet
		}
		held = append(held, Device{Name: p.name, Width: p.width, Height: p.height, Scale: p.scale, Agent: agent,
			Model: p.model, OS: p.os})
	}
	out := make([]Device, 0, 2*len(held)+len(desktops))
	for _, d := range held {
		d.Mobile, d.Touch = true, true
		side := d
		side.Name += "-landscape"
		side.Width, side.Height, side.Landscape = d.Height, d.Width, true
		out = append(out, d, side)
	}
	for _, p := range desktops {
		out = append(out, Device{Name: p.name, Width: p.width, Height: p.height, Scale: p.scale})
	}
	return slices.Clip(out)
}
