package step

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/step/emulation"
	"github.com/refscope/refscope/snapshot/redact"
)

// The one exit: what a run answers, in whatever form, is made of its steps' results, of
// captures and of the dialog that is open. Captures are redacted where they are made.
// Everything else passes here (B-11, P-3): the secrets that the session knows are taken out
// of every text of it, also where a page shows what was typed into a field that is gone;
// and where the page can be asked, what it keeps back itself. An answer's bytes pass once
// more, see [Runner.redactor].

// redactor is for the bytes of answers. Of what was typed, and of what profiles withhold, it looks for what looks
// chosen: a password "status" would be taken out of every answer's own words.
func (r *Runner) redactor() *redact.Redactor {
	known := r.opt.Collect.Known
	return known.Redactor().With(redact.Distinct(slices.Concat(r.typed(), known.Withheld()))...)
}

// typed are the secrets that were typed: in the session, and in the other tabs of its host.
func (r *Runner) typed() []redact.Secret {
	list := r.opt.Collect.Known.Typed()
	if r.env.Host != nil {
		for _, s := range r.env.Host.Typed() {
			list = redact.Add(list, s)
		}
	}
	return list
}

// secrets are those that no answer may have.
func (r *Runner) secrets() []redact.Secret {
	list := r.typed()
	for _, s := range r.opt.Collect.Known.All() {
		list = redact.Add(list, s)
	}
	return list
}

// cleanResults takes out of results what the session knows to be secret.
func (r *Runner) cleanResults(results []Result) error {
	secrets, rules := r.secrets(), r.opt.Collect.Known.Redactor()
	if len(secrets) == 0 && !rules.Custom() {
		return nil
	}
	return rewrite(results, func(texts []string) []string {
		for i, s := range texts {
			texts[i] = rules.CleanCustom(redact.Remove(s, secrets...))
		}
		return texts
	})
}

// withheldResult is a result that could not be cleaned: nothing of it may leave.
func withheldResult(res *Result, why error) {
	*res = Result{Action: res.Action, Status: res.Status, Subtype: res.Subtype, Err: res.Err}
	if res.Err != nil {
		res.Error = "withheld: " + why.Error()
		return
	}
	res.Warning = "the output was withheld: " + why.Error()
}

// sealResults also takes out what the page keeps back, which is asked while it is read.
func (r *Runner) sealResults(results []Result) func(context.Context, *collect.Result) error {
	return func(ctx context.Context, res *collect.Result) error {
		r.env.MovedSince(ctx, true)
		if err := r.cleanResults(results); err != nil { // of what this reading has met
			return err
		}
		return rewrite(results, func(texts []string) []string { return res.Seal(ctx, texts) })
	}
}

// cleanText is a text without what the session knows to be secret.
func (r *Runner) cleanText(s string) string {
	return r.opt.Collect.Known.Redactor().CleanCustom(redact.Remove(s, r.secrets()...))
}

// openDialog is the dialog that is open, as it may leave; nil for none.
func (r *Runner) openDialog() *emulation.Dialog {
	d := emulation.OpenDialog(r.env)
	if d != nil {
		d.Message, d.DefaultPrompt = r.cleanText(d.Message), r.cleanText(d.DefaultPrompt)
	}
	return d
}

// rewrite passes all texts of results to clean at once, and puts the cleaned ones in
// their places. What does not change keeps its type.
func rewrite(results []Result, clean func([]string) []string) error {
	var texts []string
	var put []func(clean []string) error // in order, each with as many texts as it gave
	plain := func(s *string) {
		at := len(texts)
		texts = append(texts, *s)
		put = append(put, func(clean []string) error { *s = clean[at]; return nil })
	}
	value := func(v any, set func(raw json.RawMessage) error) error {
		raw, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("writing a step's result: %w", err)
		}
		leaves := redact.Leaves(raw)
		at, n := len(texts), 0
		for _, l := range leaves {
			if !l.Key { // the answer's own words; those of a script's value were cleaned by the step
				leaves[n] = l
				texts = append(texts, l.Text)
				n++
			}
		}
		leaves = leaves[:n]
		put = append(put, func(clean []string) error {
			out, err := redact.Put(raw, leaves, clean[at:at+n])
			if err != nil || string(out) == string(raw) {
				return err
			}
			return set(out)
		})
		return nil
	}
	for i := range results {
		res := &results[i]
		plain(&res.Error)
		plain(&res.Warning)
		for k := range res.Dialogs {
			plain(&res.Dialogs[k].Message)
			plain(&res.Dialogs[k].URL)
		}
		for _, v := range []*any{&res.Output, &res.Observation, &res.Verification} {
			if *v == nil {
				continue
			}
			if err := value(*v, func(raw json.RawMessage) error { *v = raw; return nil }); err != nil {
				return err
			}
		}
		if res.Context != nil {
			err := value(res.Context, func(raw json.RawMessage) error {
				res.Context = &Context{}
				return json.Unmarshal(raw, res.Context)
			})
			if err != nil {
				return err
			}
		}
	}
	texts = clean(texts)
	for _, p := range put {
		if err := p(texts); err != nil {
			return err
		}
	}
	return nil
}
