//go:build !first

package worker

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/message"
)

// imported are the files of runs that were read, and the link.
type imported struct {
	files        map[int]*readFile
	link         string // the link that linked was read from
	linked       *packed.File
	linkedReport *report.Report // the same of a link of a report of scores
	tables       string         // Setting.Systems when the files were read

	// of the comparison that is being made
	firstOf []string                   // its measures
	means   map[int][]message.FirstRun // of a file

	device *Device
	page   *page
}

// begin forgets files that a setting no longer has. It also forgets tables of scores, and what could not be read, if
// the setting says otherwise than before whether their systems are rows or columns.
func (im *imported) begin(s *message.Setting) {
	im.page.first, im.means = nil, map[int][]message.FirstRun{}
	if im.files == nil {
		im.files = map[int]*readFile{}
	}
	again := im.tables != s.Systems
	im.tables = s.Systems
	for id, f := range im.files {
		listed := slices.ContainsFunc(s.Files, func(f message.File) bool { return f.ID == id })
		if !listed || again && (f.Scores != nil || f.problem != "") {
			delete(im.files, id)
		}
	}
}

// openLink returns what a link of runs, or of a report of scores, holds. The last one is kept.
func (im *imported) openLink(link string) (*intake.File, error) {
	if im.link != link {
		p, shown, err := readLink(link)
		if err != nil {
			return nil, fmt.Errorf("this link could not be opened: %w", savedLink(err))
		}
		im.link, im.linked, im.linkedReport = link, p, shown
	}
	return &intake.File{Name: "the link", Packed: im.linked, Snapshot: im.linkedReport}, nil
}

// readLink reads a link of runs, or of a report of scores.
func readLink(link string) (*packed.File, *report.Report, error) {
	p, err := packed.ReadLink(link)
	if err == nil || !errors.Is(err, packed.ErrForeign) {
		return p, nil, err
	}
	shown, _, err := packed.ReadReportLink(link)
	if err != nil {
		return nil, nil, err
	}
	if _, given := shown.Given(); !given || len(shown.Systems) > significance.MaxSystems {
		return nil, nil, packed.ErrForeign
	}
	return nil, shown, nil
}

// shown is the saved report of scores that is looked at, nil if there is none, with its file: that of the link, or of
// the first file if no file has anything else to compare.
func (im *imported) shown(s *message.Setting, got *intake.Gathered) (*report.Report, int) {
	if s.Link != "" && im.linkedReport != nil {
		return im.linkedReport, 0
	}
	if got.Input.Qrels != nil || len(got.Input.Runs) > 0 {
		return nil, 0
	}
	for _, f := range s.Files {
		if g := im.files[f.ID]; g != nil && g.Snapshot != nil {
			if _, given := g.Snapshot.Given(); given {
				return g.Snapshot, f.ID
			}
		}
	}
	return nil, 0
}

// sent says whether the figures of a link that was opened as it is have the hash that it carries.
func (im *imported) sent(s *message.Setting, r *report.Report) string {
	l := im.linked
	switch {
	case s.Link == "" || len(s.Files) > 0 || s.Chosen || l == nil || l.Hash == "" || l.Former:
		return ""
	case l.Hash == r.Hash:
		return message.SentSame
	}
	return message.SentOther
}
