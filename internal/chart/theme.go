package chart

import (
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"sync"
)

// Fonts are files of fonts/, each under the name by which a sheet asks for it. Fraunces and Figtree are under the SIL Open Font License (fonts/LICENSE.*).
//
//go:embed fonts
var Fonts embed.FS

// Colours are the variables of all sheets, light and dark.
//
//go:embed colour.css
var Colours string

// Style is the sheet of all charts. It takes the variables of Colours: --ink, --soft, --line, --edge, --accent, --warn, --raised, --sunken, --sans.
//
//go:embed chart.css
var Style string

// Inline is a sheet of the colours and the Latin fonts that needs no other file: 72 kB. Letters that these do not have are the system's.
var Inline = sync.OnceValue(func() string {
	out := Colours
	for _, f := range [][2]string{{"Fraunces", "fonts/fraunces-latin.woff2"}, {"Figtree", "fonts/figtree-latin.woff2"}} {
		data, err := fs.ReadFile(Fonts, f[1])
		if err != nil {
			panic(err) // it is in the program
		}
		out += fmt.Sprintf("@font-face { font-family: %s; src: url(\"data:font/woff2;base64,%s\") format(\"woff2\"); font-weight: 400 700; }\n", f[0], base64.StdEncoding.EncodeToString(data))
	}
	return out
})
