package prefer_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/prefer-bo/prefer"

// arrows lists, for every package, the packages of this module it may import, each with the reason.
// Numbers never see JSON, HTTP, files or studies; whoever adds an import argues for it here.
var arrows = map[string]map[string]string{
	"space":          {},
	"internal/chain": {},
	"internal/coding": {
		"space":          "options are what it translates",
		"acquisition":    "the search is told where it may look",
		"internal/sobol": "quasi-random options",

		"internal/splitmix": "a seed of its own for every sequence",
	},
	"": {
		"space":           "what a study searches",
		"internal/chain":  "checksums of the log",
		"internal/coding": "options as points of the model",
		"internal/learn":  "a study's posteriors, and how sure they are",
		"internal/pairs":  "pairs that may be asked",
		"internal/crowd":  "how far raters agree, and who is careless",
		"gp":              "a study's models",
		"acquisition":     "the next question",
		"internal/sobol":  "the quasi-random pairs a study begins with",
		"internal/normal": "the interval of a rater's share",

		"internal/splitmix":   "a seed of its own for every question",
		"internal/strictjson": "an event is read as it is written",
		"internal/sentence":   "one English sentence per result",
	},
	"internal/pairs": {
		"acquisition":     "rivals of the pick have high means",
		"internal/coding": "how far apart options are",
		"internal/learn":  "questions that others are looking at",
		"space":           "between which values nothing was shown",

		"internal/splitmix": "options of a small part of the space",
	},
	"internal/crowd": {
		"gp":              "whether two camps explain the answers is a matter of their evidence",
		"acquisition":     "what a group wants is a utility to search",
		"internal/coding": "a pair of the same options again",
		"internal/normal": "the probability of an answer",
	},
	"internal/learn": {
		"gp":              "what it fits, keeps and draws from",
		"acquisition":     "the maximum may lie at peaks and at options that were shown",
		"internal/coding": "a confidence is about the options of a space",
		"internal/linalg": "drawing the utility at hundreds of points takes a Cholesky factor",
		"internal/normal": "the probability that one option is better than another",
		"internal/breath": "thousands of draws must not hold up a browser",
		"internal/memory": "posteriors of all studies share one bound",
	},
	"internal/breath":         {},
	"internal/strictjson":     {},
	"internal/memory":         {},
	"internal/splitmix":       {},
	"internal/histogram":      {},
	"internal/linalg":         {},
	"internal/normal":         {"internal/linalg": "array versions of log Φ run on its vector kernels"},
	"internal/sobol":          {"internal/splitmix": "fair bits for the scrambling that are the same everywhere"},
	"internal/maximize":       {"internal/breath": "a search of many evaluations must not hold up a browser"},
	"internal/chart":          {"": "what is drawn is what a study believes", "say": "percentages", "internal/timeline": "and what it said at each moment"},
	"internal/timeline":       {"": "a study, opened with the first events of its log", "space": "what was best"},
	"internal/outfile":        {},
	"internal/language/words": {},
	"internal/language":       {"internal/language/words": "the texts"},
	"internal/sentence":       {"internal/language/words": "the English texts", "space": "options and values in sentences"},
	"say": {
		"":                  "what is said is the results of a study",
		"internal/language": "in the reader's language",
		"internal/crowd":    "from how many answers on a rater can be judged",
		"internal/sentence": "with the English of the root",
		"internal/normal":   "a tolerance is said as the chance to recognise it",
	},
	"internal/confusable": {},
	"gp": {
		"internal/linalg":   "Cholesky factors, products and kernel rows are its hot path",
		"internal/normal":   "the likelihood is a normal probability of an interval",
		"internal/maximize": "hyper-parameters are the maximiser of the evidence",
		"internal/breath":   "weighing hyper-parameters must not hold up a browser",
		"internal/sobol":    "the paper's inducing points start from Sobol points",
	},
	"acquisition": {
		"internal/normal":   "closed forms are made of Φ and φ",
		"internal/linalg":   "ranking every pair of candidates is a maximum over vectors",
		"gp":                "an acquisition is a formula on gp.Moments",
		"internal/sobol":    "random pairs, base samples of Monte Carlo formulas, raw points of the search",
		"internal/maximize": "the best question is a maximiser",
		"internal/breath":   "nor must the search for it",
	},
	"problem": {
		"internal/normal": "the probit rater and its calibration",
		"internal/sobol":  "quasi-random points for the calibration",
	},
	"internal/bench": {
		"":               "cells run through the public Study, as a stranger would",
		"gp":             "the paper's model and priors by name",
		"acquisition":    "the names of the methods",
		"problem":        "what is asked about, and who answers",
		"internal/sobol": "initial pairs that a file can hold, the same for every method",

		"internal/outfile": "rows are not appended to a store",
	},
	"internal/pipe": {},
	"internal/external": {
		"internal/pipe": "programs are lines that people type",
		"acquisition":   "a program can be a method",
		"problem":       "or a problem",
		"gp":            "the posterior at points that a method asks about",
	},
	"internal/bench/trial": {
		"":                       "a person answers the questions of a study",
		"problem":                "tastes, and how people answer by them",
		"internal/bench":         "a file of lines, and work in parallel",
		"internal/splitmix":      "a seed of its own for every study",
		"internal/bench/compare": "intervals of means",
	},
	"internal/bench/statements": {
		"internal/bench/trial": "the harness, and the person",
		"":                     "studies are played as a stranger would",
		"problem":              "tastes, and who answers by them",
		"internal/normal":      "intervals of shares",
	},
	"internal/bench/tastes": {
		"":                       "studies are played as a stranger would",
		"problem":                "tastes, and who answers by them",
		"acquisition":            "the names of the methods",
		"internal/bench":         "the choices under test",
		"internal/bench/trial":   "the harness, and the person",
		"internal/bench/compare": "intervals of means",
		"internal/normal":        "the chance of an answer",
	},
	"internal/arena": {"": "answers of a study", "internal/linalg": "the inverse of the information"},
	"internal/bench/judges": {
		"":                       "prefer plays as a stranger would",
		"internal/bench/trial":   "the harness",
		"internal/bench/compare": "intervals of means",
		"internal/normal":        "intervals of shares",
	},
	"internal/bench/rankings": {
		"":                       "pairs are observed as a stranger would",
		"internal/bench/trial":   "the harness",
		"internal/bench/compare": "intervals of means",
		"internal/normal":        "win probabilities by Thurstone's law, and the differences they stand for",
	},
	"internal/bench/people": {
		"":                       "studies are played as a stranger would",
		"gp":                     "no prior of kinship",
		"live":                   "checks, as people meet them",
		"problem":                "tastes, their sums, and who answers by them",
		"acquisition":            "the names of the methods",
		"internal/bench":         "processor time",
		"internal/bench/trial":   "the harness, and the person",
		"internal/bench/compare": "intervals of means",
	},
	"internal/bench/figure": {
		"":            "the case study is two studies",
		"gp":          "the one-dimensional example shows a posterior",
		"acquisition": "and the landscape of the knowledge gradient",
		"problem":     "the function of the case study",

		"internal/outfile": "a figure says who made it",
	},
	"internal/research": {
		"gp":          "what is fitted",
		"acquisition": "and searched with",

		"internal/maximize": "climbs of an acquisition that the caller computes",
	},
	"internal/job": {
		"":         "descriptions of studies",
		"simulate": "simulated people are long work",
		"report":   "and so is a report",

		"store/contract": "which notes are made from answers",
	},
	"internal/queue": {
		"internal/job":   "work that workers do beside cells",
		"internal/bench": "cells and rows",
		"problem":        "raters that were calibrated once",
	},
	"internal/bench/compare": {
		"internal/bench":        "rows",
		"problem":               "what an option of a problem is worth in the mean",
		"internal/bench/figure": "gap curves",

		"exchange":         "cells that no spreadsheet runs",
		"internal/outfile": "a folder of files, none over a stranger's",
	},
	"exchange": {
		"internal/coding":     "which answers of one study another one can say",
		"internal/timeline":   "the hash of a log",
		"internal/chain":      "checksums of a log",
		"":                    "events, duels, items and spaces are what is written and read",
		"internal/strictjson": "the header of a log is read as it is written",

		"internal/media": "which files of a folder people can be asked about, and what pictures look like",
	},
	"internal/media": {"space": "items, whose files they are"},
	"simulate": {
		"say":             "a tolerance in words",
		"internal/coding": "a simulated utility is a function of coordinates",
		"":                "studies run through the public Study, as a stranger would",
		"gp":              "people are drawn from the model's prior",
		"problem":         "how a simulated rater answers, and the noise at which answers go wrong",
		"internal/normal": "intervals of shares",
		"internal/sobol":  "options everywhere in a space",

		"internal/splitmix": "a seed of its own for everybody",
	},
	"report": {
		"say":            "results in words",
		"":               "studies",
		"internal/chart": "its charts, the page's",

		"internal/timeline": "what the study said at each moment",

		"internal/language": "and words",
	},
	"cmd/prefer": {
		"":                                "studies",
		"cmd/prefer/internal/cli":         "flags, streams and errors of commands",
		"cmd/prefer/internal/experiments": "commands that simulate and measure",
		"cmd/prefer/internal/service":     "commands that serve and keep studies",
		"cmd/prefer/internal/studies":     "commands about studies, answers and results",
		"internal/job":                    "simulated people and reports, made by workers",
		"live":                            "studies that people answer",
		"merge":                           "logs of many people",
		"internal/queue":                  "experiments on many machines",
		"store":                           "where studies are kept",
	},
	"cmd/prefer/internal/cli": {
		"":                  "studies",
		"exchange":          "files in and out",
		"gp":                "models by name",
		"internal/outfile":  "files to write, none over a store",
		"internal/terminal": "whether there is a person at the other end, and what they can be shown",
		"live":              "studies that people answer",
		"internal/media":    "the files that go into it",
		"store":             "where studies are kept",
	},
	"cmd/prefer/internal/experiments": {
		"internal/bench/trial":      "how far a plan is",
		"":                          "studies",
		"acquisition":               "the names of the methods",
		"internal/bench":            "experiments",
		"internal/bench/figure":     "the figures of the paper",
		"internal/bench/judges":     "how many calls of a judge it takes",
		"internal/bench/people":     "what several people get",
		"internal/bench/rankings":   "what pairs a ranking should become",
		"internal/bench/compare":    "what came out",
		"internal/bench/statements": "the rehearsal of what studies say",
		"internal/bench/tastes":     "how good their picks are",
		"cmd/prefer/internal/cli":   "flags, streams and errors of commands",
		"internal/external":         "problems and methods that are programs",
		"internal/job":              "simulated people and reports, made by workers",
		"live":                      "studies that people answer",
		"problem":                   "the names of the problems",
		"internal/queue":            "experiments on many machines",
		"internal/research":         "programs that fit and search with it",
		"say":                       "results in words",
		"simulate":                  "simulated people",
	},
	"cmd/prefer/internal/play": {
		"":                  "studies",
		"internal/terminal": "whether there is a person at the other end, and what they can be shown",
		"live":              "studies that people answer",
		"say":               "results in words",
	},
	"cmd/prefer/internal/service": {
		"live/token":              "links and upload tokens",
		"":                        "studies",
		"cmd/prefer/internal/cli": "flags, streams and errors of commands",
		"exchange":                "files in and out",
		"internal/linalg":         "which kernels this machine could run, for the doctor",
		"internal/outfile":        "files to write, none over a store",
		"internal/terminal":       "whether there is a person at the other end, and what they can be shown",
		"internal/job":            "simulated people and reports, made by workers",
		"live":                    "studies that people answer",
		"internal/mcp":            "agents",
		"internal/pack":           "a study in one file",
		"internal/queue":          "experiments on many machines",
		"say":                     "results in words",
		"server":                  "studies over HTTP",
		"internal/media":          "the files that go into it",
		"internal/page":           "options drawn for a report",
		"store":                   "where studies are kept",
	},
	"cmd/prefer/internal/studies": {
		"internal/terminal":        "whether a stream is one",
		"":                         "studies",
		"internal/arena":           "ratings and wins",
		"cmd/prefer/internal/cli":  "flags, streams and errors of commands",
		"cmd/prefer/internal/play": "questions in a terminal",
		"exchange":                 "files in and out",
		"internal/chain":           "checksums of a log",
		"internal/demo":            "studies to try the program with",
		"internal/judge":           "programs that answer",
		"live":                     "studies that people answer",
		"merge":                    "logs of many people",
		"report":                   "the page about a study",
		"say":                      "results in words",
		"internal/media":           "the files that go into it",
		"internal/page":            "options drawn for a report",
		"simulate":                 "simulated people",
		"store":                    "where studies are kept",
	},
	"internal/judge": {
		"internal/pipe":       "so are judges",
		"":                    "questions, answers and what came of them",
		"live":                "the room in which they are asked and answered",
		"internal/strictjson": "a reply is read to the letter",
		"store/contract":      "a store that is not there for a moment",
	},
	"internal/terminal": {},
	"internal/demo": {
		"":         "a demonstration is a study's description",
		"exchange": "study files",
	},
	"store": {
		"internal/timeline":  "how many answers count",
		"internal/chain":     "checksums of a log",
		"":                   "studies and their events",
		"gp":                 "the kernels a snapshot was made with",
		"store/contract":     "the words it has in common with who knows no database",
		"internal/histogram": "how long the database took",
		"acquisition":        "the type of methods of one's own",
	},
	"store/contract":     {"internal/confusable": "a name that looks like one that was forgotten stays out, too"},
	"internal/storetest": {},
	"live": {
		"say":                 "plurals",
		"internal/coding":     "catch questions are made of coordinates",
		"":                    "studies",
		"internal/job":        "what nobody waits for before a page",
		"internal/splitmix":   "coins that nobody can tell, for sides and checks",
		"internal/histogram":  "how long people waited",
		"internal/memory":     "logs and posteriors share one bound",
		"internal/strictjson": "what is fixed says one thing",
		"simulate":            "what came of simulated people",
		"store/contract":      "a store as it looks without a database",
		"merge":               "what people bring home from machines of their own",

		"live/token":             "links, guests and upload tokens",
		"live/internal/settings": "how a study is run with people",
		"live/internal/jobs":     "simulations and reports",
		"live/internal/notices":  "watchers hear that a study has changed",
		"live/internal/work":     "the background queue and the order of searches",
		"live/internal/cache":    "which studies are open",
	},
	"live/internal/settings": {
		"":                    "changes of settings are events",
		"space":               "catch questions are pairs of options",
		"live/token":          "refusals",
		"store/contract":      "a note has them",
		"internal/strictjson": "they are read to the letter",
		"internal/language":   "in which languages pages can be",
	},
	"live/internal/jobs": {
		"":               "conflicts",
		"internal/job":   "what is done part by part",
		"simulate":       "what came of simulated people",
		"live/token":     "refusals, and the notes of a store",
		"store/contract": "a note has a job",
	},
	"live/internal/notices": {"live/token": "refusals"},
	"live/internal/work":    {"internal/breath": "in a browser replies come before what nobody waits for"},
	"live/internal/cache": {
		"internal/memory": "logs and posteriors share one bound",
		"store/contract":  "a store that is away",
	},
	"live/token": {
		"":                    "which names raters may have",
		"store/contract":      "notes, and marks of forgotten names",
		"internal/confusable": "guests take no name that looks like somebody's",
	},
	"merge":        {"": "logs are events", "internal/chain": "checksums of a log"},
	"internal/mcp": {"": "options, answers and verdicts are what tools take and give", "live": "the room with the study"},
	"server": {
		"internal/chain":       "checksums of a log",
		"internal/memory":      "how much of it is used",
		"":                     "options, answers and verdicts are what requests and replies are made of",
		"live":                 "studies with people before them",
		"live/token":           "links, guests and upload tokens",
		"store":                "where they are kept",
		"store/contract":       "why a study cannot be opened",
		"exchange":             "data in and out over HTTP",
		"internal/job":         "what kinds of long work this process can do",
		"merge":                "in what two configurations differ",
		"simulate":             "how noise is written",
		"internal/media":       "files behind items",
		"internal/page":        "what people see of it",
		"internal/pack":        "a study as a file that needs no server",
		"server/problem":       "what went wrong, in words and a status",
		"server/internal/gate": "what every request passes before its handler",
		"internal/strictjson":  "bodies are read to the letter",
	},
	"server/internal/gate": {
		"live":               "refusals, and where the time of a request went",
		"live/token":         "links, guests and upload tokens",
		"server/problem":     "what went wrong, in words and a status",
		"internal/histogram": "how long requests took",
	},
	"internal/solo": {
		"":                    "events and answers",
		"live":                "the room, with one person in it",
		"exchange":            "the log that she saves",
		"internal/media":      "texts of items",
		"internal/page":       "the pages, the server's",
		"server/problem":      "and what went wrong",
		"internal/strictjson": "bodies are read to the letter",
	},
	"internal/solo/core": {
		"":                    "the lines of a log",
		"internal/solo":       "the study and its pages",
		"internal/strictjson": "the study of a file is read to the letter",
	},
	"internal/pack": {
		"merge":             "answers go back into the study that was packed",
		"":                  "a study is made when it is packed",
		"live":              "how it is run",
		"internal/solo":     "what a file says of its study",
		"internal/language": "what is said before the core can",
		"internal/media":    "what kind of file is within the file",
	},
	"internal/pack/build": {"internal/pack": "the core, built before a release"},
	"server/problem": {
		"":               "its errors",
		"live":           "refusals",
		"store/contract": "what can befall a store",
	},
	"internal/chaos": {},
	"internal/paste": {"": "what varies is a parameter"},
	"internal/page": {
		"live/token":          "links, and guests who come through them",
		"internal/timeline":   "what a study said at each moment",
		"say":                 "results in words",
		"":                    "options, beliefs and verdicts are what a page shows",
		"live":                "studies with people before them",
		"exchange":            "a table becomes a list of items",
		"internal/job":        "the kinds of long work",
		"simulate":            "how noise is written",
		"internal/media":      "files behind items",
		"server/problem":      "what went wrong, in words and a status",
		"internal/strictjson": "bodies are read to the letter",
		"store/contract":      "what a list says about a study",
		"internal/chart":      "its drawings, the report's",
		"internal/demo":       "what its start page offers",
		"internal/paste":      "what its form makes of an address, a style sheet, a page or a drawing",

		"internal/language": "what its pages say",
	},
	"examples/utility":    {"gp": "an example of the package"},
	"examples/quickstart": {"": "an example of the package"},
}

// stair is where numbers alone are known.
var stair = []string{"internal/linalg", "internal/normal", "internal/sobol", "internal/maximize", "gp"}

// foreign lists which modules outside the standard library a package may import outside its tests.
var foreign = map[string]map[string]string{
	"internal/coding": {
		"github.com/expr-lang/expr":      "constraints are expressions people write",
		"github.com/expr-lang/expr/ast":  "how many steps one takes",
		"github.com/expr-lang/expr/file": "where the mistake in one is",
		"github.com/expr-lang/expr/vm":   "a compiled one",
	},
	"internal/linalg": {
		"golang.org/x/sys/cpu": "which vector instructions this machine has",
	},
	"internal/bench": {
		"golang.org/x/sys/unix":      "processor time of a thread",
		"golang.org/x/sync/errgroup": "so many cells at a time",
	},
	"simulate": {"golang.org/x/sync/errgroup": "so many people at a time"},
	"exchange": {"golang.org/x/sync/semaphore": "so many pixels at a time"},
	"internal/media": {
		"golang.org/x/image/bmp":  "pictures that browsers show",
		"golang.org/x/image/webp": "pictures that browsers show",
	},
	"internal/bench/figure": {
		"gonum.org/v1/plot/vg":                                      "canvas",
		"gonum.org/v1/plot/vg/draw":                                 "strokes, fills and text on it",
		"gonum.org/v1/plot/vg/vgimg":                                "PNG",
		"gonum.org/v1/plot/vg/vgsvg":                                "SVG",
		"gonum.org/v1/plot/font":                                    "type",
		"codeberg.org/go-fonts/liberation/liberationsansregular":    "embedded faces, the same on every machine",
		"codeberg.org/go-fonts/liberation/liberationsansitalic":     "likewise",
		"codeberg.org/go-fonts/liberation/liberationsansbold":       "likewise",
		"codeberg.org/go-fonts/liberation/liberationsansbolditalic": "likewise",
		"golang.org/x/image/font/opentype":                          "how to read them",
		"golang.org/x/image/font":                                   "weights and slopes",
	},
	"report": {
		"golang.org/x/image/draw": "pictures made small",
		"golang.org/x/image/webp": "one kind of them",
	},
	"internal/queue": {
		"github.com/jackc/pgx/v5":                            "PostgreSQL",
		"github.com/jackc/pgx/v5/pgconn":                     "its error codes",
		"github.com/jackc/pgx/v5/pgxpool":                    "several connections",
		"github.com/jackc/pgx/v5/stdlib":                     "migrations want database/sql",
		"github.com/pressly/goose/v3":                        "tables that grow with the program",
		"github.com/riverqueue/river":                        "jobs in PostgreSQL",
		"github.com/riverqueue/river/riverdriver/riverpgxv5": "its driver",
		"github.com/riverqueue/river/rivermigrate":           "its tables",
		"github.com/riverqueue/river/rivertype":              "the states of its jobs",
		"github.com/sethvargo/go-retry":                      "patience with a database that is away",
	},
	"internal/mcp": {"github.com/modelcontextprotocol/go-sdk/mcp": "the protocol, by those who keep it", "github.com/modelcontextprotocol/go-sdk/jsonrpc": "what a message is"},
	"cmd/prefer": {
		"github.com/alecthomas/kong": "the command line",
	},
	"cmd/prefer/internal/cli": {
		"golang.org/x/term": "whether there is a person at the other end",
	},
	"cmd/prefer/internal/service": {
		"live/token":                 "links and upload tokens",
		"github.com/jackc/pgx/v5":    "whether the database of a queue holds studies",
		"github.com/skip2/go-qrcode": "an address a phone can read",
		"golang.org/x/sys/windows":   "the room left on a disk",
		"golang.org/x/term":          "whether there is a person at the other end",
	},
	"internal/terminal":   {"golang.org/x/term": "raw keys, and the size of a window"},
	"internal/confusable": {"golang.org/x/text/unicode/norm": "a letter has one form, however it is composed"},
	"internal/language": {
		"golang.org/x/text/language":       "what a browser asks for, matched against what there is",
		"golang.org/x/text/feature/plural": "the plural categories of languages",
	},
	"server": {
		"github.com/danielgtaylor/huma/v2":                 "requests checked against types, and their OpenAPI description",
		"github.com/danielgtaylor/huma/v2/adapters/humago": "on the standard library's mux",
	},
	"server/internal/gate": {
		"github.com/danielgtaylor/huma/v2":                 "the role that an operation asks for",
		"github.com/danielgtaylor/huma/v2/adapters/humago": "the request behind an operation",
	},
	"server/problem": {"github.com/danielgtaylor/huma/v2": "its form of a problem"},
	"internal/page": {
		"github.com/skip2/go-qrcode":         "links that phones can read",
		"github.com/yuin/goldmark":           "texts of items are Markdown",
		"github.com/yuin/goldmark/extension": "with tables",
		"github.com/microcosm-cc/bluemonday": "and written by strangers",
	},
	"internal/storetest": {"github.com/jackc/pgx/v5/stdlib": "databases made and dropped"},
	"store": {
		"modernc.org/sqlite":               "SQLite without cgo",
		"modernc.org/sqlite/lib":           "its error codes",
		"github.com/jackc/pgx/v5":          "PostgreSQL",
		"github.com/jackc/pgx/v5/pgconn":   "its error codes",
		"github.com/jackc/pgx/v5/stdlib":   "through database/sql",
		"github.com/pressly/goose/v3":      "tables that grow with the program",
		"github.com/pressly/goose/v3/lock": "one process at a time",
		"github.com/sethvargo/go-retry":    "patience with a database that is away",
	},
}

// unseen are standard packages the numeric stair has no business with.
var unseen = []string{"net", "net/http", "encoding/json", "database/sql", "time", "log", "log/slog"}

func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || name == "gen" || len(name) > 1 && strings.HasPrefix(name, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		if pkg == "." {
			pkg = ""
		}
		seen[pkg] = true
		allowed, known := arrows[pkg]
		if !known {
			t.Errorf("%s: package %q is not in the list of arrows", path, pkg)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(name+"/", module+"/"); ok { // "" is the root package
				own = strings.TrimSuffix(own, "/")
				if own == "space" && allowed[""] != "" { // what a study searches goes with the study
					continue
				}
				if allowed[own] == "" {
					t.Errorf("%s imports %q, which is not one of its arrows", path, own)
				}
				continue
			}
			first, _, _ := strings.Cut(name, "/")
			if strings.Contains(first, ".") && foreign[pkg][name] == "" {
				t.Errorf("%s imports %s, which is not one of its foreign imports", path, name)
			}
			if slices.Contains(stair, pkg) && slices.Contains(unseen, name) {
				t.Errorf("%s imports %s: the numeric stair works on numbers alone", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range arrows {
		if !seen[pkg] && pkg != "" {
			t.Errorf("the list of arrows names %q, which has no files", pkg)
		}
	}
}
