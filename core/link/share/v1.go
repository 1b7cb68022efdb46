package share

import (
	"strconv"
	"strings"
)

// write1 returns the version 1 pairs of a canonical Address.
func write1(s Address) []pair {
	ps := []pair{{"v", "1"}}
	one := func(name, value string) {
		if value != "" {
			ps = append(ps, pair{name, value})
		}
	}
	many := func(name string, values []string) {
		for _, v := range values {
			ps = append(ps, pair{name, v})
		}
	}
	one("page", string(s.Screen))
	one("c", s.Collection)
	one("h", s.Hash)
	for _, system := range s.Systems {
		one("s", strings.ReplaceAll(system, " ", "")) // blanks mean nothing in a pipeline and cost three characters
	}
	one("as", s.Letters)
	if s.Baseline > 0 {
		one("base", letterOf(s.Baseline))
	}
	one("qid", s.QueryID)
	one("q", s.Query)
	one("doc", s.Document)
	if s.System > 0 {
		one("in", letterOf(s.System))
	}
	many("m", s.Measures)
	if s.Depth > 0 {
		one("k", strconv.Itoa(s.Depth))
	}
	many("cat", s.Filter.Categories)
	one("from", s.Filter.From)
	one("to", s.Filter.To)
	many("ent", s.Filter.Entities)
	return ps
}

// read1 returns the Address of version 1 pairs in any order. It checks the format; Canonical checks the values.
func read1(ps []pair) (Address, error) {
	var s Address
	seen := map[string]bool{}
	for _, p := range ps {
		list := p.name == "s" || p.name == "m" || p.name == "cat" || p.name == "ent"
		if seen[p.name] && !list {
			return Address{}, fail(Invalid, quote(p.name)+" is set twice")
		}
		if p.value == "" {
			return Address{}, fail(Invalid, quote(p.name)+" is empty")
		}
		seen[p.name] = true
		var err error
		switch p.name {
		case "page":
			s.Screen = Screen(p.value)
		case "c":
			s.Collection = p.value
		case "h":
			s.Hash = p.value
		case "s":
			s.Systems = append(s.Systems, p.value)
		case "as":
			s.Letters = p.value
		case "base":
			s.Baseline, err = readLetter(p)
		case "qid":
			s.QueryID = p.value
		case "q":
			s.Query = p.value
		case "doc":
			s.Document = p.value
		case "in":
			s.System, err = readLetter(p)
		case "m":
			s.Measures = append(s.Measures, p.value)
		case "k":
			s.Depth, err = readNumber(p)
		case "cat":
			s.Filter.Categories = append(s.Filter.Categories, p.value)
		case "from":
			s.Filter.From = p.value
		case "to":
			s.Filter.To = p.value
		case "ent":
			s.Filter.Entities = append(s.Filter.Entities, p.value)
		default:
			err = fail(Unknown, "the link has the unknown setting "+quote(p.name))
		}
		if err != nil {
			return Address{}, err
		}
	}
	return s, nil
}

// readLetter returns the index of the system with a letter.
func readLetter(p pair) (int, error) {
	if len(p.value) != 1 || p.value[0] < 'A' || p.value[0] >= 'A'+MaxSystems {
		return 0, fail(Invalid, quote(p.value)+" is not the letter of a system")
	}
	return int(p.value[0] - 'A'), nil
}

// readNumber returns a number written in digits.
func readNumber(p pair) (int, error) {
	if len(p.value) > 6 || strings.Trim(p.value, "0123456789") != "" {
		return 0, fail(Invalid, quote(p.value)+" is not a number of documents")
	}
	n, err := strconv.Atoi(p.value)
	if err != nil {
		return 0, fail(Invalid, quote(p.value)+" is not a number of documents")
	}
	return n, nil
}
