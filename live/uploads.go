package live

import (
	"context"
	"regexp"
	"slices"
	"time"

	"github.com/prefer-bo/prefer/store/contract"
)

// UploadPath is where a server takes logs.
const UploadPath = "/v1/upload"

// UploadToken is what a token that only uploads begins with, so that nobody takes it for a link.
const UploadToken = "upload-"

// uploadPrefix begins the notes of upload tokens; the hash of the token follows. They are of nobody, and stay when they are withdrawn or renewed, so
// that who still has one can be told.
const uploadPrefix = "upload "

// uploadForm is how an upload token looks.
var uploadForm = regexp.MustCompile(`^` + UploadToken + `[A-Za-z0-9_-]{22}$`)

// UploadLink is what an upload token stands for: a study that takes the logs of people who were asked elsewhere, and gives nothing.
type UploadLink struct {
	Study   string    `json:"-"`
	ID      string    `json:"id" doc:"Names it in place of its token, also after it was renewed."`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires,omitzero" doc:"From when on it no longer works."`

	// Key names it to whoever counts what is done with it.
	Key string `json:"-"`
}

func uploadOf(n contract.Note, b linkBody) UploadLink {
	return UploadLink{Study: n.Study, ID: b.ID, Created: b.Created, Expires: b.Expires, Key: n.Name}
}

// AllowUploads makes an upload token of a study. Only its hash is kept. Without a time it works until it is withdrawn.
func (s *Studies) AllowUploads(ctx context.Context, study string, expires time.Time) (token string, l UploadLink, err error) {
	now := s.cfg.Now().UTC()
	if err := checkExpiry(expires, now); err != nil {
		return "", l, err
	}
	return s.newUpload(ctx, study, linkBody{Created: now, Expires: expires.UTC()})
}

func (s *Studies) newUpload(ctx context.Context, study string, b linkBody) (token string, l UploadLink, err error) {
	token = UploadToken + NewToken()
	hash := hashOf(token)
	if b.ID == "" {
		b.ID = hash[:linkID]
	}
	note := contract.Note{Study: study, Name: uploadPrefix + hash}
	err = s.Change(ctx, study, linksChanged, "", func(*Study) error { return keepJSON(ctx, s.store, note, b) })
	return token, uploadOf(note, b), err
}

// UploadLink returns what an upload token stands for. One that nobody made, or that no longer works, is an Error that says why.
func (s *Studies) UploadLink(ctx context.Context, token string) (l UploadLink, err error) {
	if !uploadForm.MatchString(token) {
		return l, refuse(NoLink, "this is no upload token, which begins with %q", UploadToken)
	}
	n, ok, err := s.store.FindNote(ctx, "", uploadPrefix+hashOf(token))
	if err != nil {
		return l, err
	}
	if !ok {
		return l, refuse(NoLink, "nobody made this upload token, or its study is gone")
	}
	b, err := readLink(n)
	if err == nil {
		err = b.ended(s.cfg.Now(), false)
	}
	return uploadOf(n, b), err
}

// UploadLinks returns the upload tokens of a study that were not withdrawn, without the tokens, the latest first.
func (s *Studies) UploadLinks(ctx context.Context, study string) (out []UploadLink, err error) {
	if err := s.With(ctx, study, func(*Study) error { return nil }); err != nil {
		return nil, err
	}
	err = s.eachUpload(ctx, study, func(n contract.Note, b linkBody) error {
		out = append(out, uploadOf(n, b))
		return nil
	})
	slices.SortStableFunc(out, func(a, b UploadLink) int { return b.Created.Compare(a.Created) })
	return out, err
}

// eachUpload runs do on the upload tokens of a study that were neither withdrawn nor renewed.
func (s *Studies) eachUpload(ctx context.Context, study string, do func(contract.Note, linkBody) error) error {
	notes, err := s.store.Notes(ctx, study, uploadPrefix)
	if err != nil {
		return err
	}
	for _, n := range notes {
		b, err := readLink(n)
		if err == nil && b.Next == "" && b.Withdrawn.IsZero() {
			err = do(n, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// endUpload ends the token of an id as end says, but for the one in place of it.
func (s *Studies) endUpload(ctx context.Context, study, id, but string, end func(*linkBody)) error {
	return s.Change(ctx, study, linksChanged, "", func(*Study) error {
		return s.eachUpload(ctx, study, func(n contract.Note, b linkBody) error {
			if b.ID != id || n.Name == but {
				return nil
			}
			end(&b)
			return keepJSON(ctx, s.store, n, b)
		})
	})
}

// findUpload returns an upload token by its id.
func (s *Studies) findUpload(ctx context.Context, study, id string) (found UploadLink, err error) {
	all, err := s.UploadLinks(ctx, study)
	if err != nil {
		return found, err
	}
	i := slices.IndexFunc(all, func(l UploadLink) bool { return l.ID == id })
	if i < 0 {
		return found, refuse(NoLink, "study %q has no upload token %q: it was withdrawn, or never made", study, id)
	}
	return all[i], nil
}

// WithdrawUploads ends an upload token. What came by it stays.
func (s *Studies) WithdrawUploads(ctx context.Context, study, id string) error {
	if _, err := s.findUpload(ctx, study, id); err != nil {
		return err
	}
	return s.endUpload(ctx, study, id, "", func(b *linkBody) { b.Withdrawn = s.cfg.Now().UTC() })
}

// RenewUploads puts another token in place of one, which no longer works. Without a time it lasts as long as the other was to.
func (s *Studies) RenewUploads(ctx context.Context, study, id string, expires time.Time) (token string, l UploadLink, err error) {
	now := s.cfg.Now().UTC()
	if err := checkExpiry(expires, now); err != nil {
		return "", l, err
	}
	was, err := s.findUpload(ctx, study, id)
	if err != nil {
		return "", l, err
	}
	if expires.IsZero() && !was.Expires.IsZero() {
		expires = now.Add(was.Expires.Sub(was.Created))
	}
	if token, l, err = s.newUpload(ctx, study, linkBody{ID: id, Created: now, Expires: expires.UTC()}); err != nil {
		return "", l, err
	}
	return token, l, s.endUpload(ctx, study, id, l.Key, func(b *linkBody) { b.Next = hashOf(token) })
}
