// The owner's view: whose favourite is sought, links to hand out, people, settings, a pause, and a board that follows the study.
import { call, post, study, say, copy } from "./api.js";
import { draw, drawAll, lookOf } from "./card.js";
import { paint } from "./jobs.js";
import { blame, clearAll } from "./wrong.js";

const data = document.querySelector("main").dataset;
const root = document.documentElement.dataset.root ?? "";
const base = data.base.slice(root.length);
const find = (selector) => document.querySelector(selector);

// Links. An owner on the machine itself may have come by an address that leads everybody else to themselves.
const own = /^(localhost|127\.|\[?::1)/.test(location.hostname);
const reach = [...new Set([...(own ? [] : [location.origin]), ...(JSON.parse(data.reach || "[]") ?? [])])];

async function make(form, body, after) {
  if (!find("#whom").reportValidity()) return;
  const until = find("#until").value;
  if (until) body.expires = new Date(new Date(`${until}T00:00`).getTime() + 24 * 3600 * 1000).toISOString(); // the day included
  try {
    handOut(await post(`${study(data.study)}/links`, body), form);
    after?.();
    await refresh();
  } catch (err) {
    say(err.message);
  }
}

find("#everybody")?.addEventListener("submit", (e) => { e.preventDefault(); make("#everybody", { everybody: true }); });
find("#link")?.addEventListener("submit", (e) => {
  e.preventDefault();
  const name = find("#rater");
  if (!name.value.trim()) return blame(name, "Enter a name.");
  make("#link", { rater: name.value.trim() }, () => { name.value = ""; });
});

// handOut shows a link beside what made it, the only time that its address is known.
function handOut({ id, url, rater }, beside, called = rater || "everybody") {
  takeIn(id);
  const box = find("#handout").content.firstElementChild.cloneNode(true);
  const [img, input, where] = [box.querySelector("img"), box.querySelector("input"), box.querySelector("select")];
  const point = (origin) => {
    input.value = new URL(url, origin).href;
    img.src = `${root}${base}/qr?text=${encodeURIComponent(input.value)}`;
  };
  img.alt = `QR code of the link for ${called}`;
  box.querySelector("h3").textContent = `For ${called}`;
  box.dataset.id = id;
  box.dataset.beside = beside;
  box.querySelector("[data-old]").hidden = beside.startsWith("#every") || beside === "#link";
  if (reach.length) point(reach[0]);
  else { // a code would lead a phone to itself
    img.remove();
    box.classList.add("alone");
    box.querySelector("[data-alone]").hidden = false;
    input.value = new URL(url, location.href).href;
  }
  box.querySelector("[data-where]").hidden = reach.length < 2;
  where.append(...reach.map((origin) => new Option(origin.replace(/^https?:\/\//, ""), origin)));
  where.addEventListener("change", () => point(where.value));
  box.querySelector("button").addEventListener("click", () => copy(input.value));
  place(box);
  box.querySelector("button").focus();
  box.scrollIntoView({ block: "nearest" });
  return input.value;
}

// place puts a link under the form that made it, or into the row of its button.
function place(box) {
  const at = find(box.dataset.beside);
  if (at?.matches("form")) at.after(box);
  else at?.closest("li").append(box);
}

// takeIn removes what was shown of a link whose address no longer works.
const shown = (id) => [...document.querySelectorAll(".handout")].filter((box) => box.dataset.id === id);
const takeIn = (id) => shown(id).forEach((box) => box.remove());

// sure has a button that cannot be taken back pressed twice.
function sure(button, question, hint) {
  if (button.dataset.sure) return true;
  button.dataset.sure = "true";
  button.textContent = question;
  say(hint, { toast: false });
  return false;
}

document.addEventListener("click", async (e) => {
  const button = e.target.closest("[data-link]");
  if (!button) return;
  const { link, who, how } = button.dataset;
  const [box] = shown(link);
  if (how === "copy" && box) return copy(box.querySelector("input").value);
  if (how === "copy" && !sure(button, "Really replace the old link?", `The old link of ${who} stops working. Press again to copy a new one.`)) return;
  if (how === "withdraw" && !sure(button, "Really revoke?", `Press again to revoke the link of ${who}.`)) return;
  button.disabled = true;
  try {
    const path = `${study(data.study)}/links/${encodeURIComponent(link)}`;
    if (how === "copy") {
      const place = button.closest("#board") ? "#board" : "#ways";
      const copied = await copy(handOut(await post(`${path}/renew`), `${place} [data-link="${link}"]`, who), { ask: false });
      say(`${copied ? "Copied." : "Here is the new link."} The old link of ${who} no longer works.`);
    } else await call("DELETE", path).then(() => takeIn(link));
    await refresh();
    if (how === "withdraw") say(`Revoked. The link of ${who} no longer works.`);
  } catch (err) {
    button.disabled = false;
    say(err.message);
  }
});

// Upload addresses: shown when they are made, and never again.
find("#allow")?.addEventListener("click", async () => {
  try {
    const { url } = await post(`${study(data.study)}/uploads`, {});
    const field = document.createElement("input");
    field.readOnly = true;
    field.setAttribute("aria-label", "Upload address");
    field.value = new URL(url, reach[0] ?? location.href).href;
    find("#upload-new").replaceChildren(field);
    field.select();
    say("Here is the upload address. It is shown only now.");
  } catch (err) {
    say(err.message);
  }
});
find("#uploads")?.addEventListener("click", async (e) => {
  const button = e.target.closest("[data-upload]");
  if (!button || !sure(button, "Really revoke?", "Press again to revoke the upload address.")) return;
  try {
    await call("DELETE", `${study(data.study)}/uploads/${encodeURIComponent(button.dataset.upload)}`);
    button.closest("li").remove();
    say("Revoked. The address no longer accepts answers.");
  } catch (err) {
    say(err.message);
  }
});

const pause = find("#pause");
pause?.addEventListener("click", async () => {
  try {
    await post(`${base}/pause`, { paused: pause.dataset.paused !== "true" });
    location.reload();
  } catch (err) {
    say(err.message);
  }
});

// Whose favourite is sought can be said at any time: no answer is lost by it.
document.addEventListener("change", async (e) => {
  const field = e.target.closest("#people-setting");
  if (!field) return;
  field.disabled = true;
  try {
    await call("PATCH", study(data.study), { people: e.target.value });
    say(`${e.target.value === "shared" ? "One favourite for everyone" : "One favourite per person"}. All answers so far count.`, { toast: false });
    await refresh();
  } catch (err) {
    say(err.message);
    await refresh(["people-setting"]);
  }
  field.disabled = false;
});

// One of the people: renamed, left out, removed.
const dialog = find("#person");
let person = {};
document.addEventListener("click", (e) => {
  const button = e.target.closest("[data-person]");
  if (!button) return;
  person = button.dataset;
  const { person: rater, called, given, out } = person;
  const alone = document.querySelectorAll("[data-person]").length < 2;
  const you = called === "you";
  find("#person-name").textContent = you ? "You" : called;
  find("#person-id").textContent = rater && rater !== called && !you ? `In the log: ${rater}` : "";
  find("#called").value = called;
  find("#rename").hidden = you;
  find("#leave").hidden = alone && out !== "true";
  find("[data-exclude]").textContent = out === "true" ? "Include again" : "Leave out";
  const n = `${given} ${given === "1" ? "answer" : "answers"}`;
  find("#gone").textContent = you ? `Erases your ${n} and the questions you were asked, for good.`
    : `Erases all questions and answers of ${called} (${n}) and the link, for good. The name is blocked until you invite it again. Your downloads are not changed.`;
  const forget = find("[data-forget]");
  delete forget.dataset.sure;
  forget.textContent = "Remove";
  forget.disabled = false;
  dialog.showModal();
});
dialog.addEventListener("click", (e) => { if (e.target === dialog || e.target.closest("[data-close]")) dialog.close(); });

async function about(path, body, said) {
  try {
    await post(`${study(data.study)}/${path}`, { rater: person.person, ...body });
    dialog.close();
    await refresh();
    say(said);
  } catch (err) {
    if (path === "rename") blame(find("#called"), err.message);
    else say(err.message);
  }
}
find("#rename").addEventListener("submit", (e) => { e.preventDefault(); clearAll(e.target); about("rename", { name: find("#called").value.trim() }, "Renamed."); });
find("[data-exclude]").addEventListener("click", () => {
  const back = person.out === "true";
  about("exclude", { back }, back ? "Included again." : "Left out. The answers are kept.");
});
find("[data-forget]").addEventListener("click", (e) => {
  if (sure(e.target, "Really remove, for good?", "Press again to remove for good.")) about("forget", {}, "Removed.");
});

// Settings. Only what was changed is sent; what is wrong is said at its field.
const form = find("#change");
let pairs = JSON.parse(form.dataset.catch);
let before = read();

function read() {
  const field = (name) => form.elements[name];
  return {
    prompt: field("prompt").value.trim(), budget: Number(field("budget").value || 0), show_result: field("show_result").checked, "page.complete": field("page.complete").value.trim(),
    "page.language": field("page.language").value, "page.prompts": JSON.stringify(Object.fromEntries([...form.querySelectorAll("[name^='page.prompts.']")].map((i) => [i.lang, i.value.trim()]).filter(([, text]) => text))),
    "checks.repeat_rate": Number(field("checks.repeat_rate").value), "checks.catch_every": Number(field("checks.catch_every").value), "checks.catch": JSON.stringify(pairs),
  };
}

// The browser knows what languages are called.
const tongue = (tag) => { try { return new Intl.DisplayNames("en", { type: "language" }).of(tag); } catch { return tag; } };
for (const option of form.elements["page.language"].options) if (option.value) option.textContent = tongue(option.value);
for (const label of form.querySelectorAll("[data-tag]")) label.textContent = `The question in ${tongue(label.dataset.tag)}`;

form.addEventListener("submit", async (e) => {
  e.preventDefault();
  clearAll(form);
  const [now, saved, body] = [read(), find("#saved"), {}];
  saved.textContent = "";
  const odd = [...form.elements].find((field) => field.validity?.badInput);
  if (odd) { blame(odd, "Enter a number."); odd.focus(); return; }
  for (const [name, value] of Object.entries(now)) {
    if (value === before[name]) continue;
    const [part, inner] = name.split(".");
    if (inner) (body[part] ??= {})[inner] = ["catch", "prompts"].includes(inner) ? JSON.parse(value) : value;
    else body[part] = value;
  }
  if (!Object.keys(body).length) { saved.textContent = "Nothing was changed."; return; }
  try {
    await call("PATCH", study(data.study), body);
    before = now;
    saved.textContent = "Saved.";
    await refresh(["settings-now", "prompt"]);
  } catch (err) {
    const at = err.errors?.[0]?.location?.replace(/^body\.?/, "").replace(/\[.*/, "") ?? "";
    const field = form.elements[at] ?? (at === "checks.catch" ? find("[data-side] [data-name]") : null);
    if (field) { blame(field, err.message); field.focus(); } else saved.textContent = err.message;
  }
});

// A pair with a known answer: an item, or values of parameters, on each side, drawn where it can be.
const fieldsOf = (side) => [...form.querySelectorAll(`[data-side=${side}] [data-name]`)];
const optionOf = (side) => Object.fromEntries(fieldsOf(side).map((f) => [f.dataset.name, f.tagName === "SELECT" ? JSON.parse(f.value) : Number(f.value)]));
function drawSide(side) {
  const params = optionOf(side);
  if (!params.item) form.querySelector(`[data-side=${side}] .thumb`).replaceChildren(draw({ params }, "", { ...lookOf(data), small: true }).node);
}
for (const side of ["better", "worse"]) {
  form.querySelector(`[data-side=${side}]`)?.addEventListener("input", () => drawSide(side));
  form.querySelector(".pairs details")?.addEventListener("toggle", () => drawSide(side), { once: true });
}
find("#pair")?.addEventListener("click", () => {
  clearAll(form);
  const fields = [...fieldsOf("better"), ...fieldsOf("worse")];
  const odd = fields.find((f) => f.value === "" || !f.validity.valid);
  if (odd) return blame(odd, odd.value === "" ? "Enter a number." : `Enter a number from ${odd.min} to ${odd.max}.`);
  const [better, worse] = [optionOf("better"), optionOf("worse")];
  if (JSON.stringify(better) === JSON.stringify(worse)) return blame(fields.at(-1), "These are the same.");
  pairs.push({ better, worse });
  showPairs();
});
form.addEventListener("click", (e) => {
  const button = e.target.closest("[data-unpair]");
  if (!button) return;
  pairs.splice(Number(button.dataset.unpair), 1);
  showPairs();
});
const name = (option) => Object.entries(option).map(([k, v]) => (k === "item" ? v : `${k} ${v}`)).join(", ");
function showPairs() {
  find("#saved").textContent = "Not saved yet.";
  find("#pairs").replaceChildren(...pairs.map(({ better, worse }, i) => {
    const li = document.createElement("li");
    const text = Object.assign(document.createElement("span"), { textContent: ` over ${name(worse)}` });
    text.prepend(Object.assign(document.createElement("b"), { textContent: name(better) }));
    const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Remove" });
    button.dataset.unpair = i;
    button.setAttribute("aria-label", `Remove the pair ${name(better)} over ${name(worse)}`);
    li.append(text, button);
    return li;
  }));
}

// What the address leads to is not folded.
const unfold = () => document.getElementById(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");
addEventListener("hashchange", unfold);
unfold();

// How far people agree takes a while to work out: it is fetched when somebody looks, from the page of everybody's results.
const agreement = find("#agreement");
if (agreement) {
  new IntersectionObserver(async ([seen], watch) => {
    if (!seen.isIntersecting || find("#agreement").dataset.wanted !== "true") return;
    watch.disconnect();
    find("#agreement").textContent = "Computing agreement …";
    const reply = await fetch(`${data.base}/result`, { credentials: "same-origin" }).catch(() => null);
    if (!reply?.ok) { find("#agreement").textContent = "Agreement could not be computed now; see the results."; return; }
    const part = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("[aria-labelledby=agree]");
    find("#agreement").replaceChildren(...(part?.children ?? ["Too few answers yet for agreement."]));
    show();
  }, { rootMargin: "200px" }).observe(agreement);
}

// refresh exchanges what has changed.
async function refresh(more = []) {
  const reply = await fetch(location.href, { credentials: "same-origin" });
  if (!reply.ok) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  for (const id of ["standing", "board", "raters", "ways", "report-about", "changes", ...more]) {
    const [old, next] = [document.getElementById(id), page.getElementById(id)];
    if (!old || !next || old.outerHTML === next.outerHTML) continue;
    const [boxes, focus] = [[...old.querySelectorAll(".handout")], document.activeElement];
    const open = [...old.querySelectorAll("details")].map((d) => d.open);
    next.querySelectorAll("details").forEach((d, i) => { d.open = open[i] ?? d.open; });
    old.replaceWith(next);
    boxes.forEach(place);
    if (boxes.some((box) => box.contains(focus))) focus.focus();
  }
  const people = document.querySelectorAll("#board li").length;
  find("#crowd").hidden = !people;
  if (find("#agreement")) find("#agreement").dataset.wanted = String(people > 1);
  show();
}

const show = () => {
  drawAll(data);
  paint();
  for (const at of document.querySelectorAll(".changes time")) at.textContent = new Date(at.dateTime).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
};
show();

// New answers refresh the board, not more often than every two seconds, and where that takes the server long five times as long.
let due = 0;
let rest = 2000;
const stream = new EventSource(`${root}${study(data.study)}/events`);
stream.addEventListener("changed", () => {
  due ||= setTimeout(async () => {
    due = 0; // what changes from now on is seen the next time
    const began = performance.now();
    await refresh().catch(() => {});
    rest = Math.max(2000, 5 * (performance.now() - began));
  }, rest);
});
