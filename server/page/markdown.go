package page

import (
	"bytes"
	"html/template"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// renderer reads CommonMark with tables and strike-through. Raw HTML is left out by goldmark, and policy
// removes whatever is dangerous all the same.
var renderer = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))

var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.RequireNoReferrerOnLinks(true)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
})

// Markdown renders a text that a stranger wrote as harmless HTML.
func Markdown(text string) (template.HTML, error) {
	var b bytes.Buffer
	if err := renderer.Convert([]byte(text), &b); err != nil {
		return "", err
	}
	return template.HTML(policy().SanitizeBytes(b.Bytes())), nil
}
