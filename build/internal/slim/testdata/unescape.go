// Command unescape reads HTML's named characters, as the page does not.
package main

import (
	"fmt"
	"html"
)

func main() { fmt.Println(html.UnescapeString("&lt;&Eacute&amp;Co&gt; &NotEqualTilde;")) }
