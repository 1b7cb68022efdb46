package main

import (
	"flag"
	"fmt"

	"golang.org/x/text/unicode/norm"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/collection/identity"
)

func init() { identity.Normal = norm.NFC.String }

// spelling is what is said of ids that judgments and runs write differently.
type spelling struct {
	said  bool
	rules []identity.Rule
}

func (s *spelling) flags(f *flag.FlagSet) {
	f.Func("ids", "`rules` by which ids of runs are taken for those of the judgments, between commas: nfc (composed "+
		"letters), case, path (./, \\, %20, .md), number (1.0), chunk (doc#3); none compares to the letter", func(v string) (err error) {
		s.said = true
		s.rules, err = identity.Parse(v)
		return err
	})
}

// refuse says that most of what is judged is in a run under another spelling, unless something was said of it.
func (s *spelling) refuse(list []collection.Warning) error {
	if s.said || len(list) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s; -ids none measures the ids as they are", list[0].File, list[0].Message)
}

// apply repairs the ids of a run as far as it was said, and says what is left.
func (s *spelling) apply(run *collection.Run, q *collection.Qrels, name string) (*collection.Run,
	[]collection.Warning, error) {
	var list []collection.Warning
	if s.rules != nil {
		run, list = identity.Repair(run, q, s.rules, name)
	}
	near, many := identity.Warnings(run, q, name)
	if many {
		if err := s.refuse(near); err != nil {
			return nil, nil, err
		}
	}
	return run, append(list, near...), nil
}
