package recipe

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

// maxText is the maximum length of a recipe in bytes.
const maxText = 64 << 10

// Error reports an error in a recipe, with its line. Line 0 means the whole file.
type Error struct {
	File string
	Line int
	Err  error
}

// Error returns "FILE, line N: cause".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Err.Error()
	}
	return e.File + ", line " + strconv.Itoa(e.Line) + ": " + e.Err.Error()
}

// Said returns the message for users.
func (e *Error) Said() string { return e.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// field is a key of a recipe.
type field struct {
	key  string
	must bool
	many bool // may be repeated
	doc  string
	set  func(r *Recipe, value string) error
}

func textSetter(to func(r *Recipe) *string) func(*Recipe, string) error {
	return func(r *Recipe, v string) error {
		*to(r) = v
		return nil
	}
}

// fields lists all keys in the recommended order.
var fields = []field{
	{"name", true, false, "What is typed: small letters, digits, hyphens. The file is called after it.",
		setName},
	{"title", true, false, "What people call it.",
		textSetter(func(r *Recipe) *string { return &r.Title })},
	{"sentence", true, false, "What it is, in one sentence.",
		setSentence},
	{"domain", true, false, "Its subject, one word.",
		textSetter(func(r *Recipe) *string { return &r.Domain })},
	{"language", true, false, "The language of its texts, as BCP 47 has it.",
		setLanguage},
	{"analyzer", false, false, "The analyzer that its index is made with; without it, that of its language.",
		setAnalyzer},
	{"layout", true, false, "How its files are read: beir, cranfield, vaswani or parts.",
		setLayout},
	{"file", true, true, "A file to download: its name, its bytes, its MD5 and its address. Archives are one file; " +
		"the layout parts may have several.",
		addFile},
	{"documents-in", false, false, "With the layout parts: the file of documents, JSONL or lines of id, tab, text.",
		textSetter(func(r *Recipe) *string { return &r.Parts.Documents })},
	{"queries-in", false, false,
		"With the layout parts: the file of queries, lines of id, tab, text; {split} stands for a split.",
		textSetter(func(r *Recipe) *string { return &r.Parts.Queries })},
	{"judgments-in", false, false,
		"With the layout parts: the file of judgments as TREC has them; {split} stands for a split.",
		textSetter(func(r *Recipe) *string { return &r.Parts.Judgments })},
	{"documents", true, false, "How many documents it has.",
		func(r *Recipe, v string) (err error) {
			r.Documents, err = parseCount(v)
			return err
		}},
	{"split", true, true, "A split: its name, its judged queries, its judgments. The first is read if none " +
		"is asked for.",
		addSplit},
	{"licence", true, false, "The licence, or \"not stated by the source\".",
		func(r *Recipe, v string) error {
			if v != notStated {
				r.Licence = v
			}
			return nil
		}},
	{"licence-source", true, false, "Where the licence is stated, or where one was looked for.",
		textSetter(func(r *Recipe) *string { return &r.LicenceAt })},
	{"citation", true, false, "How to cite it.",
		textSetter(func(r *Recipe) *string { return &r.Citation })},
	{"judged", true, false, "How it was judged, and by whom.",
		textSetter(func(r *Recipe) *string { return &r.Judged })},
	{"fault", false, true, "A known fault.",
		func(r *Recipe, v string) error {
			r.Faults = append(r.Faults, v)
			return nil
		}},
	{"remove-query", false, false,
		"yes if queries are documents: each is left out of its own ranking, as BEIR and Anserini (-removeQuery) do.",
		func(r *Recipe, v string) error {
			if r.RemoveQuery = v == "yes"; v != "yes" && v != "no" {
				return fmt.Errorf("%q is neither yes nor no", v)
			}
			return nil
		}},
	{"source", false, true, "A source of figures: a key, its address, what it is.",
		addSource},
	{"figure", false, true, "A published figure: system | measure | value or range | key of the source, and | a note " +
		"if it may differ.",
		addFigure},
	{"no-figure", false, false, "Why it has no figure: what was looked for, and where.",
		textSetter(func(r *Recipe) *string { return &r.Unpublished })},
	{"model", false, true, "A model for which scripts/embed can make vectors.",
		func(r *Recipe, v string) error {
			r.Models = append(r.Models, v)
			return nil
		}},
}

// Key describes a key of a recipe.
type Key struct {
	Name, Doc  string
	Must, Many bool // required; repeatable
}

// Keys returns all keys in the recommended order.
func Keys() (out []Key) {
	for _, f := range fields {
		out = append(out, Key{f.key, f.doc, f.must, f.many})
	}
	return out
}

// notStated is the licence of a source without one.
const notStated = "not stated by the source"

// Parse reads a recipe: lines of "key: value". A line that begins with a space continues the previous value; one
// that begins with # is a comment. name is the file name, for errors.
func Parse(name string, data []byte) (*Recipe, error) {
	fail := func(line int, format string, args ...any) error {
		return &Error{name, line, fmt.Errorf(format, args...)}
	}
	if len(data) > maxText {
		return nil, fail(0, "%d bytes; a recipe has at most %d", len(data), maxText)
	}
	if !utf8.Valid(data) {
		return nil, fail(0, "the file is not UTF-8: save it as UTF-8")
	}
	r := &Recipe{}
	seen := map[string]int{}
	places := map[string]int{}
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		at := i + 1
		if strings.TrimSpace(lines[i]) == "" || strings.HasPrefix(lines[i], "#") {
			continue
		}
		key, value, ok := strings.Cut(lines[i], ":")
		if !ok || key != strings.TrimSpace(key) {
			return nil, fail(at,
				"%q is not of the form \"key: value\"; to continue the line before, begin with a space", lines[i])
		}
		value = strings.TrimSpace(value)
		for ; i+1 < len(lines) && (strings.HasPrefix(lines[i+1], " ") || strings.HasPrefix(lines[i+1], "\t")) &&
			strings.TrimSpace(lines[i+1]) != ""; i++ {
			value = strings.TrimSpace(value + " " + strings.TrimSpace(lines[i+1]))
		}
		f := slices.IndexFunc(fields, func(f field) bool { return f.key == key })
		if f < 0 {
			return nil, fail(at, "unknown key %q%s", key, suggestKey(key))
		}
		if before, twice := seen[key]; twice && !fields[f].many {
			return nil, fail(at, "%q is repeated; it is in line %d", key, before)
		}
		if value == "" {
			return nil, fail(at, "%q has no value", key)
		}
		if err := fields[f].set(r, value); err != nil {
			return nil, fail(at, "%s: %w", key, err)
		}
		seen[key] = at
		places[key+"\x00"+value] = at
	}
	for _, f := range fields {
		if _, ok := seen[f.key]; f.must && !ok {
			return nil, fail(0, "the line %q is missing", f.key+": …")
		}
	}
	if r.Analyzer == "" {
		r.Analyzer = AnalyzerOf(r.Language)
	}
	if key, err := r.check(); err != nil {
		return nil, &Error{name, seen[key], err}
	}
	return r, nil
}

// suggestKey suggests a similar key.
func suggestKey(key string) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.key)
	}
	if n := pipeline.Nearest(key, all); n != "" {
		return "; did you mean " + n + "?"
	}
	return "; the keys are " + strings.Join(all, ", ")
}

// check finds errors that involve several lines. key is the key with the error.
func (r *Recipe) check() (key string, err error) {
	parts := r.Parts.Documents != "" || r.Parts.Queries != "" || r.Parts.Judgments != ""
	switch {
	case r.Layout == InParts && (r.Parts.Documents == "" || r.Parts.Queries == "" || r.Parts.Judgments == ""):
		return "layout", errors.New("layout: parts needs documents-in, queries-in and judgments-in")
	case r.Layout != InParts && parts:
		return "layout", fmt.Errorf("layout: %s needs no documents-in, queries-in and judgments-in: remove them",
			r.Layout)
	case r.Layout != InParts && len(r.Files) != 1:
		return "file", fmt.Errorf("file: the layout %s is one file, and there are %d", r.Layout, len(r.Files))
	case (r.Layout == Cranfield || r.Layout == Vaswani) && len(r.Splits) != 1:
		return "split", fmt.Errorf("split: the layout %s has one split, and there are %d", r.Layout, len(r.Splits))
	}
	for i, f := range r.Files {
		if slices.ContainsFunc(r.Files[:i], func(g File) bool { return g.Name == f.Name }) {
			return "file", fmt.Errorf("file: two files are called %s", f.Name)
		}
	}
	for i, s := range r.Splits {
		if slices.ContainsFunc(r.Splits[:i], func(t Split) bool { return t.Name == s.Name }) {
			return "split", fmt.Errorf("split: %s is given twice", s.Name)
		}
	}
	if len(r.Figures) > 0 && r.Unpublished != "" {
		return "no-figure", fmt.Errorf("no-figure: there is one, %s", r.Figures[0].System)
	}
	for i := range r.Figures {
		if f := &r.Figures[i]; r.Source(f.Source) == nil {
			return "figure", fmt.Errorf("figure: there is no line \"source: %s …\"", f.Source)
		}
	}
	return "", nil
}

func setName(r *Recipe, v string) error {
	for _, c := range v {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return fmt.Errorf("%q: a name has small letters, digits and hyphens", v)
		}
	}
	if len(v) > 64 || v[0] == '-' {
		return fmt.Errorf("%q: a name has at most 64 characters and begins with a letter or digit", v)
	}
	r.Name = v
	return nil
}

func setSentence(r *Recipe, v string) error {
	if r.Sentence = v; !strings.HasSuffix(v, ".") || utf8.RuneCountInString(v) > 200 {
		return errors.New("want one sentence of at most 200 characters that ends with a full stop")
	}
	return nil
}

func setLanguage(r *Recipe, v string) error {
	for _, c := range v {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-') {
			return fmt.Errorf("%q is not a BCP 47 tag such as en or pt-BR", v)
		}
	}
	r.Language = v
	return nil
}

func setAnalyzer(r *Recipe, v string) error {
	r.Analyzer = v
	_, err := text.Get(v)
	return err
}

func setLayout(r *Recipe, v string) error {
	if r.Layout = Layout(v); !slices.Contains(layouts, v) {
		return fmt.Errorf("%q is not one of %s", v, strings.Join(layouts, ", "))
	}
	return nil
}

// addFile parses "NAME BYTES MD5 URL".
func addFile(r *Recipe, v string) error {
	w := strings.Fields(v)
	if len(w) != 4 {
		return fmt.Errorf("%d words; want a name, the size in bytes, the MD5 and the address", len(w))
	}
	f := File{Name: w[0], MD5: strings.ToLower(w[2]), URL: w[3]}
	for _, c := range f.Name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-._", c)) {
			return fmt.Errorf("%q: a file's name has letters, digits and - . _", f.Name)
		}
	}
	if f.Name[0] == '.' || strings.HasSuffix(f.Name, partSuffix) {
		return fmt.Errorf("%q cannot be a file's name here", f.Name)
	}
	n, err := strconv.ParseInt(w[1], 10, 64)
	if f.Bytes = n; err != nil || n < 1 {
		return fmt.Errorf("%q is not a number of bytes", w[1])
	}
	if len(f.MD5) != 32 || strings.Trim(f.MD5, "0123456789abcdef") != "" {
		return fmt.Errorf("%q is not an MD5 of 32 hexadecimal digits", w[2])
	}
	if !strings.HasPrefix(f.URL, "https://") && !strings.HasPrefix(f.URL, "http://") {
		return fmt.Errorf("%q is not a URL that begins with https:// or http://", f.URL)
	}
	r.Files = append(r.Files, f)
	return nil
}

// partSuffix is the file suffix of an incomplete download in the cache.
const partSuffix = ".part"

// addSplit parses "NAME QUERIES JUDGMENTS".
func addSplit(r *Recipe, v string) error {
	w := strings.Fields(v)
	if len(w) != 3 {
		return fmt.Errorf("%d words; want a name, the number of queries and the number of judgments", len(w))
	}
	s := Split{Name: w[0]}
	if strings.ContainsAny(s.Name, `/\`) || s.Name == ".." {
		return fmt.Errorf("%q cannot be a split's name", s.Name)
	}
	var err error
	if s.Queries, err = parseCount(w[1]); err != nil {
		return err
	}
	if s.Judgments, err = parseCount(w[2]); err != nil {
		return err
	}
	r.Splits = append(r.Splits, s)
	return nil
}

// addSource parses "KEY URL ABOUT…".
func addSource(r *Recipe, v string) error {
	w := strings.SplitN(v, " ", 3)
	if len(w) != 3 || !strings.HasPrefix(w[1], "https://") && !strings.HasPrefix(w[1], "http://") {
		return errors.New("want a key, the address and a description")
	}
	if r.Source(w[0]) != nil {
		return fmt.Errorf("%s is given twice", w[0])
	}
	r.Sources = append(r.Sources, Source{w[0], w[1], strings.TrimSpace(w[2])})
	return nil
}

// addFigure parses "SYSTEM | MEASURE | VALUE | SOURCE", with "| NOTE" if the figure may differ.
func addFigure(r *Recipe, v string) error {
	w := strings.Split(v, "|")
	if len(w) != 4 && len(w) != 5 {
		return fmt.Errorf("%d columns; want system | measure | value | source, and a note if it may differ", len(w))
	}
	for i := range w {
		w[i] = strings.TrimSpace(w[i])
	}
	n, err := stage.Parse(w[0])
	if err != nil {
		return err
	}
	m, err := measure.ParseList(w[1])
	if err != nil {
		return err
	}
	if len(m) != 1 {
		return fmt.Errorf("%q is not one measure", w[1])
	}
	f := Figure{System: n.String(), Measure: m[0].String(), Source: w[3]}
	low, high, ranged := strings.Cut(w[2], "–")
	if f.Low, err = strconv.ParseFloat(low, 64); err == nil {
		if f.High = f.Low; ranged {
			f.High, err = strconv.ParseFloat(high, 64)
		}
	}
	if err != nil || !(f.Low >= 0 && f.Low <= f.High) || math.IsInf(f.High, 0) {
		return fmt.Errorf("%q is neither a figure such as 0.6789 nor a range such as 0.713–0.72", w[2])
	}
	if len(w) == 5 {
		f.Note = w[4]
	}
	for _, g := range r.Figures {
		if g.System == f.System && g.Measure == f.Measure && g.Source == f.Source {
			return fmt.Errorf("%s of %s by %s is given twice", f.Measure, f.System, f.Source)
		}
	}
	r.Figures = append(r.Figures, f)
	return nil
}

// parseCount parses an integer.
func parseCount(v string) (int, error) {
	n, err := strconv.ParseInt(v, 10, 31)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a whole number from 1", v)
	}
	return int(n), nil
}
