package prefer

// Item is one thing of a list: an image, a prompt, a product.
type Item struct {
	// ID names the item within its study.
	ID string `json:"id"`

	// Media is a file or an address to show; Text is what to show without one. Both may be empty.
	Media string `json:"media,omitempty"`
	Text  string `json:"text,omitempty"`

	// Features are what the utility is learned from: numbers, words, yes or no. All items of a study have
	// the same ones. Without features each item has a utility of its own, and an answer about two items
	// says nothing of the others.
	Features map[string]Value `json:"features,omitempty"`
}

// ItemParameter is the one parameter of an option from a list; its value is the item's ID.
const ItemParameter = "item"

// ItemOption returns the option that stands for the item with this ID.
func ItemOption(id string) Option { return Option{ItemParameter: Word(id)} }

// Item returns the ID of the item an option stands for, or "" if it stands for none.
func (o Option) Item() string {
	if v, ok := o[ItemParameter]; ok && len(o) == 1 && v.kind == word {
		return v.word
	}
	return ""
}
