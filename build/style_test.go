package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

func TestStyleBudgetFailsOnlyBeyondIt(t *testing.T) {
	root := t.TempDir()
	long := "// " + strings.Repeat("x", 150) + "\n"
	write(t, root, map[string]string{"a.go": "package a\n" + long + long, styleDoc: "a.go lines 2\n"})
	var log bytes.Buffer
	p := newProject(root, &log)
	if err := p.checkStyle(context.Background()); err != nil {
		t.Errorf("within the budget: %v", err)
	}
	write(t, root, map[string]string{"a.go": "package a\n" + long + long + long, "b.go": "package a\n" + long})
	if err := p.checkStyle(context.Background()); err == nil || !strings.Contains(err.Error(), "a.go:4: ") ||
		!strings.Contains(err.Error(), "b.go:2: ") {
		t.Errorf("beyond it: %v", err)
	}
	write(t, root, map[string]string{"a.go": "package a\n" + long})
	if err := styleCommand(context.Background(), p, []string{"-update"}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(p.path(styleDoc)); err != nil ||
		!strings.HasSuffix(string(text), "lowers them.\na.go lines 1\n") {
		t.Errorf("lowered to %q, %v", text, err)
	}
}
