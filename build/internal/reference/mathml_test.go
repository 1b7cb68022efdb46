package reference

import (
	"encoding/xml"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// arguments is how many elements one must hold; the others hold text, or any number.
var arguments = map[string]int{"mfrac": 2, "msup": 2, "msub": 2, "munder": 2, "msqrt": 1}

// wellFormed reads a statement as XML and checks every element of MathML in it.
func wellFormed(set string) error {
	d := xml.NewDecoder(strings.NewReader("<p>" + set + "</p>"))
	type element struct {
		name string
		kids int
		text string
	}
	var open []element
	for {
		t, err := d.Token()
		if len(open) == 0 && err != nil {
			return nil // after </p>
		} else if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			name := t.Name.Local
			if n := len(open); n > 0 {
				open[n-1].kids++
				if parent := open[n-1].name; (parent == "p") != (name == "math" || name == "wbr") ||
					slices.Contains([]string{"mi", "mn", "mo", "mtext"}, parent) {
					return fmt.Errorf("<%s> in <%s>", name, parent)
				}
			}
			open = append(open, element{name: name})
		case xml.CharData:
			open[len(open)-1].text += string(t)
		case xml.EndElement:
			e := open[len(open)-1]
			open = open[:len(open)-1]
			want, counted := arguments[e.name]
			switch {
			case counted && (e.kids != want || e.text != ""):
				return fmt.Errorf("<%s> of %d elements and %q", e.name, e.kids, e.text)
			case e.name == "math" && e.kids == 0 || (e.name == "math" || e.name == "mrow") && e.text != "":
				return fmt.Errorf("<%s> of %d elements and %q", e.name, e.kids, e.text)
			case slices.Contains([]string{"mi", "mn", "mo", "mtext"}, e.name) && e.text == "":
				return fmt.Errorf("<%s> is empty", e.name)
			case !counted && !slices.Contains([]string{"p", "math", "mrow", "wbr", "mi", "mn", "mo", "mtext"}, e.name):
				return fmt.Errorf("<%s> is not known", e.name)
			}
		}
	}
}

var (
	markup = regexp.MustCompile(`<[^>]*>`)
	said   = regexp.MustCompile(`[\pL\pM_₀-₉ₑ]+|[0-9]+`)
)

// words are the names, words and numbers of a text in their order, without those that a sign stands for.
func words(text string) []string {
	for latin, sign := range greek {
		text = regexp.MustCompile(`\b`+latin+`\b`).ReplaceAllString(text, sign)
	}
	var out []string
	for _, w := range said.FindAllString(strings.ReplaceAll(text, "log2", "log 2"), -1) {
		if !slices.Contains([]string{"sum", "product", "over", "of", "sqrt", "x", "Σ"}, w) {
			out = append(out, w)
		}
	}
	return out
}

// Every formula of the reference is set as MathML that is well formed and says all of its words, in their order.
func TestEveryFormulaIsSet(t *testing.T) {
	statements, fractions := 0, 0
	for _, p := range Pages() {
		for _, c := range p.Chapters {
			for _, e := range c.Entries {
				if e.Formula == "" {
					continue
				}
				for _, s := range clauses(e.Formula) {
					statements++
					set := mathML(s)
					fractions += strings.Count(set, "<mfrac")
					if err := wellFormed(strings.ReplaceAll(set, "<wbr>", "<wbr/>")); err != nil {
						t.Errorf("%s#%s: %s: %v\n%s", p.Path, e.ID, s, err, set)
					}
					got, want := words(strings.ReplaceAll(html.UnescapeString(markup.ReplaceAllString(set, " ")), "²",
						"2")), words(strings.ReplaceAll(s, "²", "2"))
					if !slices.Equal(got, want) {
						t.Errorf("%s#%s: %s\nsays %q\nwant %q", p.Path, e.ID, s, got, want)
					}
					if strings.Contains(s, "=") != strings.Contains(set, "=</mo>") && !strings.Contains(s, "<=") &&
						!strings.Contains(s, ">=") {
						t.Errorf("%s#%s: %s: the sign is gone: %s", p.Path, e.ID, s, set)
					}
				}
			}
		}
	}
	if statements < 150 || fractions < 60 {
		t.Errorf("%d statements with %d fractions", statements, fractions)
	}
}

func TestMathML(t *testing.T) {
	attributes := regexp.MustCompile(` [a-z]+="[^"]*"`)
	for _, c := range []struct{ name, formula, want string }{
		{"fraction", "P = a b / c",
			"<math><mi>P</mi><mo>=</mo></math><wbr><math><mfrac><mrow><mi>a</mi><mtext>\u2009</mtext><mi>b</mi></mrow><mi>c</mi></mfrac></math>"},
		{"a fraction needs no parentheses", "(1/R)", "<math><mfrac><mn>1</mn><mi>R</mi></mfrac></math>"},
		{"a power of one does", "(1/2)^k",
			"<math><msup><mrow><mo>(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>)</mo></mrow><mi>k</mi></msup></math>"},
		{"a function's stay", "ln((1 + S) / R)",
			"<math><mrow><mi>ln</mi><mrow><mo>(</mo><mfrac><mrow><mn>1</mn><mo>+</mo><mi>S</mi></mrow><mi>R</mi></mfrac><mo>)</mo></mrow></mrow></math>"},
		{"sum", "sum over i <= k of p^(i-1)",
			"<math><munder><mo>∑</mo><mrow><mi>i</mi><mo>≤</mo><mi>k</mi></mrow></munder><mtext>\u2009</mtext><msup><mi>p</mi><mrow><mi>i</mi><mo>−</mo><mn>1</mn></mrow></msup></math>"},
		{"a sum in a sentence", "the summary is the sum", "the summary is the sum"},
		{"a sentence", "0 where IDCG = 0",
			"<math><mn>0</mn></math> where <math><mi>IDCG</mi><mo>=</mo><mn>0</mn></math>"},
		{"logarithm and root", "1 / log2(i) + sqrt(m)",
			"<math><mfrac><mn>1</mn><mrow><msub><mi>log</mi><mn>2</mn></msub><mrow><mo>(</mo><mi>i</mi><mo>)</mo></mrow></mrow></mfrac></math><wbr><math><mo>+</mo><msqrt><mi>m</mi></msqrt></math>"},
		{"Greek", "(1 - alpha)^n",
			"<math><msup><mrow><mo>(</mo><mn>1</mn><mo>−</mo><mi>α</mi><mo>)</mo></mrow><mi>n</mi></msup></math>"},
		{"a fraction too long stays on the line",
			"|documents in ranks 1..k without a grade, or with a negative one| / k",
			"|documents in ranks <math><mn>1</mn><mo>…</mo><mi>k</mi></math> without a grade\u2060, or with a " +
				"negative one\u2060|<math><mo>/</mo><mi>k</mi></math>"},
		{"markup", "a < b & <script>",
			"<math><mi>a</mi><mo>&lt;</mo><mi>b</mi><mo>&amp;</mo><mo>&lt;</mo></math> script " +
				"<math><mo>&gt;</mo></math>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := attributes.ReplaceAllString(mathML(c.formula), ""); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	for _, odd := range []string{"", "(", ")", "a^", "a^(", "a@", "/", "/ b", "sum over", "sum over x of", "|", "sqrt",
		"√", "x x x", "a ^ b", "1..", "a/b/c/(d", "-", "log2"} {
		if err := wellFormed(strings.ReplaceAll(mathML(odd), "<wbr>", "<wbr/>")); err != nil {
			t.Errorf("%q: %v: %s", odd, err, mathML(odd))
		}
	}
}
