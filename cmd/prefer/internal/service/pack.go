package service

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/internal/pack"
	"github.com/prefer-bo/prefer/live"
)

type Pack struct {
	What  string `arg:"" optional:"" name:"study" help:"What to pack: a study in JSON, a folder or table of items, or a SQLite file." completion:"file"`
	Study string `help:"Name of the study. Default: the file's." placeholder:"NAME"`
	Out   string `help:"File to write; by default named after the study." placeholder:"FILE" completion:"file"`

	Param    []string `help:"A parameter instead of a study: ${parameter_forms}. May be repeated." sep:"none" placeholder:"NAME=VALUES"`
	Template string   `help:"Template that draws an option, .svg or .html, with {{parameter}} for values." placeholder:"FILE" completion:"file"`
	Prompt   string   `help:"The sentence above every pair." placeholder:"TEXT"`
	Budget   *int     `help:"Maximum answers per rater." least:"1" want:"at least 1 answer" placeholder:"N"`
	Seed     *uint64  `help:"Random seed of the study." placeholder:"N"`
	Result   *bool    `help:"Show raters the result; --no-result hides it. Default: the study's setting, else shown." negatable:""`
	Complete string   `help:"Completion address that raters are sent to at the end, for example of a recruiting service." placeholder:"URL"`
	MaxMedia int64    `help:"Maximum size of pictures, sounds and films, in MB." default:"25" least:"1" want:"at least 1 MB" placeholder:"MB"`

	Upload      string `help:"Upload address of a study on a server, with the token after a # or as --upload-token." placeholder:"URL"`
	UploadToken string `help:"Upload token." placeholder:"TOKEN"`

	cli.ForceFlag
}

func (c Pack) Run(ctx context.Context, s cli.Streams) error {
	file, folder, err := c.file(ctx, s)
	if err != nil {
		return err
	}
	left := s.ReportFolder(c.What, folder)
	out := cmp.Or(c.Out, file.Name+".html")
	if err := c.Check("--out", out); err != nil {
		return err
	}
	if err := c.change(&file); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := pack.Write(ctx, &text, file); errors.As(err, new(*pack.CoreError)) {
		return err
	} else if err != nil {
		return cli.Usage(err)
	}
	if err := c.WriteBytes("--out", out, text.Bytes()); err != nil {
		return err
	}
	return s.Notify(struct {
		File  string `json:"file"`
		Bytes int    `json:"bytes"`
		Study string `json:"study"`
		cli.Omitted
	}{out, text.Len(), file.Name, left}, "%s: study %q in %.1f MB; open it in any browser, with or without a network\n", out, file.Name, float64(text.Len())/1e6)
}

// change has flags count before what the study says.
func (c Pack) change(f *pack.File) error {
	if f.Log != nil && (c.Prompt != "" || c.Budget != nil || c.Seed != nil) {
		return cli.Usagef("--prompt, --budget and --seed need a new study, but %s is one already", c.What)
	}
	f.Config.Prompt = cmp.Or(c.Prompt, f.Config.Prompt)
	cli.Set(&f.Config.Budget, c.Budget)
	cli.Set(&f.Config.Seed, c.Seed)
	cli.Set(&f.Settings.ShowResult, c.Result)
	f.Settings.Page.Complete = cmp.Or(c.Complete, f.Settings.Page.Complete)
	f.Settings.Page.Paused = false
	if c.Template != "" {
		text, err := os.ReadFile(c.Template)
		if err != nil {
			return cli.WrapFlagError(err, "--template", c.Template)
		}
		kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(c.Template), "."))
		if kind != "svg" && kind != "html" {
			return cli.FlagError("--template", c.Template, "want a drawing called .svg or .html")
		}
		f.Settings.Page.Template = live.Template{Kind: kind, Text: string(text)}
	}
	f.Limit = c.MaxMedia << 20
	f.Upload, f.Token = c.Upload, c.UploadToken
	if u, err := url.Parse(c.Upload); err == nil && u.Fragment != "" {
		if c.UploadToken != "" && c.UploadToken != u.Fragment {
			return cli.Usagef("--upload has a token after its #, and --upload-token another")
		}
		f.Token, u.Fragment = u.Fragment, ""
		f.Upload = u.String()
	}
	return nil
}

// file reads what is to be packed, and of a folder what else is in it.
func (c Pack) file(ctx context.Context, s cli.Streams) (f pack.File, folder exchange.Folder, err error) {
	f.Settings.ShowResult = true
	if len(c.Param) > 0 {
		if c.What != "" {
			return f, folder, cli.Usagef("%s and --param are two studies, want one of them", c.What)
		}
		f.Name = cmp.Or(c.Study, strings.TrimSuffix(filepath.Base(c.Out), filepath.Ext(c.Out)), "study")
		f.Config.Space.Parameters, err = cli.ParseParameters(c.Param)
		return f, folder, err
	}
	if c.What == "" {
		return f, folder, cli.Usagef("nothing to pack, want for example: prefer pack coffee.json --out coffee.html")
	}
	full, err := filepath.Abs(c.What)
	if err != nil {
		return f, folder, err
	}
	info, err := os.Stat(full)
	if errors.Is(err, fs.ErrNotExist) {
		err = cli.NotFoundf("there is no %s, want a study in JSON, a folder or table of items, or a SQLite file", c.What)
	}
	if err != nil {
		return f, folder, err
	}
	base, beside := filepath.Base(full), filepath.Dir(full)
	f.Name = cmp.Or(c.Study, strings.TrimSuffix(base, filepath.Ext(base)))
	if info.IsDir() {
		f.Name, beside = cmp.Or(c.Study, base), full
	}
	f.Read = func(name string) ([]byte, error) {
		file, err := os.OpenInRoot(beside, filepath.FromSlash(name)) // and in no other folder
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(file)
	}
	switch ext := strings.ToLower(filepath.Ext(full)); {
	case info.IsDir() || ext == ".csv" || ext == ".jsonl" || ext == ".ndjson":
		f.Config.Space, folder, err = cli.ReadItems(full)
		return f, folder, err
	case ext == ".json":
		f.Config, err = cli.ReadConfig(c.What, nil, &f.Settings)
		return f, folder, cli.Usage(err)
	}
	return f, folder, c.stored(ctx, full, &f)
}

// stored takes a study of a store: what it asks now and how it is run, and none of its answers.
func (c Pack) stored(ctx context.Context, path string, f *pack.File) error {
	return cli.StudyFlags{Path: path, Study: c.Study}.WithStore(ctx, func(k cli.StudyStore) error {
		study, err := k.Store.Study(ctx, k.Name)
		if err != nil {
			return err
		}
		f.Name = k.Name
		if f.Log, f.Settings, err = pack.Current(ctx, k.Store, k.Name, study); err != nil {
			return err
		}
		files := cli.FilesBeside(path, k.Name)
		f.Read = func(name string) ([]byte, error) {
			data, err := files.Read(k.Name, name)
			if err != nil {
				err = fmt.Errorf("%q is neither in %s nor in %s", name, files.Folders[k.Name], files.Uploads)
			}
			return data, err
		}
		return nil
	})
}
