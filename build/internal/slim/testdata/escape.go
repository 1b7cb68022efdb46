// Command escape escapes text, as the page does.
package main

import (
	"fmt"
	"html"
)

func main() { fmt.Println(html.EscapeString("<É&Co>")) }
