// The form of the start page: what is pasted becomes a template with parameters, to be seen, changed and asked about.
import { post, say } from "./api.js";
import { Param } from "./param.js";
import { Preview, fill } from "./preview.js";
import { blame, clearAll } from "./wrong.js";

const root = document.documentElement.dataset.root ?? "";
const $ = (id) => document.getElementById(id);
const form = $("describe"), list = $("params"), text = $("paste"), markup = $("paste-html"), leads = $("leads"), hint = $("preview-hint");

const examples = {
  css: ".card {\n  --radius: 14px;\n  --space: 20px;\n  --hue: 165;\n  --font: Georgia, serif;\n  border-radius: var(--radius);\n  padding: var(--space);\n}",
  svg: "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 320 240\">\n<title>Sunset</title>\n<style>\n:root { --sky-hue: 30; --sun: 42px; --height: 120px; --waves: 6px }\n.sky { fill: oklch(.82 .12 var(--sky-hue)) }\n.sun { fill: oklch(.93 .12 90); cx: 160px; cy: var(--height); r: var(--sun) }\n.sea { fill: oklch(.5 .09 240) }\n.wave { fill: none; stroke: oklch(.72 .08 230); stroke-width: var(--waves); stroke-linecap: round }\n</style>\n<rect class=\"sky\" width=\"320\" height=\"240\"/>\n<circle class=\"sun\"/>\n<rect class=\"sea\" y=\"160\" width=\"320\" height=\"80\"/>\n<path class=\"wave\" d=\"M20 182q20-12 40 0t40 0t40 0M150 208q20-12 40 0t40 0t40 0\"/>\n</svg>",
};

let rows = [];
let proposal = null; // what the text was taken for
let named = ""; // the name that was proposed
let budgeted = ""; // the budget that was proposed: 12 answers, and 3 for each parameter
let sized = false; // somebody has chosen a window

const size = () => $("study-window").value.split("x").map(Number);

const preview = new Preview($("preview"), {
  found(kind) {
    if (!proposal || proposal.known) return;
    proposal.known = true;
    proposal.kind = kind;
    leads.querySelector(`[value=${kind}]`).checked = true;
    about();
  },
  failed() { tell(proposal?.kind === "svg" ? "This drawing cannot be shown: the SVG is incomplete." : "This address cannot be loaded. Is the page running, and is it a picture?"); },
});

function tell(sentence) {
  hint.textContent = sentence;
  hint.hidden = !sentence;
}

// about says what the preview can and cannot show.
function about() {
  const page = proposal?.kind === "html" || proposal?.kind === "page";
  $("window").hidden = !page;
  if (!sized) $("study-window").value = proposal?.kind === "page" ? "1280x800" : "640x480";
  preview.window(...(page ? size() : []));
  tell(proposal?.is !== "address" ? "" : proposal.kind === "page"
    ? "The page runs in a frame without storage and cookies. If it stays empty, it forbids framing." : "");
}

function draw() {
  const budget = $("study-budget");
  if (budget.value === budgeted) budget.value = budgeted = String(12 + 3 * rows.filter((r) => r.on).length);
  const values = {};
  for (const row of rows) if (row.name) values[row.name] = row.value;
  if (!proposal) return preview.show(null, values, rows.map((r) => r.read().param));
  preview.show(template(true), values, []);
}

// template is the text with the names as they are now; what does not vary has the value it was found with. For the preview it says whether the kind is known.
function template(shown) {
  const by = new Map(rows.filter((r) => r.place).map((r) => [r.place, r]));
  const made = { kind: proposal.kind, text: fill(proposal, (name) => {
    const row = by.get(name);
    if (!row) return proposal.fixed.get(name);
    return row.on ? { place: row.name || row.place } : row.found;
  }) };
  if (shown) made.known = proposal.known;
  else if (sized && (made.kind === "html" || made.kind === "page")) [made.width, made.height] = size();
  return made;
}

let waiting;
function soon() {
  waiting ??= requestAnimationFrame(() => { waiting = undefined; draw(); });
}

function add() {
  const row = new Param(list, soon, (gone) => {
    rows = rows.filter((r) => r !== gone);
    if (gone.place && proposal) proposal.fixed.set(gone.place, gone.found);
    $("add").focus();
    soon();
  });
  rows.push(row);
  return row;
}

// unused says that nobody has touched the rows that a form begins with.
const unused = () => rows.every((r) => !r.place && !r.name && !r.choices.length);

// propose asks what a text is, and puts what varies in it into the form. Rows whose value is still there stay as they are.
let latest = 0;
async function propose({ quiet = false, jump = false } = {}) {
  const request = ++latest;
  clearAll(text.closest(".panel"));
  if (!text.value.trim()) {
    if (proposal) { rows.filter((r) => r.place).forEach((r) => r.row.remove()); rows = rows.filter((r) => !r.place); proposal = null; notes([]); leads.hidden = $("markup").hidden = $("others").hidden = true; about(); soon(); }
    return;
  }
  let found;
  try {
    found = await post("/start/paste", { text: text.value, html: $("markup").hidden ? "" : markup.value }, { retry: false });
  } catch (e) {
    if (request === latest && !quiet) blame(text, e.message);
    return;
  }
  if (request !== latest) return;
  const kept = new Map(proposal ? rows.filter((r) => r.place).map((r) => [r.place, r]) : []);
  const own = unused() ? [] : rows.filter((r) => !r.place);
  const names = new Set(found.places.map((p) => p.param.name));
  for (const row of rows) if (!own.includes(row) && !(row.place && names.has(row.place))) row.row.remove();
  proposal = { ...found, known: found.is !== "address", fixed: new Map() };
  rows = [];
  for (const one of found.places) {
    const was = kept.get(one.param.name);
    const mine = own.findIndex((r) => r.name === one.param.name);
    if (mine >= 0) {
      const [row] = own.splice(mine, 1);
      row.adopt(one);
      rows.push(row);
    } else if (was?.found === one.value) {
      rows.push(was);
    } else {
      was?.row.remove();
      add().propose(one);
    }
  }
  rows.push(...own);
  arrange();
  if (!$("study-name").value || $("study-name").value === named) $("study-name").value = named = found.name;
  leads.hidden = found.is !== "address";
  leads.querySelector(`[value=${found.is === "address" ? found.kind : "page"}]`).checked = true;
  $("markup").hidden = found.is !== "CSS";
  notes(found.notes ?? []);
  about();
  open(jump);
  say(`${found.is}: ${found.places.length} values that could vary.`, { toast: false });
  draw();
}

// arrange puts what varies first, and folds the rest away.
function arrange() {
  for (const row of rows) (row.on ? list : $("rest")).append(row.row);
  const others = $("rest").children.length;
  $("others").hidden = !others;
  $("others").firstElementChild.textContent = `${others} more that could vary`;
}

function notes(all) {
  $("notes").replaceChildren(...all.map((n) => Object.assign(document.createElement("p"), { className: "note small", textContent: n })));
}

function open(jump) {
  form.hidden = false;
  if (jump) form.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

// Fields by the names that the service has for them.
const fields = {
  "name": () => $("study-name"), "prompt": () => $("study-prompt"), "budget": () => $("study-budget"), "tolerance": () => $("study-tolerance"), "people": () => form.querySelector("[name=people]"),
  "repeat_rate": () => $("study-repeats"), "checks.repeat_rate": () => $("study-repeats"), "text": () => text, "page": () => text, "page.template": () => text,
};

// at finds the field that a refusal is about; sent are the rows that were sent.
function at(location, sent) {
  const path = (location ?? "").replace(/^body\.?/, "");
  const param = path.match(/^params\[(\d+)\](?:\.(\w+))?/);
  if (param) {
    const row = sent[Number(param[1])];
    return row?.field(param[2] ?? "name");
  }
  if (path.startsWith("constraints")) return $("study-constraints");
  return fields[path]?.();
}

async function start(invite) {
  clearAll(document.querySelector("main"));
  $("form-wrong").hidden = true;
  const sent = rows.filter((r) => r.on);
  const read = sent.map((r) => r.read());
  const wrong = read.flatMap((r, i) => r.wrong.map(([field, message]) => [sent[i].field(field), message]));
  for (const [i, row] of sent.entries()) {
    if (proposal && !row.place && row.name && !read[i].param.context) wrong.push([row.field("name"), `Nothing shows it yet: write {{${row.name}}} where it goes in what you pasted.`]);
  }
  const budget = $("study-budget");
  if (budget.validity.badInput || budget.value && !Number.isInteger(Number(budget.value))) wrong.push([budget, "Enter a whole number, or leave it empty."]);
  if (!$("study-name").value.trim()) wrong.unshift([$("study-name"), "A name is missing. Give the study a name."]);
  if (wrong.length) return show(wrong);
  if (!sent.length) return refuse("Nothing varies yet: tick a parameter, or add one.");
  const made = { name: $("study-name").value.trim(), params: read.map((r) => r.param) };
  const put = (name, value) => { if (value) made[name] = value; };
  put("prompt", $("study-prompt").value.trim());
  put("tolerance", $("study-tolerance").value.trim());
  put("people", form.querySelector("[name=people]:checked")?.value);
  put("repeat_rate", Number($("study-repeats").value));
  const rules = $("study-constraints").value.split("\n").map((c) => c.trim()).filter(Boolean);
  if (rules.length) made.constraints = rules;
  if ($("study-budget").value) made.budget = Number($("study-budget").value);
  if (proposal) made.page = { template: template(false) };
  try {
    const { name } = await post("/start/params", made, { retry: false });
    keep();
    location.assign(`${root}/s/${encodeURIComponent(name)}${invite ? "/owner" : ""}`);
  } catch (e) {
    const about = (e.errors ?? []).map((one) => [at(one.location, sent), one.message]).filter(([field]) => field);
    if (about.length) return show(about);
    refuse(e.message);
  }
}

// refuse says what no field is to blame for.
function refuse(message) {
  $("form-wrong").textContent = message;
  $("form-wrong").hidden = false;
  $("form-wrong").scrollIntoView({ block: "nearest" });
}

function show(wrong) {
  for (const [field, message] of wrong) {
    rows.find((r) => r.row.contains(field))?.unfold(true);
    blame(field, message);
  }
  wrong[0][0].focus();
  say(wrong.map(([, message]) => message).join(" "), { toast: false });
}

// Somebody who goes back from the first pair to change a range finds the form as it was.
const draft = "prefer form";
const plain = () => [...document.querySelectorAll("#paste, #paste-html, #describe > .settings > .fields input, #describe > .settings > details :is(input, textarea, select), #study-window")];

function keep() {
  const fields = plain().map((f) => (f.type === "radio" || f.type === "checkbox" ? f.checked : f.value));
  try { sessionStorage.setItem(draft, JSON.stringify({ fields, sized, rows: rows.map((r) => r.save()) })); } catch { /* no room is no reason to stay */ }
}

async function restore() {
  const was = JSON.parse(sessionStorage.getItem(draft) ?? "null");
  if (!was) return;
  plain().forEach((f, i) => { if (f.type === "radio" || f.type === "checkbox") f.checked = was.fields[i]; else f.value = was.fields[i] ?? ""; });
  sized = was.sized;
  $("markup").hidden = !markup.value;
  await propose({ quiet: true });
  for (const saved of was.rows) (rows.find((r) => saved.place && r.place === saved.place) ?? rows.find((r) => !r.place && !r.name && !saved.place) ?? add()).restore(saved);
  arrange();
  about();
  open(true);
  draw();
}

async function take(file) {
  if (file.size > 1 << 20) return blame(text, `${file.name} has ${Math.ceil(file.size / 1024)} kB, want at most 1024.`);
  text.value = await file.text();
  propose({ jump: true });
}

add();
add();
$("add").addEventListener("click", () => { for (const row of rows) if (row.name) row.unfold(false); const row = add(); soon(); row.field("name").focus(); });
$("any").addEventListener("click", () => { for (const row of rows) if (row.on) row.any(); soon(); });
$("by-hand").addEventListener("click", () => {
  open(true);
  draw();
  $("study-name").focus({ preventScroll: true });
});
let typing;
for (const field of [text, markup]) {
  field.addEventListener("input", (e) => {
    clearTimeout(typing);
    const whole = e.inputType === "insertFromPaste" || e.inputType === "insertFromDrop";
    typing = setTimeout(() => propose({ quiet: !whole, jump: whole && field === text && form.hidden }), whole ? 0 : 400);
  });
}
text.addEventListener("change", () => { clearTimeout(typing); propose(); });
markup.addEventListener("change", () => { clearTimeout(typing); propose(); });
text.addEventListener("dragover", (e) => { if (e.dataTransfer.types.includes("Files")) e.preventDefault(); });
text.addEventListener("drop", (e) => {
  const [file] = e.dataTransfer.files;
  if (!file) return;
  e.preventDefault();
  take(file);
});
$("paste-pick").addEventListener("click", () => $("paste-file").click());
$("paste-file").addEventListener("change", (e) => { if (e.target.files[0]) take(e.target.files[0]); });
for (const button of document.querySelectorAll("[data-example]")) {
  button.addEventListener("click", () => { text.value = examples[button.dataset.example]; propose({ jump: true }); });
}
$("study-window").addEventListener("change", () => { sized = true; about(); });
leads.addEventListener("change", (e) => {
  if (!proposal) return;
  proposal.kind = e.target.value;
  proposal.known = true;
  about();
  draw();
});
// An address of the page may begin with an example, as /#css does.
const example = () => document.querySelector(`[data-example="${CSS.escape(location.hash.slice(1))}"]`)?.click();
addEventListener("hashchange", example);
example();
if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") restore();
form.addEventListener("submit", async (e) => {
  e.preventDefault();
  const button = e.submitter ?? form.querySelector("[type=submit]");
  button.disabled = true;
  await start(button.hasAttribute("data-invite"));
  button.disabled = false;
});
