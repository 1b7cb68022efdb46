package workspace

import "fmt"

func (d *reading) readLayer(id string, b []byte) error {
	if err := checkLayer(id); err != nil {
		return err
	}
	if len(d.w.layers) >= d.lim.Layers {
		return fmt.Errorf("more than %d layers", d.lim.Layers)
	}
	l := layerIn(d.w.layers, id)
	first := true
	return d.lines(b, 1<<31-1, "lines", func(line []byte, n int) error {
		if first {
			first = false
			return d.readHead(l, id, line, n)
		}
		if d.judgments++; d.judgments > d.lim.Judgments {
			return fmt.Errorf("more than %d judgments", d.lim.Judgments)
		}
		return d.readJudgment(l, line, n)
	})
}

func (d *reading) readHead(l *Layer, id string, line []byte, n int) error {
	var h Head
	var at Stamp
	err := d.object(line, func(key string) bool {
		switch key {
		case "layer":
			h.ID = d.r.String()
		case "origin":
			h.Origin = Origin(d.r.String())
		case "author":
			h.Author = d.r.String()
		case "date":
			h.Date = d.r.String()
		case "rule":
			h.Rule = d.r.String()
		case "state":
			h.State = State(d.r.String())
		default:
			return d.stampField(&at, key)
		}
		return true
	})
	if err != nil {
		return err
	}
	if h.ID != id {
		return fmt.Errorf("it is the layer %q", h.ID)
	}
	if h.Origin == "" && at == (Stamp{}) {
		return nil // its head was never seen
	}
	if err := d.stamped(&at, n); err != nil {
		return err
	}
	e := SetHead(h)
	e.Stamp = at
	if err := e.Check(); err != nil {
		return err
	}
	l.head.set(h, true, at)
	return nil
}

func (d *reading) readJudgment(l *Layer, line []byte, n int) error {
	var p pair
	var at, noted Stamp
	grade, note := 0.0, ""
	graded, isGrade, isNote := false, false, false
	err := d.object(line, func(key string) bool {
		switch key {
		case "query":
			p.query = d.r.String()
		case "document":
			p.document = d.r.String()
		case "grade":
			isGrade = true
			if d.r.Peek() == 'n' {
				d.r.Null()
			} else {
				grade, graded = d.r.Float()+0, true // -0 becomes 0
			}
		case "note":
			isNote, note = true, d.r.String()
		case "noted":
			d.inside(func(key string) bool { return d.stampField(&noted, key) })
		default:
			return d.stampField(&at, key)
		}
		return true
	})
	if err != nil {
		return err
	}
	if d.version == 1 {
		noted = at
	}
	if err := checkID("query", p.query); err != nil {
		return err
	}
	if err := checkID("document", p.document); err != nil {
		return err
	}
	if grade < -MaxGrade || grade > MaxGrade {
		return fmt.Errorf("grade %g is outside −%d to %d", grade, MaxGrade, MaxGrade)
	}
	if err := checkText("note", note); err != nil {
		return err
	}
	if l.cells[p] != nil {
		return fmt.Errorf("document %q of query %q comes twice", p.document, p.query)
	}
	c := &cell{}
	l.cells[p] = c
	if isGrade {
		if err := d.stamped(&at, n); err != nil {
			return err
		}
		l.setGrade(p.query, p.document, grade, graded, at)
	}
	if isNote {
		if err := d.stamped(&noted, n); err != nil {
			return err
		}
		c.note.set(note, note != "", noted)
	}
	return nil
}
