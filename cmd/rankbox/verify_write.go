package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// mostShown is how many differences are printed as text. JSON has all of them.
const mostShown = 10

// writeVerified prints what came out for people.
func writeVerified(w io.Writer, list []*verified) error {
	var b strings.Builder
	for _, v := range list {
		name := v.Name
		if name == "" {
			name = "standard input"
		}
		fmt.Fprintf(&b, "%s: %s\n", say.Visible(name), v.said())
		fmt.Fprintf(&b, "  hash %s\n", v.Computed)
		if v.Stored != "" && v.Stored != v.Computed {
			fmt.Fprintf(&b, "  stored %s\n", say.Visible(v.Stored))
		}
		for _, p := range append(v.Problems, v.Notes...) {
			fmt.Fprintf(&b, "  %s\n", p)
		}
		for i, d := range v.Differ {
			if i == mostShown {
				fmt.Fprintf(&b, "  and %d more; -o json has them all\n", len(v.Differ)-i)
				break
			}
			fmt.Fprintf(&b, "  %s: stored %s, computed %s\n", say.Visible(d.What), say.Visible(d.Stored),
				say.Visible(d.Computed))
		}
	}
	b.WriteString(notShown + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// notShown is what no verification can show.
const notShown = "This does not show that the data are true: whoever edits the data of a file can also write its text again."

// said is the verdict in words.
func (v *verified) said() string {
	switch v.verdict() {
	case "holds":
		if v.Words && v.Kind == "experiment" && v.From != "collection" {
			return "every figure and every word of its report matches (written again from its " + v.From + ")"
		}
		if v.Words {
			return "every figure and every word matches (written again from its " + v.From + ")"
		}
		return "the figures match (computed from " + v.From + ")"
	case "figures":
		return "written by an earlier version: values and means match (computed from " + v.From + "), words, " +
			"intervals and tests were not compared"
	case "computed":
		return "computed from " + v.From + "; no stored hash to compare with: give one with -hash"
	}
	if v.Words {
		return "the document differs from its data (written again from its " + v.From + ")"
	}
	return "the figures differ (computed from " + v.From + ")"
}

// writeVerifiedJSON prints what came out for programs (docs/schemas/verification.schema.json).
func writeVerifiedJSON(w io.Writer, list []*verified) error {
	type difference struct {
		What     string `json:"what"`
		Stored   string `json:"stored"`
		Computed string `json:"computed"`
	}
	type checked struct {
		Name        string       `json:"name"`
		Kind        string       `json:"kind"`
		Verdict     string       `json:"verdict"` // "holds", "differs", "computed", "figures"
		From        string       `json:"computed_from"`
		Hash        string       `json:"hash"`
		Stored      string       `json:"stored"`
		Problems    []string     `json:"problems"`
		Notes       []string     `json:"notes"`
		Differences []difference `json:"differences"`
	}
	out := struct {
		Format   string    `json:"format"`
		Version  int       `json:"version"`
		Holds    bool      `json:"holds"`
		NotShown string    `json:"not_shown"`
		Checked  []checked `json:"checked"`
	}{"rankbox-verification", 1, true, notShown, nil}
	for _, v := range list {
		c := checked{v.Name, v.Kind, v.verdict(), v.From, v.Computed, v.Stored, append([]string{}, v.Problems...),
			append([]string{}, v.Notes...), []difference{}}
		for _, d := range v.Differ {
			c.Differences = append(c.Differences, difference{d.What, d.Stored, d.Computed})
		}
		out.Holds = out.Holds && c.Verdict == "holds"
		out.Checked = append(out.Checked, c)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(out)
}
