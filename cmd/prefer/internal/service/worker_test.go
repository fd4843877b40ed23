package service

import (
	"bytes"
	"context"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/cli"
	"github.com/prefer-bo/prefer/cmd/prefer/internal/queue"
	"github.com/prefer-bo/prefer/internal/job"
	"github.com/prefer-bo/prefer/internal/media"
	"github.com/prefer-bo/prefer/internal/storetest"
	"github.com/prefer-bo/prefer/server"
	"github.com/prefer-bo/prefer/space"
	"github.com/prefer-bo/prefer/store/sqlstore"
)

// TestWorkerReport: a report waits until there is a worker with a store: one that was named, or the queue's own
// database as soon as that holds studies.
func TestWorkerReport(t *testing.T) {
	ctx := context.Background()
	for name, own := range map[string]bool{"own": true, "file": false} {
		t.Run(name, func(t *testing.T) {
			c := Worker{Queue: storetest.Database(t), Drain: true, Jobs: 1}
			q, err := queue.Open(ctx, c.Queue)
			if err != nil {
				t.Fatal(err)
			}
			defer q.Close()
			e, err := job.NewReport(job.ReportRequest{Study: "tea", Seq: 1})
			if err != nil {
				t.Fatal(err)
			}
			if err := q.Runner().Submit(ctx, e); err != nil {
				t.Fatal(err)
			}
			run := func(want string) {
				t.Helper()
				var talk strings.Builder
				if err := c.Run(ctx, cli.Streams{Err: &talk}); err != nil || !strings.Contains(talk.String(), want) {
					t.Errorf("the worker ends with %v and has said %q, want %q", err, talk.String(), want)
				}
			}
			run("0 jobs done, 0 failed")
			address := c.Queue
			if !own {
				address = filepath.Join(t.TempDir(), "tea.db")
				c.Store = address
			}
			st, err := sqlstore.Open(ctx, address, sqlstore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			if _, err := st.Create(ctx, "tea", prefer.Config{Space: space.Box(space.Float("sugar", 0, 1))}); err != nil {
				t.Fatal(err)
			}
			run("1 job done, 0 failed")
			if n, ok, err := st.FindNote(ctx, "tea", job.ReportNote(e)); err != nil || !ok || !strings.Contains(n.Body, "<title>tea") {
				t.Errorf("the report is there: %v (%v)", ok, err)
			}
		})
	}
}

// TestUploads: a worker finds what was uploaded to a server, and nothing beside it.
func TestUploads(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	st, err := sqlstore.Open(ctx, filepath.Join(dir, "tea.db"), sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	folder := filepath.Join(dir, "tea.media")
	srv, err := server.New(server.Config{Store: st, Media: folder})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(ctx)
	const study = "green tea 50%"
	if err := srv.Create(ctx, study, prefer.Config{Space: space.Space{Items: []space.Item{{ID: "x"}, {ID: "y"}}}}, server.Settings{}); err != nil {
		t.Fatal(err)
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	f, err := w.CreateFormFile("file", "cup.gif")
	if err != nil {
		t.Fatal(err)
	}
	picture := "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00; a cup"
	if _, err := f.Write([]byte(picture)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/media?study=green+tea+50%25", &form)
	r.RemoteAddr = "127.0.0.1:5"
	r.Header.Set("Content-Type", w.FormDataContentType())
	out := httptest.NewRecorder()
	srv.Handler().ServeHTTP(out, r)
	var reply struct{ Files []struct{ Media string } }
	if err := json.Unmarshal(out.Body.Bytes(), &reply); err != nil || len(reply.Files) != 1 {
		t.Fatalf("the upload was answered with %d: %s", out.Code, out.Body)
	}
	read := (&media.Files{Uploads: folder}).Read
	if got, err := read(study, reply.Files[0].Media); err != nil || string(got) != picture {
		t.Errorf("the picture is read as %q (%v)", got, err)
	}
	for _, name := range []string{"../../tea.db", "other.png"} {
		if got, err := read(study, name); err == nil {
			t.Errorf("%s is read as %q", name, got)
		}
	}
}
