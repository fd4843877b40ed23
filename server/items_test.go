package server

import (
	"strings"
	"testing"
)

// TestItems: an item leaves by its id, slashes and all, is listed as gone, is asked about no more, and comes back.
func TestItems(t *testing.T) {
	h := newTestServer(t, nil)
	h.want(201, "POST", "/v1/studies", `{"name":"coffee","items":[{"id":"a","text":"one"},{"id":"sub/ü b.png","text":"two"},{"id":"c","text":"three"}]}`, nil)
	var open Question
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"ann","hold":{"item":"sub/ü b.png"}}`, &open)
	var left struct {
		Items int `json:"items_count"`
	}
	if open.Status.Seen != 2 || open.Status.Items != 3 {
		t.Errorf("seen %d of %d, want 2 of 3", open.Status.Seen, open.Status.Items)
	}
	h.want(200, "DELETE", "/v1/studies/coffee/items/sub%2F%C3%BC%20b.png", "", &left)
	var all struct {
		Items []listItem
	}
	h.want(200, "GET", "/v1/studies/coffee/items", "", &all)
	if left.Items != 2 || len(all.Items) != 3 || !all.Items[1].Left || all.Items[0].Left || all.Items[2].Left {
		t.Errorf("%d items, %+v", left.Items, all.Items)
	}
	var next Question
	h.want(200, "POST", "/v1/studies/coffee/ask", `{"rater":"ann"}`, &next)
	if next.Status.Seen != 2 || next.Status.Items != 2 { // what has left is not counted
		t.Errorf("seen %d of %d, want 2 of 2", next.Status.Seen, next.Status.Items)
	}
	for _, o := range next.Options {
		if next.ID == open.ID || o.Item.ID == "sub/ü b.png" {
			t.Errorf("asked about %+v", next)
		}
	}
	h.want(200, "POST", "/v1/studies/coffee/tell", `{"question_id":"`+open.ID+`","choice":"first"}`, nil)
	h.refused(422, "option", "path.item", "DELETE", "/v1/studies/coffee/items/sub%2F%C3%BC%20b.png", "")
	h.refused(422, "option", "path.item", "DELETE", "/v1/studies/coffee/items/a", "")
	h.refused(422, "option", "path.item", "DELETE", "/v1/studies/coffee/items/nobody", "")
	status, _, text := h.do("POST", "/v1/studies/coffee/items", `{"items":[{"id":"sub/ü b.png","text":"changed"}]}`)
	if status != 422 || !strings.Contains(string(text), "another text") {
		t.Errorf("%d %s", status, text)
	}
	h.want(201, "POST", "/v1/studies/coffee/items", `{"items":[{"id":"sub/ü b.png","text":"two"}]}`, &left)
	if left.Items != 3 {
		t.Errorf("%d items after it came back", left.Items)
	}
}
