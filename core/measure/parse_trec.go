package measure

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseSuffix reads names that end in their cutoff: P_10, ndcg_cut_10, ndcg_at_10, iprec_at_recall_0.10.
func parseSuffix(s *scanner, start int, name string) ([]Measure, bool, error) {
	full := name
	if strings.HasPrefix(s.text[s.pos:], ".") { // the word ended inside a decimal number
		full = s.text[start:]
	}
	i := strings.LastIndexAny(full, "_-")
	if i <= 0 {
		return nil, false, nil
	}
	base, num := full[:i], full[i+1:]
	if num == "" || strings.Trim(num, "0123456789.") != "" {
		return nil, false, nil
	}
	tg, ok := lookup(base)
	if !ok {
		return nil, false, nil
	}
	at := tg.info.at()
	if at == nil {
		return nil, false, nil
	}
	m := tg.info.blank()
	if err := preset(&m, tg.set); err != nil {
		return nil, false, s.fail(start, err)
	}
	sub := &scanner{text: s.text[:start+len(full)], pos: start + i + 1}
	if err := sub.value(&m, at); err != nil {
		return nil, false, err
	}
	if rest := strings.TrimSpace(s.text[start+len(full):]); rest != "" {
		return nil, false, s.fail(start+len(full), fmt.Errorf("%w: unexpected %q", ErrSyntax, rest))
	}
	if err := m.complete(); err != nil {
		return nil, false, s.fail(start, err)
	}
	return []Measure{m}, true, nil
}

// parseTrec reads trec_eval's name.parameters.
func parseTrec(s *scanner, start int, name string) ([]Measure, error) {
	if ms, ok, err := parseSuffix(s, start, name); ok || err != nil {
		return ms, err
	}
	tg, ok := lookup(name)
	if !ok {
		return nil, &ParseError{Text: s.text, Pos: start, Nearest: nearest(name),
			Err: fmt.Errorf("%w %q", errUnlisted, name)}
	}
	s.pos++
	m := tg.info.blank()
	if err := preset(&m, tg.set); err != nil {
		return nil, s.fail(start, err)
	}
	// ranx's rbp.95
	if digits := strings.TrimSpace(s.text[s.pos:]); m.info == &infoRBP && digits != "" &&
		strings.Trim(digits, "0123456789") == "" {
		p, err := strconv.ParseFloat("0."+digits, 64)
		if err != nil || len(digits) > 15 {
			return nil, s.fail(s.pos, fmt.Errorf("%w %q for p: up to 15 digits after the point", ErrValue, digits))
		}
		m.setFloat("p", p)
		s.pos = len(s.text)
		return s.finish([]Measure{m})
	}
	if strings.ContainsRune(s.text[s.pos:], '=') {
		t := &table{}
		for {
			pos := s.pos
			end := strings.IndexByte(s.text[pos:], '=')
			if end < 0 {
				return nil, s.fail(pos, fmt.Errorf("%w: expected grade=gain", ErrSyntax))
			}
			key := s.text[pos : pos+end]
			s.pos += end + 1
			if p := m.info.param(key); p != nil && p.Kind != KindGains {
				if err := s.value(&m, p); err != nil {
					return nil, err
				}
			} else {
				k, err := strconv.ParseFloat(key, 64)
				gains := false
				for i := range m.info.Params {
					gains = gains || m.info.Params[i].Kind == KindGains
				}
				if err != nil || !gains {
					return nil, s.unknownParam(&m, pos, key)
				}
				v, err := s.number("gain")
				if err != nil {
					return nil, err
				}
				if err := t.add(k, v); err != nil {
					return nil, s.fail(pos, err)
				}
			}
			if !s.accept(',') {
				break
			}
		}
		m.table = t.normal()
		return s.finish([]Measure{m})
	}
	var vals []float64
	for {
		v, err := s.number(name)
		if err != nil {
			return nil, err
		}
		vals = append(vals, v)
		if !s.accept(',') {
			break
		}
	}
	text := func(p *Param, v float64) error {
		sub := &scanner{text: s.text[:start] + strconv.FormatFloat(v, 'g', -1, 64), pos: start}
		if err := sub.value(&m, p); err != nil {
			var pe *ParseError
			if errors.As(err, &pe) {
				return s.fail(start+len(name)+1, pe.Err)
			}
			return err
		}
		return nil
	}
	for i := range m.info.Params {
		if m.info.Params[i].Kind == KindList {
			if err := s.setList(&m, &m.info.Params[i], vals); err != nil {
				return nil, err
			}
			return s.finish([]Measure{m})
		}
	}
	if at := m.info.at(); at != nil {
		slices.Sort(vals)
		var ms []Measure
		for _, v := range vals {
			if err := text(at, v); err != nil {
				return nil, err
			}
			ms = append(ms, m)
		}
		return s.finish(ms)
	}
	// The other measures take their numbers in order: set_F.0.5, utility.1,-1,0,0.
	var plain []*Param
	for i := range m.info.Params {
		if p := &m.info.Params[i]; p.place >= 0 && p.Kind == KindFloat {
			plain = append(plain, p)
		}
	}
	if len(plain) == 0 || len(vals) > len(plain) {
		return nil, s.fail(start+len(name)+1, fmt.Errorf("%w: %s takes %d numbers, not %d", ErrSyntax, m.info.Name,
			len(plain), len(vals)))
	}
	for i, v := range vals {
		if err := text(plain[i], v); err != nil {
			return nil, err
		}
	}
	return s.finish([]Measure{m})
}

func (s *scanner) finish(ms []Measure) ([]Measure, error) {
	s.space()
	if s.pos < len(s.text) {
		return nil, s.fail(s.pos, fmt.Errorf("%w: unexpected %q", ErrSyntax, s.text[s.pos:]))
	}
	for i := range ms {
		if err := ms[i].complete(); err != nil {
			return nil, s.fail(len(s.text), err)
		}
	}
	return ms, nil
}

// trecCutoffs are the default cutoffs of trec_eval's families.
var trecCutoffs = []float64{5, 10, 15, 20, 30, 100, 200, 500, 1000}

var trecMultiples = []float64{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2}

// families are the names for which trec_eval computes a measure at several cutoffs.
var families = map[string][]float64{
	"P": trecCutoffs, "recall": trecCutoffs, "ndcg_cut": trecCutoffs, "map_cut": trecCutoffs, "relative_P": trecCutoffs,
	"P_avgjg": trecCutoffs,
	"success": {1, 5, 10}, "unj": {5, 10, 20},
	"iprec_at_recall": {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1},
	"Rprec_mult":      trecMultiples, "Rprec_mult_avgjg": trecMultiples,
}

// family returns the measures of a trec_eval family.
func family(name string) ([]Measure, bool) {
	at, ok := families[name]
	if !ok {
		return nil, false
	}
	tg, _ := lookup(name)
	if tg.info == nil {
		return nil, false
	}
	var ms []Measure
	for _, v := range at {
		m := tg.info.blank()
		m.set(m.info.at(), v)
		ms = append(ms, m)
	}
	return ms, true
}
