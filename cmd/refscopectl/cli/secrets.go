package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/refscope/refscope/capture/export"
)

// HeaderValue is the given value of a header, or the one in the place that it names.
func HeaderValue(s string) (string, error) {
	if name, ok := strings.CutPrefix(s, "@"); ok {
		b, err := os.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, export.Cause(err))
		}
		return strings.TrimRight(string(b), "\r\n"), nil
	}
	if name, ok := strings.CutPrefix(s, "env:"); ok {
		v, set := os.LookupEnv(name)
		if !set {
			return "", fmt.Errorf("the environment has no variable %s", name)
		}
		return v, nil
	}
	return s, nil
}

// VendorNamed is the vendor of an argument.
func VendorNamed(name string) (apikey.Vendor, error) {
	v, ok := apikey.Named(name)
	if !ok {
		return v, Usagef("unknown vendor %q: choose from %s", name, VendorNames(", "))
	}
	return v, nil
}

// VendorNames lists the vendors whose keys can be stored.
func VendorNames(between string) string {
	var names []string
	for _, v := range apikey.Vendors() {
		names = append(names, v.Name)
	}
	return strings.Join(names, between)
}
