// The contact sheet: the question to ask and how long it takes, every item small, one of them large.
import { make } from "./element.js";
import { call, post, study, say } from "./api.js";
import { bring } from "./upload.js";

const main = document.querySelector("main");
const { study: name, base } = main.dataset;
const root = document.documentElement.dataset.root ?? "";
const path = base.slice(root.length);

// The question, and how long it takes.
const form = document.querySelector("#ask");
const prompt = form.querySelector("#prompt");
const budget = form.querySelector("#budget");
const takes = form.querySelector("#takes");
const honest = form.querySelector("#honest");
const asServed = { takes: takes.textContent, honest: honest.textContent, budget: budget.value };

form.addEventListener("click", (e) => {
  const chip = e.target.closest("[data-prompt]");
  if (!chip) return;
  prompt.value = chip.dataset.prompt;
  prompt.focus();
  mark();
});

function mark() {
  for (const chip of form.querySelectorAll("[data-prompt]")) chip.setAttribute("aria-pressed", String(chip.dataset.prompt === prompt.value.trim()));
}
prompt.addEventListener("input", mark);
mark();

const minutes = (seconds) => {
  const m = Math.max(1, Math.round(seconds / 60));
  if (m >= 90) return `${(seconds / 3600).toFixed(1)} hours`;
  const round = m > 10 ? 5 * Math.round(seconds / 300) : m;
  return `${round} ${round === 1 ? "minute" : "minutes"}`;
};

const goal = () => form.querySelector("[name=shortlist]:checked");
const goalServed = goal()?.value;
const proposed = [...form.querySelectorAll("[name=shortlist]")].map((g) => g.dataset.budget);
form.querySelector("#goal")?.addEventListener("change", () => { // each goal has a budget of its own, unless somebody has set one
  if (proposed.includes(budget.value)) budget.value = goal().dataset.budget;
  budget.dispatchEvent(new Event("input"));
});

budget.addEventListener("input", () => {
  const { pace, count } = takes.dataset;
  const n = Number(budget.value);
  if (budget.value === asServed.budget || !(n >= 1)) {
    takes.textContent = budget.value && budget.value === asServed.budget ? asServed.takes : goal()?.dataset.takes ?? (asServed.budget ? "As many as it takes." : asServed.takes);
    honest.textContent = asServed.honest;
  } else {
    takes.textContent = `${n} ${n === 1 ? "answer" : "answers"} each: about ${minutes(n * Number(pace))}.`;
    honest.textContent = 2 * n < Number(count) ? `Every answer shows two: ${n} show at most ${2 * n} of the ${Number(count).toLocaleString("en")}. What was never shown can still be the best, and the result says how many were.` : "";
  }
  honest.hidden = !honest.textContent;
});

form.querySelector("[type=submit]").disabled = false; // before, pressing it would send the form elsewhere
form.addEventListener("submit", async (e) => {
  e.preventDefault();
  const change = { prompt: prompt.value.trim() };
  if (budget.value !== asServed.budget) change.budget = Number(budget.value || 0);
  if (goal()?.value !== goalServed) change.shortlist = Number(goal().value);
  const people = form.querySelector("[name=people]:checked");
  if (people) change.people = people.value;
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  try {
    await call("PATCH", study(name), change);
    location.assign(base);
  } catch (err) {
    say(err.message);
    button.disabled = false;
  }
});

// The rest of a long list comes by pressing.
const list = document.querySelector("#thumbs");
const number = (n) => n.toLocaleString("en");
document.addEventListener("click", async (e) => {
  const rest = e.target.closest("#rest");
  if (!rest) return;
  rest.disabled = true;
  try {
    const reply = await fetch(`${base}/sheet?from=${rest.dataset.next}`, { credentials: "same-origin" });
    if (!reply.ok) throw new Error("The rest could not be loaded.");
    const got = new DOMParser().parseFromString(await reply.text(), "text/html").querySelectorAll("li");
    const first = list.children.length;
    list.append(...got);
    const left = Number(takes.dataset.count) - list.children.length;
    rest.dataset.next = String(list.children.length);
    rest.querySelector("span").textContent = `${number(left)} left`;
    rest.hidden = left <= 0;
    list.children[first]?.querySelector("button").focus({ preventScroll: true });
  } catch (err) {
    say(err.message);
  }
  rest.disabled = false;
});

// One item large.
const dialog = document.querySelector("#large");
const stage = dialog.querySelector(".stage");
const description = dialog.querySelector("#description");
let shown;

function large(button) {
  shown = button;
  const { item, kind, url, text, tells, number: at } = button.dataset;
  const node = kind === "image" && url ? make("img", { src: url, alt: tells || "" })
    : kind === "video" ? make("video", { src: url, controls: true, loop: true, playsInline: true })
    : kind === "audio" ? make("audio", { src: url, controls: true })
    : make("div", { className: "reading", textContent: text || item, tabIndex: 0 });
  stage.replaceChildren(node);
  dialog.querySelector("#large-name").textContent = item;
  dialog.querySelector("#large-at").textContent = `${number(Number(at))} of ${number(Number(takes.dataset.count))}`;
  description.value = tells;
  dialog.querySelector("#describe").hidden = !url || Boolean(text);
  if (!dialog.open) dialog.showModal();
}

const step = (by) => {
  const all = [...list.querySelectorAll("button")];
  const next = all[all.indexOf(shown) + by];
  if (next) large(next);
};

list.addEventListener("click", (e) => {
  const button = e.target.closest("[data-item]");
  if (button) large(button);
});
dialog.addEventListener("keydown", (e) => {
  if (e.target.matches("input, audio, video")) return;
  if (e.key === "ArrowLeft") step(-1);
  if (e.key === "ArrowRight") step(1);
});
dialog.addEventListener("click", (e) => {
  if (e.target === dialog || e.target.closest("[data-close]")) dialog.close();
  const to = e.target.closest("[data-step]");
  if (to) step(Number(to.dataset.step));
});
dialog.addEventListener("close", () => { stage.replaceChildren(); shown?.focus(); if (missed) refresh().catch(() => {}); });
dialog.querySelector("#describe").addEventListener("submit", async (e) => {
  e.preventDefault();
  try {
    const { text } = await post(`${path}/describe`, { item: shown.dataset.item, text: description.value });
    shown.dataset.tells = text;
    const img = shown.querySelector("img");
    if (img) img.alt = text;
    say("Saved.");
  } catch (err) {
    say(err.message);
  }
});

// An item is removed by pressing twice.
const remove = dialog.querySelector("#remove");
dialog.addEventListener("click", (e) => { if (remove && e.target !== remove) calm(); });
const calm = () => { delete remove.dataset.sure; remove.textContent = "Remove"; };
remove?.addEventListener("click", async () => {
  if (!remove.dataset.sure) {
    remove.dataset.sure = "true";
    remove.textContent = "Really remove?";
    return say("Press again to remove it from questions. Answers about it are kept.", { toast: false });
  }
  try {
    await call("DELETE", `${study(name)}/items/${encodeURIComponent(shown.dataset.item)}`);
    dialog.close();
    await refresh();
    say("Removed. It is no longer asked about.");
  } catch (err) {
    say(err.message);
  }
  calm();
});

// What has joined or left meanwhile is shown at once; what is being typed stays.
// What has not changed stays the same node: a press on a node that is replaced before the release is lost.
let missed = false;
async function refresh() {
  const reply = await fetch(`${base}/sheet`, { credentials: "same-origin" });
  if (!reply.ok) return;
  const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
  missed = dialog.open;
  if (missed) return;
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = fresh.querySelector(`#${part.id}`);
    if (!part.isEqualNode(now)) part.replaceChildren(...now.childNodes);
  }
  takes.dataset.count = fresh.querySelector("#takes").dataset.count;
}
let due = 0;
new EventSource(`${root}${study(name)}/events`).addEventListener("changed", (e) => {
  if (!["joined", "left"].includes(JSON.parse(e.data).kind)) return;
  due ||= setTimeout(() => { due = 0; refresh().catch(() => {}); }, 1000); // a folder that is being filled changes often
});

// A picture that cannot be loaded after all says so.
list.addEventListener("error", (e) => { if (e.target.matches("img, video")) e.target.closest("button").classList.add("missing"); }, true);

// Further files.
const adds = document.querySelector("[data-files]");
if (adds) {
  bring({ at: adds, box: document.querySelector("#sending"), to: `${path}/files`, then: async (got) => {
    await refresh();
    const there = got.there?.length ? ` ${number(got.there.length)} had been there.` : "";
    const bad = got.unreadable?.length ? ` ${number(got.unreadable.length)} cannot be read.` : "";
    say(`${number(got.added)} added.${there}${bad}`);
  } });
}
