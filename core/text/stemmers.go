//go:build !first

package text

import "github.com/rankbox/rankbox/core/text/snowball"

func snowballDanish(word string) (string, bool)    { return snowball.Danish(javaLower(word)), true }
func snowballDutch(word string) (string, bool)     { return snowball.Dutch(javaLower(word)), true }
func snowballEnglish(word string) (string, bool)   { return snowball.English(javaLower(word)), true }
func snowballFinnish(word string) (string, bool)   { return snowball.Finnish(javaLower(word)), true }
func snowballFrench(word string) (string, bool)    { return snowball.French(javaLower(word)), true }
func snowballGerman(word string) (string, bool)    { return snowball.German(javaLower(word)), true }
func snowballHungarian(word string) (string, bool) { return snowball.Hungarian(javaLower(word)), true }
func snowballItalian(word string) (string, bool)   { return snowball.Italian(javaLower(word)), true }
func snowballNorwegian(word string) (string, bool) { return snowball.Norwegian(javaLower(word)), true }
func snowballPortuguese(word string) (string, bool) {
	return snowball.Portuguese(javaLower(word)), true
}
func snowballRussian(word string) (string, bool) { return snowball.Russian(javaLower(word)), true }
func snowballSpanish(word string) (string, bool) { return snowball.Spanish(javaLower(word)), true }
func snowballSwedish(word string) (string, bool) { return snowball.Swedish(javaLower(word)), true }
