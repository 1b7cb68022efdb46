package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/rankbox/rankbox/build/internal/style"
)

// styleDoc is how many places of each file may break a rule of style.
const styleDoc = "build/style.txt"

// styleFindings checks every file of ours.
func (p *project) styleFindings() ([]style.Finding, error) {
	names, err := p.sourceFiles(".go", ".vugu", ".js", ".mjs", ".md", ".html")
	if err != nil {
		return nil, err
	}
	return style.Check(os.DirFS(p.root), names)
}

func (p *project) styleBudget() (style.Budget, error) {
	text, err := os.ReadFile(p.path(styleDoc))
	if err != nil {
		return nil, err
	}
	return style.Read(styleDoc, string(text))
}

// checkStyle compares the files with their budgets.
func (p *project) checkStyle(context.Context) error {
	found, err := p.styleFindings()
	if err != nil {
		return err
	}
	budget, err := p.styleBudget()
	if err != nil {
		return err
	}
	if err := listed("places in files that have more of them than "+styleDoc+" allows (CONTRIBUTING.md, How to write)",
		budget.Over(found)); err != nil {
		return err
	}
	if lower := budget.Lower(style.Count(found)).String(); lower != budget.String() {
		p.say("  some files are better than their budget: go run ./build style -update lowers it")
	}
	return nil
}

// styleCommand prints what breaks a rule of style, and lowers the budgets.
func styleCommand(_ context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("style", flag.ContinueOnError)
	lower := fs.Bool("update", false, "lower the budgets to the present counts")
	reset := fs.Bool("reset", false,
		"set the budgets to the present counts, even if they rise: for merging branches that started before the check")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	found, err := p.styleFindings()
	if err != nil {
		return err
	}
	budget := style.Count(found)
	switch {
	case *reset:
	case *lower:
		have, err := p.styleBudget()
		if err != nil {
			return err
		}
		budget = have.Lower(budget)
	default:
		for _, f := range found {
			fmt.Println(f)
		}
		return nil
	}
	return update(p.path(styleDoc), []byte(budget.String()))
}
