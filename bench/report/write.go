package report

import (
	"fmt"
	"os"
	"path/filepath"
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
	if err := d.Write(dir); err != nil {
		return err
	}
	if err := replace(filepath.Join(dir, "summary.csv"), SummaryCSV(t, o)); err != nil {
		return err
	}
	return replace(filepath.Join(dir, "comparisons.csv"), ComparisonCSV(comparisons))
}

// Write writes report.md, report.html and the figures to a directory, which it creates.
func (d Document) Write(dir string) error {
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
			if err := replace(filepath.Join(dir, f.File), f.SVG); err != nil {
				return err
			}
		}
	}
	if err := replace(filepath.Join(dir, "report.md"), d.Markdown()); err != nil {
		return err
	}
	return replace(filepath.Join(dir, "report.html"), page)
}

// replace writes a file under another name and renames it, so that a reader never meets half of one.
func replace(path string, data []byte) error {
	half := path + ".tmp"
	if err := os.WriteFile(half, data, 0o644); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := os.Rename(half, path); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
