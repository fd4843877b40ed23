package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prefer-bo/prefer"
	"github.com/prefer-bo/prefer/live"
	"github.com/prefer-bo/prefer/space"
)

type itemInput struct {
	Study string `path:"study"`
	Item  string `path:"item" maxLength:"4000" doc:"The id of an item; a slash in it is written %2F."`
}

type itemListInput struct {
	Study string `path:"study"`
}

// listItem is an item as its owner sees it.
type listItem struct {
	ID       string       `json:"id"`
	Media    string       `json:"media,omitempty"`
	Text     string       `json:"text,omitempty"`
	Sum      string       `json:"sum,omitempty" doc:"Names the content of the media."`
	Features space.Option `json:"features,omitempty"`
	Left     bool         `json:"left,omitempty" doc:"It has left the list: it is not asked about, and what was said about it still teaches."`
}

type itemListOutputBody struct {
	Items []listItem `json:"items" nullable:"false" doc:"In the order of joining."`
}

type leaveOutputBody struct {
	Items int `json:"items_count" doc:"How many the study has now."`
}

func registerItems(s *Server) {
	huma.Register(s.api, operation(http.MethodGet, "/v1/studies/{study}/items", "items", "The list of a study, with those that have left", forOwner), s.items)
	huma.Register(s.api, operation(http.MethodDelete, "/v1/studies/{study}/items/{item}", "leave", "Take an item out of a list; what was said about it still teaches", forOwner), s.leave)
}

// items lists every item that the study ever had. The owner may; a study of parameters has none.
func (s *Server) items(ctx context.Context, in *itemListInput) (*output[itemListOutputBody], error) {
	return with(ctx, s, in.Study, func(open *live.Study) (itemListOutputBody, error) {
		here := map[string]bool{}
		for _, it := range open.Study.Items(false) {
			here[it.ID] = true
		}
		out := itemListOutputBody{Items: []listItem{}}
		for _, it := range open.Study.Items(true) {
			out.Items = append(out.Items, listItem{it.ID, it.Media, it.Text, it.Sum, it.Features, !here[it.ID]})
		}
		return out, nil
	})
}

// leave takes an item out of the list. The owner may; one that is not in it, and one of the last two, are refused with a 422.
func (s *Server) leave(ctx context.Context, in *itemInput) (*output[leaveOutputBody], error) {
	out := &output[leaveOutputBody]{}
	err := s.studies.Change(ctx, in.Study, "left", "", func(open *live.Study) error {
		err := open.Study.Change(context.WithoutCancel(ctx), prefer.Change{Leave: []string{in.Item}})
		_, out.Body.Items = open.Size()
		return err
	})
	return out, s.explain(ctx, err, "path.item")
}
