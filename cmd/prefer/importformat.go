package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// guessFormat says what a file holds from how it begins: log, optuna, aepsych, items or pairs.
func guessFormat(head []byte) string {
	const sqlite = "SQLite format 3\x00"
	if bytes.HasPrefix(head, []byte(sqlite)) {
		return "optuna"
	}
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	if bytes.HasPrefix(line, []byte("{")) {
		return guessLine(line)
	}
	if bytes.HasPrefix(line, []byte("[")) {
		return "pairs"
	}
	columns := strings.Split(strings.ToLower(string(bytes.TrimSpace(line))), ",")
	named := map[string]bool{}
	for _, c := range columns {
		c = strings.Trim(strings.TrimSpace(c), `"`)
		if strings.Contains(c, "_stimuli") {
			return "aepsych"
		}
		named[c] = true
	}
	if (named["id"] || named["media"] || named["text"]) && !named["winner"] {
		return "items"
	}
	return "pairs"
}

// guessLine looks at the names in a line of JSON, which may be cut short.
func guessLine(line []byte) string {
	names := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(line))
	depth := 0
	key := false // the next token at depth 1 is a name
	for {
		t, err := d.Token()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
			key = depth == 1
			continue
		case string:
			if depth == 1 && key {
				names[t] = true
				key = false
				continue
			}
		}
		key = depth == 1
	}
	switch {
	case names["format"]:
		return "log"
	case names["op_code"]:
		return "optuna"
	case names["winner"]:
		return "pairs"
	case names["id"] || names["media"] || names["text"] || names["features"]:
		return "items"
	}
	return "pairs"
}
