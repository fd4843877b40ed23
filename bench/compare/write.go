package compare

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/prefer-bo/prefer/internal/outfile"
)

// Write makes the report about a table and writes it to a directory, which it creates: report.md,
// report.html, summary.csv, comparisons.csv and the figures: gaps.svg and, with several noise levels, one for each
// (gaps-noise-0.1.svg).
func Write(dir string, t *Table, o Options) error {
	comparisons := Comparisons(t, o)
	d, err := newDocument(t, o, comparisons)
	if err != nil {
		return err
	}
	if err := d.Write(dir, o.Force); err != nil {
		return err
	}
	if err := replace(filepath.Join(dir, "summary.csv"), SummaryCSV(t, o), o.Force); err != nil {
		return err
	}
	return replace(filepath.Join(dir, "comparisons.csv"), ComparisonCSV(comparisons), o.Force)
}

// Write writes report.md, report.html and the figures to a directory, which it creates. Unless forced it replaces no file that
// is not such a one.
func (d Document) Write(dir string, force bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	page, err := d.HTML()
	if err != nil {
		return err
	}
	for _, s := range d.Sections {
		for _, f := range s.Figures {
			if f.File != filepath.Base(f.File) {
				return fmt.Errorf("report: figure file %q, want a name without a directory", f.File)
			}
			if err := replace(filepath.Join(dir, f.File), f.SVG, force); err != nil {
				return err
			}
		}
	}
	if err := replace(filepath.Join(dir, "report.md"), d.Markdown(), force); err != nil {
		return err
	}
	return replace(filepath.Join(dir, "report.html"), page, force)
}

func replace(path string, data []byte, force bool) error {
	err := outfile.Write(path, force, func(w io.Writer) error { _, err := w.Write(data); return err })
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
