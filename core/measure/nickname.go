package measure

// nickname returns the measures that one of trec_eval's nicknames stands for.
func nickname(name string) ([]Measure, bool) { return nil, false }
