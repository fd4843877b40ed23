package gate

import (
	"compress/gzip"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// worthwhile is the number of bytes from which on a reply is compressed.
const worthwhile = 1024

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// zipped sends text compressed by gzip. Whether it does is decided by the first write, so the header waits for that.
type zipped struct {
	http.ResponseWriter
	status int
	sent   bool
	z      *gzip.Writer
}

// compress calls next with a reply that is compressed if the client takes gzip.
func compress(next http.Handler, w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead || !takesGzip.MatchString(r.Header.Get("Accept-Encoding")) {
		next.ServeHTTP(w, r)
		return
	}
	out := &zipped{ResponseWriter: w, status: http.StatusOK}
	next.ServeHTTP(out, r)
	out.send(0)
	if out.z != nil {
		_ = out.z.Close() // the client may be gone
		zippers.Put(out.z)
	}
}

// takesGzip matches an Accept-Encoding that has gzip, with no weight or one above 0.
var takesGzip = regexp.MustCompile(`(^|,)\s*gzip\s*(,|$|;\s*q=(1|0?\.\d*[1-9]))`)

// textual reports whether a content type is text that compresses well. An event stream is not held back.
func textual(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	return kind != "text/event-stream" && (strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "javascript") || strings.HasSuffix(kind, "+xml"))
}

// send sends the header, before so many bytes or more of a body.
func (z *zipped) send(length int) {
	if z.sent {
		return
	}
	z.sent = true
	if h := z.Header(); textual(h.Get("Content-Type")) {
		h.Add("Vary", "Accept-Encoding")
		if length >= worthwhile && h.Get("Content-Encoding") == "" && h.Get("Content-Range") == "" {
			h.Set("Content-Encoding", "gzip")
			h.Del("Content-Length")
			z.z = zippers.Get().(*gzip.Writer)
			z.z.Reset(z.ResponseWriter)
		}
	}
	z.ResponseWriter.WriteHeader(z.status)
}

func (z *zipped) WriteHeader(status int) {
	if status < http.StatusOK {
		z.ResponseWriter.WriteHeader(status)
		return
	}
	if !z.sent {
		z.status = status
	}
}

func (z *zipped) Write(p []byte) (int, error) {
	if z.Header().Get("Content-Type") == "" && !z.sent {
		z.Header().Set("Content-Type", http.DetectContentType(p))
	}
	z.send(len(p))
	if z.z != nil {
		return z.z.Write(p)
	}
	return z.ResponseWriter.Write(p)
}

// FlushError sends what there is.
func (z *zipped) FlushError() error {
	z.send(0)
	if z.z != nil {
		if err := z.z.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(z.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (z *zipped) Unwrap() http.ResponseWriter { return z.ResponseWriter }
