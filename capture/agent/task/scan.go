package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// scanner reads the parts of an action.
type scanner struct {
	s  string
	at int
}

func (p *scanner) space() {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
}

// word reads letters, digits and the signs of refs and keys.
func (p *scanner) word() string {
	p.space()
	start := p.at
	for p.at < len(p.s) {
		c := p.s[p.at]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
			strings.IndexByte("_@.+-", c) >= 0) {
			break
		}
		p.at++
	}
	return p.s[start:p.at]
}

// is reports whether a sign comes next, and takes it.
func (p *scanner) is(c byte) bool {
	p.space()
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

// arguments reads the list between the brackets and what may not follow it.
func (p *scanner) arguments() ([]argument, error) {
	if !p.is('(') {
		return nil, errors.New("the opening bracket is missing")
	}
	var list []argument
	if p.is(')') {
		return list, p.end()
	}
	for {
		arg, err := p.argument()
		if err != nil {
			return nil, err
		}
		list = append(list, arg)
		switch {
		case p.is(','):
		case p.is(')'):
			return list, p.end()
		case p.at >= len(p.s):
			return nil, errors.New("the closing bracket is missing")
		default:
			return nil, fmt.Errorf("%s cannot stand there", quoted(p.s[p.at:]))
		}
	}
}

func (p *scanner) end() error {
	if p.space(); p.at < len(p.s) {
		return fmt.Errorf("%s follows behind it, and one answer does one thing", quoted(p.s[p.at:]))
	}
	return nil
}

func (p *scanner) argument() (argument, error) {
	p.space()
	if p.at < len(p.s) && (p.s[p.at] == '"' || p.s[p.at] == '\'') {
		text, err := p.str()
		return argument{text: text, quoted: true}, err
	}
	word := p.word()
	if word == "" {
		return argument{}, errors.New("an argument is missing")
	}
	if !p.is('=') {
		return argument{text: word}, nil
	}
	arg, err := p.argument()
	if err == nil && arg.name != "" {
		err = errors.New("an argument has two names")
	}
	arg.name = word
	return arg, err
}

// str reads a string between quotes of either kind. It is read as JSON once its quotes
// and line breaks are spelled as JSON has them.
func (p *scanner) str() (string, error) {
	quote := p.s[p.at]
	p.at++
	b := []byte{'"'}
	for p.at < len(p.s) {
		c := p.s[p.at]
		p.at++
		switch {
		case c == quote:
			var out string
			if err := json.Unmarshal(append(b, '"'), &out); err != nil {
				return "", fmt.Errorf("a text cannot be read: %w", err)
			}
			return out, nil
		case c == '\\' && p.at < len(p.s):
			next := p.s[p.at]
			p.at++
			if next == '\'' {
				b = append(b, '\'')
			} else {
				b = append(b, '\\', next)
			}
		case c == '"':
			b = append(b, '\\', '"')
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, c)
		}
	}
	return "", errors.New("a closing quote is missing")
}

// httpURL reports whether a text is an address that may be opened.
func httpURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}
