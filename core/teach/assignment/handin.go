package assignment

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/project/workspace"
)

// handTitle is the first line of what a student hands in. TREC qrels follow the lines that begin with "#".
const handTitle = "# Rankbox judgments, version 1"

// HandedIn is what a student handed in.
type HandedIn struct {
	Class, Student string
	Share          string // ID of the share
	Of             int    // documents of the share
	Grades         []workspace.Judgment
}

// Errors of ReadHandIn. A damaged file and one that was changed have an error that wraps one of them.
var (
	ErrCut     = say.Faultf("assignment", "damaged")
	ErrChanged = say.Faultf("assignment", "changed by hand: its code does not belong to its grades")
	ErrOther   = say.Faultf("assignment", "not what was handed out")
)

// HandIn writes the grades of the share as TREC qrels, with a head that says whose they are. Grades of other documents
// are left out. The error says which id the format cannot hold.
func (a *Assignment) HandIn(grades []workspace.Judgment) ([]byte, error) {
	in := a.set()
	q := collection.NewQrels()
	for _, j := range grades {
		if j.Graded && in[workspace.Pooled{Query: j.Query, Document: j.Document}] {
			q.Add(j.Query, j.Document, j.Grade)
		}
	}
	var body bytes.Buffer
	if err := q.WriteTREC(&body); err != nil {
		return nil, err
	}
	head := []string{handTitle, "# class: " + a.Class, "# student: " + a.Student, "# share: " + a.ID(),
		"# judged: " + strconv.Itoa(q.Len()) + " of " + strconv.Itoa(len(a.Documents))}
	lines := append(head, strings.Split(strings.TrimSuffix(body.String(), "\n"), "\n")...)
	if q.Len() == 0 {
		lines = head
	}
	return []byte(strings.Join(head, "\n") + "\n# code: " + code(lines) + "\n" + body.String()), nil
}

func (a *Assignment) set() map[workspace.Pooled]bool {
	in := map[workspace.Pooled]bool{}
	for _, d := range a.Documents {
		in[d] = true
	}
	return in
}

// code is of all lines but its own.
func code(lines []string) string {
	return sha256.Hex([]byte("rankbox judgments\n" + strings.Join(lines, "\n")))[:16]
}

// IsHandIn says whether a file is one of HandIn, whole or not.
func IsHandIn(b []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(b, []byte("\ufeff")), []byte(handTitle))
}

// StudentOf returns whose a file of HandIn says it is, whole or not; "" if it does not say, or no name.
func StudentOf(b []byte) string {
	for line := range strings.Lines(string(b)) {
		if name, ok := strings.CutPrefix(line, "# student: "); ok {
			if name = strings.TrimSpace(name); checkName("student", name, MaxName) == nil {
				return name
			}
		}
	}
	return ""
}

// ReadHandIn reads what HandIn wrote. It accepts what editors and mail change: a byte order mark, ends of lines, blanks
// and empty lines at the end.
func ReadHandIn(b []byte) (*HandedIn, error) {
	if !IsHandIn(b) {
		return nil, ErrForeign
	}
	if len(b) > mostIn {
		return nil, fault("%w: it has %s", ErrCut, say.Bytes(int64(len(b))))
	}
	text := strings.TrimRight(strings.TrimPrefix(string(b), "\ufeff"), " \t\r\n")
	h := &HandedIn{}
	var lines []string
	judged, has := -1, ""
	body := 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "# "), ": ")
		if !strings.HasPrefix(line, "# ") {
			body++
			if name = ""; len(strings.Fields(line)) != 4 {
				return nil, fault("%w: the line %q is no judgment", ErrCut, say.Brief(line, 60))
			}
		}
		switch name {
		case "class":
			h.Class = value
		case "student":
			h.Student = value
		case "share":
			h.Share = value
		case "judged":
			n, of, _ := strings.Cut(value, " of ")
			judged, _ = strconv.Atoi(n)
			h.Of, _ = strconv.Atoi(of)
		case "code":
			has = value
			continue
		}
		lines = append(lines, line)
	}
	switch {
	case has == "" || judged < 0 || h.Student == "" || h.Share == "":
		return nil, fault("%w: its head is not whole", ErrCut)
	case body != judged:
		return nil, fault("%w: its head says %s, and it has %d", ErrCut, say.Count(judged, "grade", "grades"), body)
	case code(lines) != has:
		return nil, ErrChanged
	case checkName("student", h.Student, MaxName) != nil || checkName("class", h.Class, MaxName) != nil:
		return nil, ErrChanged
	case body == 0:
		return h, nil
	}
	got, err := collection.Read("", bytes.NewReader(b), collection.Options{Prefer: collection.QrelsTREC})
	if err != nil {
		return nil, err
	}
	if got.Qrels == nil || got.Qrels.Len() != judged {
		return nil, fault("%w: a document is graded twice, or a line is no judgment", ErrCut)
	}
	for _, q := range got.Qrels.Queries() {
		got.Qrels.Each(q, func(doc string, grade float64) {
			h.Grades = append(h.Grades, workspace.Judgment{Query: q, Document: doc, Grade: grade, Graded: true})
		})
	}
	return h, nil
}

// Check says how what was handed in differs from the share, nil if it does not.
func (a *Assignment) Check(h *HandedIn) error {
	if h.Student != a.Student || h.Share != a.ID() {
		return fault("%w: %s has another share", ErrOther, a.Student)
	}
	in := a.set()
	for _, j := range h.Grades {
		if !in[workspace.Pooled{Query: j.Query, Document: j.Document}] {
			return fault("%w: %s for query %s is not in the share of %s", ErrOther, j.Document, j.Query, a.Student)
		}
		if j.Grade < 0 || int(j.Grade) >= len(a.Scale) || j.Grade != math.Trunc(j.Grade) {
			return fault("%w: the grade %g of %s is not a whole number from 0 to %d", ErrOther, j.Grade, j.Document,
				len(a.Scale)-1)
		}
	}
	return nil
}
