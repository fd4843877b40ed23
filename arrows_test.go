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
// Numbers never see JSON, HTTP, files or studies; argue for a new import here.
var arrows = map[string]map[string]string{
	"": {
		"acquisition":         "the next question",
		"gp":                  "a study's models",
		"internal/chain":      "checksums of the log",
		"internal/coding":     "options as points of the model",
		"internal/cooperate":  "raters are looked at side by side",
		"internal/crowd":      "how far raters agree, and who is careless",
		"internal/errcode":    "the errors of the study",
		"internal/learn":      "a study's posteriors, and how sure they are",
		"internal/memory":     "picks that need not be computed again",
		"internal/normal":     "the interval of a rater's share",
		"internal/pairs":      "pairs that may be asked",
		"internal/sentence":   "one English sentence per result",
		"internal/splitmix":   "a seed of its own for every question",
		"internal/strictjson": "an event is read as it is written",
		"space":               "what a study searches",
	},
	"acquisition": {
		"gp":                 "an acquisition is a formula on gp.Moments",
		"internal/cooperate": "nor must the search for it",
		"internal/linalg":    "ranking every pair of candidates is a maximum over vectors",
		"internal/maximize":  "the best question is a maximiser",
		"internal/normal":    "closed forms are made of Φ and φ",
		"internal/sobol":     "random pairs, base samples of Monte Carlo formulas, raw points of the search",
	},
	"cmd/prefer": {
		"":                                "studies",
		"cmd/prefer/internal/cli":         "flags, streams and errors of commands",
		"cmd/prefer/internal/experiments": "commands that simulate and measure",
		"cmd/prefer/internal/queue":       "experiments on many machines",
		"cmd/prefer/internal/service":     "commands that serve and keep studies",
		"cmd/prefer/internal/studies":     "commands about studies, answers and results",
		"internal/job":                    "simulated people and reports, made by workers",
		"live":                            "studies that people answer",
		"logfile":                         "logs of many people",
		"store":                           "where studies are kept",
		"store/sqlstore":                  "where studies are kept",
	},
	"cmd/prefer/internal/bench": {
		"":                            "cells run through the public Study, as a stranger would",
		"acquisition":                 "the names of the methods",
		"cmd/prefer/internal/outfile": "rows are not appended to a store",
		"gp":                          "the paper's model and priors by name",
		"internal/sobol":              "initial pairs that a file can hold, the same for every method",
		"problem":                     "what is asked about, and who answers",
	},
	"cmd/prefer/internal/bench/compare": {
		"cmd/prefer/internal/bench":        "rows",
		"cmd/prefer/internal/bench/figure": "gap curves",
		"cmd/prefer/internal/outfile":      "a folder of files, none over a stranger's",
		"exchange":                         "cells that no spreadsheet runs",
		"problem":                          "what an option of a problem is worth in the mean",
	},
	"cmd/prefer/internal/bench/figure": {
		"":                            "the case study is two studies",
		"acquisition":                 "and the landscape of the knowledge gradient",
		"cmd/prefer/internal/outfile": "a figure says who made it",
		"internal/chart":              "lines, texts and scales",
		"gp":                          "the one-dimensional example shows a posterior",
		"problem":                     "the function of the case study",
	},
	"cmd/prefer/internal/bench/judges": {
		"":                                  "prefer plays as a stranger would",
		"cmd/prefer/internal/bench/compare": "intervals of means",
		"cmd/prefer/internal/bench/trial":   "the harness",
		"internal/normal":                   "intervals of shares",
		"cmd/prefer/internal/bench":         "a file of lines",
		"cmd/prefer/internal/cli":           "a table as text",
	},
	"cmd/prefer/internal/bench/people": {
		"":                                  "studies are played as a stranger would",
		"acquisition":                       "the names of the methods",
		"cmd/prefer/internal/bench":         "processor time",
		"cmd/prefer/internal/bench/compare": "intervals of means",
		"cmd/prefer/internal/bench/trial":   "the harness, and the person",
		"gp":                                "no prior of kinship",
		"live":                              "checks, as people meet them",
		"problem":                           "tastes, their sums, and who answers by them",
		"cmd/prefer/internal/cli":           "a table as text",
	},
	"cmd/prefer/internal/bench/statements": {
		"":                                 "studies are played as a stranger would",
		"cmd/prefer/internal/bench/people": "several people with tastes",
		"cmd/prefer/internal/bench/trial":  "the harness, and the person",
		"internal/normal":                  "intervals of shares",
		"problem":                          "tastes, and who answers by them",
		"cmd/prefer/internal/cli":          "a table as text",
	},
	"cmd/prefer/internal/bench/tastes": {
		"":                                  "studies are played as a stranger would",
		"acquisition":                       "the names of the methods",
		"cmd/prefer/internal/bench":         "the choices under test",
		"cmd/prefer/internal/bench/compare": "intervals of means",
		"cmd/prefer/internal/bench/trial":   "the harness, and the person",
		"internal/normal":                   "the chance of an answer",
		"problem":                           "tastes, and who answers by them",
		"cmd/prefer/internal/cli":           "a table as text",
	},
	"cmd/prefer/internal/bench/trial": {
		"":                                  "a person answers the questions of a study",
		"cmd/prefer/internal/bench":         "a file of lines, and work in parallel",
		"cmd/prefer/internal/bench/compare": "intervals of means",
		"internal/splitmix":                 "a seed of its own for every study",
		"problem":                           "tastes, and how people answer by them",
	},
	"cmd/prefer/internal/cli": {
		"":                             "studies",
		"cmd/prefer/internal/outfile":  "files to write, none over a store",
		"cmd/prefer/internal/terminal": "whether there is a person at the other end, and what they can be shown",
		"exchange":                     "files in and out",
		"gp":                           "models by name",
		"internal/media":               "the files that go into it",
		"live":                         "studies that people answer",
		"store":                        "where studies are kept",
		"store/sqlstore":               "where studies are kept",
	},
	"cmd/prefer/internal/experiments": {
		"":                                     "studies",
		"acquisition":                          "the names of the methods",
		"cmd/prefer/internal/bench":            "experiments",
		"cmd/prefer/internal/bench/compare":    "what came out",
		"cmd/prefer/internal/bench/figure":     "the figures of the paper",
		"cmd/prefer/internal/bench/judges":     "how many calls of a judge it takes",
		"cmd/prefer/internal/bench/people":     "what several people get",
		"cmd/prefer/internal/bench/statements": "the rehearsal of what studies say",
		"cmd/prefer/internal/bench/tastes":     "how good their picks are",
		"cmd/prefer/internal/bench/trial":      "how far a plan is",
		"cmd/prefer/internal/cli":              "flags, streams and errors of commands",
		"cmd/prefer/internal/external":         "problems and methods that are programs",
		"cmd/prefer/internal/queue":            "experiments on many machines",
		"cmd/prefer/internal/research":         "programs that fit and search with it",
		"internal/job":                         "simulated people and reports, made by workers",
		"internal/strictjson":                  "requests, and what studies are made with, to the letter",
		"live":                                 "studies that people answer",
		"problem":                              "the names of the problems",
		"say":                                  "results in words",
		"simulate":                             "simulated people",
		"server":                               "what growth is measured on",
		"store/sqlstore":                       "where its studies are kept",
	},
	"cmd/prefer/internal/external": {
		"acquisition":              "a program can be a method",
		"cmd/prefer/internal/pipe": "programs are lines that people type",
		"gp":                       "the posterior at points that a method asks about",
		"internal/strictjson":      "the beginning of a line that is not an answer",
		"problem":                  "or a problem",
	},
	"cmd/prefer/internal/judge": {
		"":                         "questions, answers and what came of them",
		"cmd/prefer/internal/pipe": "so are judges",
		"internal/errcode":         "why a study refuses",
		"internal/strictjson":      "a reply is read to the letter",
		"live":                     "the room in which they are asked and answered",
		"store":                    "a store that is not there for a moment",
	},
	"cmd/prefer/internal/mcp": {
		"":                 "options, answers and verdicts are what tools take and give",
		"internal/errcode": "why a study refuses",
		"live":             "the room with the study",
	},
	"cmd/prefer/internal/outfile": {},
	"cmd/prefer/internal/pipe":    {},
	"cmd/prefer/internal/play": {
		"":                             "studies",
		"cmd/prefer/internal/terminal": "whether there is a person at the other end, and what they can be shown",
		"internal/errcode":             "why a study refuses",
		"internal/sentence":            "numbers in a few digits",
		"internal/view":                "where a value lies in its range",
		"live":                         "studies that people answer",
		"say":                          "results in words",
	},
	"cmd/prefer/internal/queue": {
		"cmd/prefer/internal/bench": "cells and rows",
		"internal/job":              "work that workers do beside cells",
	},
	"cmd/prefer/internal/research": {
		"acquisition":        "and searched with",
		"gp":                 "what is fitted",
		"internal/cooperate": "many points at the same time",
	},
	"cmd/prefer/internal/service": {
		"":                             "studies",
		"cmd/prefer/internal/cli":      "flags, streams and errors of commands",
		"cmd/prefer/internal/mcp":      "agents",
		"cmd/prefer/internal/outfile":  "files to write, none over a store",
		"cmd/prefer/internal/queue":    "experiments on many machines",
		"cmd/prefer/internal/terminal": "whether there is a person at the other end, and what they can be shown",
		"exchange":                     "files in and out",
		"internal/job":                 "simulated people and reports, made by workers",
		"internal/linalg":              "which kernels this machine could run, for the doctor",
		"internal/media":               "the files that go into it",
		"internal/pack":                "a study in one file",
		"internal/page":                "options drawn for a report",
		"live":                         "studies that people answer",
		"live/token":                   "links and upload tokens",
		"say":                          "results in words",
		"server":                       "studies over HTTP",
		"store":                        "where studies are kept",
		"store/sqlstore":               "where studies are kept",
	},
	"cmd/prefer/internal/studies": {
		"":                             "studies",
		"cmd/prefer/internal/cli":      "flags, streams and errors of commands",
		"cmd/prefer/internal/judge":    "programs that answer",
		"cmd/prefer/internal/outfile":  "how a file begins",
		"cmd/prefer/internal/play":     "questions in a terminal",
		"cmd/prefer/internal/terminal": "whether a stream is one",
		"exchange":                     "files in and out",
		"internal/demo":                "studies to try the program with",
		"internal/errcode":             "why a study refuses",
		"internal/media":               "the files that go into it",
		"internal/page":                "options drawn for a report",
		"live":                         "studies that people answer",
		"logfile":                      "logs of many people",
		"report":                       "the page about a study",
		"say":                          "results in words",
		"simulate":                     "simulated people",
		"store":                        "where studies are kept",
	},
	"cmd/prefer/internal/terminal": {},
	"examples/quickstart":          {"": "an example of the package"},
	"examples/utility":             {"gp": "an example of the package"},
	"exchange": {
		"":                    "events, duels, items and spaces are what is written and read",
		"internal/coding":     "which answers of one study another one can say",
		"internal/media":      "which files of a folder people can be asked about",
		"internal/sentence":   "numbers of files",
		"internal/strictjson": "the header of a log is read as it is written",
		"logfile":             "the hash of a log",
	},
	"gp": {
		"internal/cooperate": "weighing hyper-parameters must not hold up a browser",
		"internal/linalg":    "Cholesky factors, products and kernel rows are its hot path",
		"internal/maximize":  "hyper-parameters are the maximiser of the evidence",
		"internal/normal":    "the likelihood is a normal probability of an interval",
		"internal/sobol":     "the paper's inducing points start from Sobol points",
	},
	"internal/chain": {},
	"internal/chart": {
		"":                  "what is drawn is what a study believes",
		"internal/sentence": "percentages",
		"internal/timeline": "and what it said at each moment",
	},
	"internal/coding": {
		"acquisition":       "the search is told where it may look",
		"internal/errcode":  "what it refuses",
		"internal/sobol":    "quasi-random options",
		"internal/splitmix": "a seed of its own for every sequence",
		"space":             "options are what it translates",
	},
	"internal/cooperate": {},
	"internal/crowd": {
		"acquisition":        "what a group wants is a utility to search",
		"gp":                 "whether two camps explain the answers is a matter of their evidence",
		"internal/coding":    "a pair of the same options again",
		"internal/cooperate": "raters are compared side by side",
		"internal/linalg":    "correlations of draws",
		"internal/memory":    "whether there are camps is asked again after few answers",
		"internal/normal":    "the probability of an answer",
	},
	"internal/errcode": {},
	"internal/demo": {
		"":         "a demonstration is a study's description",
		"exchange": "study files",
	},
	"internal/histogram": {},
	"internal/job": {
		"":                    "descriptions of studies",
		"internal/strictjson": "what is asked for, to the letter",
		"report":              "and so is a report",
		"simulate":            "simulated people are long work",
		"store":               "which notes are made from answers",
	},
	"internal/language":       {"internal/language/words": "the texts"},
	"internal/language/words": {},
	"internal/learn": {
		"acquisition":        "the maximum may lie at peaks and at options that were shown",
		"gp":                 "what it fits, keeps and draws from",
		"internal/coding":    "a confidence is about the options of a space",
		"internal/cooperate": "thousands of draws must not hold up a browser",
		"internal/linalg":    "drawing the utility at hundreds of points takes a Cholesky factor",
		"internal/memory":    "posteriors of all studies share one bound",
		"internal/normal":    "the probability that one option is better than another",
	},
	"internal/linalg":   {},
	"internal/maximize": {"internal/cooperate": "a search of many evaluations must not hold up a browser"},
	"internal/media":    {"space": "items, whose files they are"},
	"internal/memory":   {},
	"internal/normal":   {"internal/linalg": "array versions of log Φ run on its vector kernels"},
	"internal/pack": {
		"":                    "a study is made when it is packed",
		"internal/language":   "what is said before the core can",
		"internal/media":      "what kind of file is within the file",
		"internal/page":       "the pages, the server's",
		"internal/strictjson": "bodies are read to the letter",
		"live":                "how it is run",
		"logfile":             "answers go back into the study that was packed",
		"server/problem":      "replies about errors, the server's",
		"store":               "settings of a study that is kept",
	},
	"internal/pack/build": {"internal/pack": "the core, built before a release"},
	"internal/pack/wasm": {
		"":                    "the lines of a log",
		"internal/pack":       "the study and its pages",
		"internal/strictjson": "the study of a file is read to the letter",
	},
	"internal/page": {
		"":                    "options, beliefs and verdicts are what a page shows",
		"exchange":            "a table becomes a list of items",
		"internal/chart":      "its drawings, the report's",
		"internal/demo":       "what its start page offers",
		"internal/job":        "the kinds of long work",
		"internal/language":   "what its pages say",
		"internal/media":      "files behind items",
		"internal/paste":      "what its form makes of an address, a style sheet, a page or a drawing",
		"internal/sentence":   "percentages",
		"internal/strictjson": "bodies are read to the letter",
		"internal/timeline":   "what a study said at each moment",
		"internal/view":       "what a report shows of a study, too",
		"live":                "studies with people before them",
		"live/token":          "links, and guests who come through them",
		"say":                 "results in words",
		"server/problem":      "what went wrong, in words and a status",
		"simulate":            "how noise is written",
		"store":               "what a list says about a study",
	},
	"internal/pairs": {
		"acquisition":       "rivals of the pick have high means",
		"internal/coding":   "how far apart options are",
		"internal/learn":    "questions that others are looking at",
		"internal/splitmix": "options of a small part of the space",
		"space":             "between which values nothing was shown",
	},
	"internal/paste": {"space": "options are what it translates"},
	"internal/sentence": {
		"internal/language/words": "the English texts",
		"space":                   "options and values in sentences",
	},
	"internal/sobol":      {"internal/splitmix": "fair bits for the scrambling that are the same everywhere"},
	"internal/splitmix":   {},
	"internal/xslices":    {},
	"internal/storetest":  {},
	"internal/strictjson": {},
	"internal/timeline":   {"": "a study, opened with the first events of its log"},
	"internal/view": {
		"":                  "options, beliefs and verdicts",
		"internal/chart":    "and in charts",
		"internal/language": "in the reader's language",
		"internal/sentence": "percentages",
		"internal/timeline": "what the study said at each moment",
		"say":               "results in words",
	},
	"live": {
		"":                       "studies",
		"internal/coding":        "catch questions are made of coordinates",
		"internal/errcode":       "why a study refuses",
		"internal/histogram":     "how long people waited",
		"internal/job":           "what nobody waits for before a page",
		"internal/memory":        "logs and posteriors share one bound",
		"internal/splitmix":      "coins that nobody can tell, for sides and checks",
		"internal/strictjson":    "what is fixed says one thing",
		"live/internal/cache":    "which studies are open",
		"live/internal/jobs":     "simulations and reports",
		"live/internal/notices":  "watchers hear that a study has changed",
		"live/internal/settings": "how a study is run with people",
		"live/internal/work":     "the background queue and the order of searches",
		"live/token":             "links, guests and upload tokens",
		"logfile":                "what people bring home from machines of their own",
		"say":                    "plurals",
		"simulate":               "what came of simulated people",
		"store":                  "a store as it looks without a database",
	},
	"live/internal/cache": {
		"internal/memory": "logs and posteriors share one bound",
		"store":           "a store that is away",
	},
	"live/internal/jobs": {
		"":             "conflicts",
		"internal/job": "what is done part by part",
		"live/token":   "refusals, and the notes of a store",
		"simulate":     "what came of simulated people",
		"store":        "a note has a job",
	},
	"live/internal/notices": {"live/token": "refusals"},
	"live/internal/settings": {
		"":                    "changes of settings are events",
		"internal/language":   "in which languages pages can be",
		"internal/strictjson": "they are read to the letter",
		"live/token":          "refusals",
		"store":               "a note has them",
	},
	"live/internal/work": {"internal/cooperate": "nor must the search for it"},
	"live/token": {
		"store": "notes, and marks of forgotten names",
	},
	"logfile": {
		"":                    "logs are events",
		"internal/chain":      "checksums of a log",
		"internal/strictjson": "logs are JSON Lines, read as they are written",
	},
	"problem": {
		"internal/normal": "the probit rater and its calibration",
		"internal/sobol":  "quasi-random points for the calibration",
	},
	"report": {
		"":                  "studies",
		"internal/chart":    "its charts, the page's",
		"internal/errcode":  "why a study refuses",
		"internal/language": "and words",
		"internal/media":    "thumbnails",
		"internal/sentence": "percentages",
		"internal/timeline": "what the study said at each moment",
		"internal/view":     "what a page shows of a study, too",
		"logfile":           "the hash of a log",
		"say":               "results in words",
	},
	"say": {
		"":                  "what is said is the results of a study",
		"internal/crowd":    "from how many answers on a rater can be judged",
		"internal/language": "in the reader's language",
		"internal/normal":   "a tolerance is said as the chance to recognise it",
		"internal/sentence": "with the English of the root",
	},
	"server": {
		"":                     "options, answers and verdicts are what requests and replies are made of",
		"exchange":             "data in and out over HTTP",
		"internal/errcode":     "why a study refuses",
		"internal/job":         "what kinds of long work this process can do",
		"internal/media":       "files behind items",
		"internal/memory":      "how much of it is used",
		"internal/pack":        "a study as a file that needs no server",
		"internal/page":        "what people see of it",
		"internal/strictjson":  "bodies are read to the letter",
		"live":                 "studies with people before them",
		"live/token":           "links, guests and upload tokens",
		"logfile":              "in what two configurations differ",
		"server/internal/gate": "what every request passes before its handler",
		"server/problem":       "what went wrong, in words and a status",
		"simulate":             "how noise is written",
		"store":                "where they are kept",
		"store/sqlstore":       "where they are kept",
	},
	"server/internal/gate": {
		"internal/histogram": "how long requests took",
		"live":               "refusals, and where the time of a request went",
		"live/token":         "links, guests and upload tokens",
		"server/problem":     "what went wrong, in words and a status",
	},
	"server/problem": {
		"":                 "its errors",
		"internal/errcode": "why a study refuses",
		"live":             "refusals",
		"store":            "what can befall a store",
	},
	"simulate": {
		"":                  "studies run through the public Study, as a stranger would",
		"gp":                "people are drawn from the model's prior",
		"internal/coding":   "a simulated utility is a function of coordinates",
		"internal/normal":   "intervals of shares",
		"internal/sobol":    "options everywhere in a space",
		"internal/splitmix": "a seed of its own for everybody",
		"problem":           "how a simulated rater answers, and the noise at which answers go wrong",
		"say":               "a tolerance in words",
	},
	"space": {"internal/errcode": "what it refuses"},
	"store": {
		"": "studies and their events",
	},
	"store/sqlstore": {
		"":                   "studies and their events",
		"acquisition":        "the type of methods of one's own",
		"gp":                 "the kernels a snapshot was made with",
		"internal/chain":     "checksums of a log",
		"internal/histogram": "how long the database took",
		"internal/timeline":  "how many answers count",
		"store":              "notes, lists and errors, which need no database",
	},
}

// numeric are the packages where numbers alone are known.
var numeric = []string{"internal/linalg", "internal/normal", "internal/sobol", "internal/maximize", "gp"}

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
	"cmd/prefer/internal/bench": {
		"golang.org/x/sys/unix":      "processor time of a thread",
		"golang.org/x/sync/errgroup": "so many cells at a time",
	},
	"simulate": {"golang.org/x/sync/errgroup": "so many people at a time"},
	"exchange": {"golang.org/x/sync/errgroup": "so many files at a time"},
	"internal/media": {
		"golang.org/x/image/bmp":  "pictures that browsers show",
		"golang.org/x/image/draw": "thumbnails",
		"golang.org/x/image/webp": "pictures that browsers show",
	},
	"report": {"golang.org/x/image/webp": "one kind of pictures"},
	"cmd/prefer/internal/queue": {
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
	"cmd/prefer/internal/mcp": {"github.com/modelcontextprotocol/go-sdk/mcp": "the protocol, by those who keep it", "github.com/modelcontextprotocol/go-sdk/jsonrpc": "what a message is"},
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
	"cmd/prefer/internal/terminal": {"golang.org/x/term": "raw keys, and the size of a window", "golang.org/x/text/width": "how many columns a character takes"},
	"internal/language": {
		"golang.org/x/text/language":       "what a browser asks for, matched against what there is",
		"golang.org/x/text/feature/plural": "the plural categories of languages",
	},
	"server": {
		"github.com/danielgtaylor/huma/v2":                 "requests checked against types, and their OpenAPI description",
		"github.com/danielgtaylor/huma/v2/adapters/humago": "on the standard library's mux",
		"golang.org/x/time/rate":                           "so many writes a second that try the store",
	},
	"server/problem": {"github.com/danielgtaylor/huma/v2": "its form of a problem"},
	"server/internal/gate": {
		"github.com/danielgtaylor/huma/v2":                 "operations say who may call them",
		"golang.org/x/time/rate":                           "so many requests a second",
		"github.com/danielgtaylor/huma/v2/adapters/humago": "on the standard library's mux",
	},
	"internal/page": {
		"github.com/skip2/go-qrcode":         "links that phones can read",
		"github.com/yuin/goldmark":           "texts of items are Markdown",
		"github.com/yuin/goldmark/extension": "with tables",
		"github.com/microcosm-cc/bluemonday": "and written by strangers",
	},
	"store": {"golang.org/x/text/unicode/norm": "a letter has one form, however it is composed"},
	"store/sqlstore": {
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

// unseen are standard packages the numeric packages have no business with.
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
				if own == "internal/xslices" { // an addition to the standard library
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
			if slices.Contains(numeric, pkg) && slices.Contains(unseen, name) {
				t.Errorf("%s imports %s: the numeric packages work on numbers alone", path, name)
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
