package main

import "github.com/prefer-bo/prefer"

// demo is a study to try the program with.
type demo struct {
	name, about, prompt string
	space               prefer.Space
}

const demoLength = 20 // answers of a demo, about what a first try has patience for

// demos lists them; the first is for terminals with colours, the second for all others.
var demos = []demo{
	{
		name: "colour", about: "your favourite colour", prompt: "Which colour do you like better?",
		space: prefer.Box(prefer.Float(hueName, 0, 360), prefer.Float(chromaName, 0, 1), prefer.Float(lightnessName, 0.25, 0.95)),
	},
	{
		name: "coffee", about: "your cup of coffee", prompt: "Which cup would you rather have?",
		space: prefer.Box(
			prefer.Int("strength", 1, 10),
			prefer.Parameter{Name: "milk %", Type: "int", Low: 0, High: 50, Step: 5},
			prefer.Parameter{Name: "temperature", Type: "int", Low: 50, High: 90, Step: 5},
			prefer.Categorical("bean", "arabica", "robusta", "a blend"),
			prefer.Switch("sugar"),
		),
	},
	{
		name: "places", about: "where to go next", prompt: "Where would you rather go?",
		space: prefer.Space{Items: places()},
	},
}

// places are somewhere to go: warm is the temperature of the warmest months in °C, lively how much goes on from 0 to
// 10, wild how much of it is nature from 0 to 10.
func places() []prefer.Item {
	var out []prefer.Item
	for _, p := range []struct {
		id, text           string
		warm, lively, wild float64
		sea                bool
	}{
		{"lisbon", "Lisbon: hills, trams and custard tarts", 28, 8, 2, true},
		{"kyoto", "Kyoto: temples and gardens", 32, 5, 4, false},
		{"reykjavik", "Reykjavik: hot springs under a long dusk", 14, 4, 8, true},
		{"marrakesh", "Marrakesh: the markets and the square at night", 37, 9, 1, false},
		{"patagonia", "Patagonia: wind, glaciers, guanacos", 15, 0, 10, false},
		{"new-york", "New York: everything, all night", 29, 10, 0, true},
		{"lofoten", "Lofoten: red huts between mountains and sea", 14, 1, 9, true},
		{"bali", "Bali: rice terraces and surf", 31, 6, 6, true},
		{"vienna", "Vienna: coffee houses and concerts", 27, 7, 1, false},
		{"namib", "The Namib: dunes and stars", 34, 0, 10, true},
		{"rome", "Rome: three thousand years on foot", 31, 8, 0, false},
		{"scotland", "The Highlands: lochs, rain and whisky", 18, 2, 9, true},
		{"mexico-city", "Mexico City: murals and street food", 26, 9, 1, false},
		{"queenstown", "Queenstown: lakes and daring", 21, 5, 9, false},
		{"istanbul", "Istanbul: ferries between two continents", 29, 9, 1, true},
		{"amalfi", "The Amalfi coast: lemons above the sea", 30, 5, 4, true},
		{"lapland", "Lapland: snow, sauna and northern lights", 17, 1, 10, false},
		{"cape-town", "Cape Town: a mountain between two oceans", 26, 7, 6, true},
		{"berlin", "Berlin: lakes by day, clubs by night", 25, 9, 2, false},
		{"faroe", "The Faroe Islands: cliffs, sheep and fog", 12, 0, 10, true},
		{"hanoi", "Hanoi: noodles in the old quarter", 33, 8, 1, false},
		{"dolomites", "The Dolomites: from hut to hut", 21, 2, 9, false},
		{"barcelona", "Barcelona: Gaudí and the beach", 29, 9, 2, true},
		{"costa-rica", "Costa Rica: sloths and volcanoes", 30, 3, 9, true},
		{"prague", "Prague: bridges, towers and beer", 25, 7, 1, false},
		{"zanzibar", "Zanzibar: spices and white sand", 32, 3, 6, true},
		{"banff", "Banff: turquoise lakes and bears", 21, 2, 10, false},
		{"copenhagen", "Copenhagen: bicycles and good design", 21, 6, 2, true},
		{"tuscany", "Tuscany: cypresses, wine and no plans", 30, 3, 5, false},
		{"tokyo", "Tokyo: neon, quiet shrines, perfect trains", 30, 10, 1, true},
	} {
		out = append(out, prefer.Item{ID: p.id, Text: p.text, Features: map[string]prefer.Value{
			"warm": prefer.ValueOf(p.warm), "lively": prefer.ValueOf(p.lively), "wild": prefer.ValueOf(p.wild), "sea": prefer.ValueOf(p.sea),
		}})
	}
	return out
}
