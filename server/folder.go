package server

import (
	"context"
	"errors"
	"fmt"

	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/exchange"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/store"
)

// OpenFolder makes a study of the folder that Config.Folders names for it, unless there is one, and says what is in the folder. The
// address of the server leads to its contact sheet as long as nobody has answered.
func (s *Server) OpenFolder(ctx context.Context, study string) (found exchange.Folder, made bool, err error) {
	dir := s.cfg.Folders[study]
	if dir == "" {
		return found, false, fmt.Errorf("server: Config.Folders has no folder of study %q", study)
	}
	if found, err = exchange.ReadFolder(dir); err != nil {
		return found, false, err
	}
	files, err := s.studies.Files(ctx, study)
	if err != nil {
		return found, false, err
	}
	err = s.studies.With(ctx, study, func(*live.Study) error { return nil })
	if made = errors.Is(err, store.ErrNoStudy); made {
		err = s.Create(ctx, study, prefer.Config{Space: prefer.Space{Items: found.Items}}, Settings{})
	}
	if err != nil {
		return found, false, err
	}
	files.Ignored, files.Unreadable = found.Ignored, nil
	for _, u := range found.Unreadable {
		files.Unread(u.Name, u.Why)
	}
	s.first.Store(&study)
	return found, made, s.studies.KeepFiles(ctx, study, files)
}

// firstStudy is the one that the address of the server leads to, or "".
func (s *Server) firstStudy() string {
	if name := s.first.Load(); name != nil {
		return *name
	}
	return ""
}
