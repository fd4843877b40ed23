package strictjson

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":2,"c":["a","a",{"a":3}]}}`: "",
		`"\ud83c\udf75 \\ud83c ü 🍵 \ufffd"`:         "",
		`{"a":1,"b":2,"a":3}`:                       `"a" is given twice`,
		`[{"b":[{"x":{"y":1,"\u0079":2}}]}]`:        `"y" is given twice`,
		`{"a":"\ud83c"}`:                            `\ud83c at byte 7 is half of a character`,
		`{"a":"\ud83c\ud83c\udf75"}`:                `\ud83c at byte 7 is half`,
		`{"a":"x\uDF75"}`:                           `\uDF75 at byte 8 is half`,
		`{"\\\udf75":1}`:                            `\udf75 at byte 5 is half`,
		"{\"a\":\"\xff\"}":                          `byte 7 is not UTF-8`,
		"{\"a\":\"\xed\xa0\xbc\"}":                  `byte 7 is not UTF-8`, // a surrogate as UTF-8 would have it
		``:                                          "",
		`{"a":1,"a"`:                                `"a" is given twice`,
		`{"a"`:                                      "",
		`}`:                                         "",
		`\u`:                                        "",
		`0\`:                                        "",
		strings.Repeat("[", 20000):                  "",
	} {
		err := Text([]byte(text))
		if err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

// FuzzText: whatever the text, the check ends; and a valid text that it lets pass is the same after reading and writing.
func FuzzText(f *testing.F) {
	f.Add([]byte(`{"a":"\ud83c\udf75","b":[1,{"c":"\u0041"}]}`))
	f.Add([]byte(`"\ud83c`))
	f.Add([]byte("\"\xff\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		err := Text(data)
		var word string
		if json.Unmarshal(data, &word) == nil && err == nil && strings.Count(word, "\ufffd") != strings.Count(string(data), "\ufffd")+strings.Count(strings.ToLower(strings.ReplaceAll(string(data), `\\`, "")), `\ufffd`) {
			t.Errorf("%q reads %q", data, word)
		}
	})
}
