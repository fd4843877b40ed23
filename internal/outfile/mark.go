package outfile

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"regexp"
)

// Comment says in SVG and Markdown, and Generator in HTML, who made a file.
const (
	Comment   = "<!-- made by prefer -->"
	Generator = `<meta name="generator" content="prefer"`
)

// software is the same in PNG: the text "Software" (https://www.w3.org/TR/png-3/#11tEXt).
const software = "tEXtSoftware\x00prefer"

// pngStart is the signature of a PNG and its first chunk, which has a fixed length.
const pngStart = 8 + 4 + 4 + 13 + 4

// MarkPNG returns an image that says so. What is no PNG comes back as it is.
func MarkPNG(image []byte) []byte {
	if len(image) < pngStart {
		return image
	}
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(software)-len("tEXt")))
	chunk = append(chunk, software...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE([]byte(software)))
	return append(append(bytes.Clone(image[:pngStart]), chunk...), image[pngStart:]...)
}

// marks are how files begin that prefer makes, one for each sort: other files may speak of such marks, but not begin so.
var marks = regexp.MustCompile(`(?s)\A(?:` +
	`\{\s*"format":\s*"prefer\.log"` + // a log, in lines or as one value
	`|\{\s*"study":\s*"[^\n]{0,1000}",\s*"config_sha256"` + // results
	`|study,rater,session,seq,time,question_id,|study,rater,[^\n]*,utility,sd,confidence,beats,|study,[^\n]*people,[^\n]*,score,utility,sd,|study,rater_a,rater_b,` +
	`|<!DOCTYPE html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8"(?: /)?>\s*` + Generator + // reports
	`|(?:<\?xml[^>]*>\s*)?` + Comment +
	`|\{"problem":"[^"\n]*","noise":[^,\n]*,"method":|problem,noise,setup,method,(?:iter|other_setup),` + // experiments
	`|\{"[0-9]+":\[\{"initial_pairs":|\{"taste":[0-9]+,"space":` +
	`)`)

// made reports whether a file is one of ours.
func made(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 64<<10)) // longer than any header
	if bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")) {
		return bytes.HasPrefix(head[min(len(head), pngStart+4):], []byte(software)), err
	}
	return marks.Match(head), err
}
