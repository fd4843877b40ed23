// Answering: one question, two cards, one key. The next pair comes with the reply to an answer and is painted
// when its pictures are decoded.
import { make } from "./element.js";
import { call, post, get, study, say, again, Refused } from "./api.js";
import { bring, draw, load, lookOf, prepare, prepares } from "./card.js";
import { ended, finish as depart, go as navigate, leaves, place, reload } from "./transport.js";
import { t } from "./language.js";
import { arrange } from "./layout.js";
import { both, enlarge, flip } from "./lens.js";
import { hush } from "./player.js";
import { stage } from "./scene.js";
import { open } from "./take.js";

const main = document.querySelector("main");
const data = main.dataset;
const api = study(data.study);
const look = lookOf(data);
const path = data.base.slice((document.documentElement.dataset.root ?? "").length); // of this study's pages
const pair = document.querySelector("#pair");
const finish = document.querySelector("#finish");
const pause = document.querySelector("#break");
const learned = document.querySelector("#learned");
const fixed = data.fixed && JSON.parse(data.fixed); // what all options have: the situation, above all
const session = data.session || crypto.randomUUID?.() || String(Math.random()).slice(2);

let question = null; // on the screen
let since = 0; // when it was painted
let busy = false;
let goal = 0; // the number of answers at which a person who asked for more comes to an end again
let given = 0; // answers of this person, without skips
let said = 0; // whatever was said here, less what was taken back
const graded = Number(data.grades) > 0;
let rested = 0; // answers after which the person went on from a break
let check = data.check ? { left: Number(data.check), said: [], shown: [] } : null; // the blind duels: how many more, what was said, what was seen

const rivals = data.pair && JSON.parse(data.pair); // the pick, and what the owner puts against it

const near = (a, b) => a === b || (typeof a === "number" && Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))); // a setting goes through the model's units and back
const same = (a, b) => a && b && Object.keys(a).every((k) => near(a[k], b[k]));
const valuesOf = (o) => (o.item ? { item: o.item.id, ...o.params } : o.params);

function card(side, option, blind) {
  const article = document.importNode(document.querySelector("#card").content.firstElementChild, true); // a clone would belong to a document that loads nothing
  const label = side === 0 ? t("answer.left") : t("answer.right");
  article.setAttribute("aria-label", label);
  const drawing = draw(option, label, look);
  drawing.ask?.(String(side + 1));
  article.classList.toggle("live", drawing.live);
  article.classList.toggle("picture", ["image", "page", "video"].includes(drawing.kind));
  const button = article.querySelector(".choose");
  button.dataset.choice = side === 0 ? "first" : "second";
  button.prepend(t("answer.this"));
  button.setAttribute("aria-label", side === 0 ? t("answer.this.left") : t("answer.this.right"));
  button.querySelector("kbd").textContent = side === 0 ? "←" : "→";
  const larger = article.querySelector(".larger");
  larger.dataset.side = String(side);
  larger.setAttribute("aria-label", side === 0 ? t("answer.larger.left") : t("answer.larger.right"));
  if (!article.classList.contains("picture")) larger.remove();
  const clear = article.querySelector(".clear");
  if (!graded || check || blind) clear.remove();
  else {
    clear.dataset.choice = button.dataset.choice;
    clear.dataset.strength = "1";
    clear.setAttribute("aria-label", side === 0 ? t("answer.clearly.left") : t("answer.clearly.right"));
    clear.querySelector("kbd").append(button.querySelector("kbd").textContent);
  }
  return { article, drawing };
}

const patience = { image: 4000, page: 1500, text: 4000 }; // how long, in milliseconds, a pair waits for what is in it

async function show(next) {
  const cards = next.options.map((o, i) => card(i, o, next.blind));
  const first = !question;
  const drawings = cards.map((c) => c.drawing);
  await Promise.race([Promise.all(drawings.map(load)), new Promise((d) => setTimeout(d, patience[drawings[0].kind] ?? 800))]);
  hush();
  both();
  hold();
  question = next;
  document.querySelector("#prompt").textContent = data.translated ? data.prompt : next.prompt || data.prompt;
  pair.replaceChildren(...cards.map((c) => c.article));
  cards.forEach((c) => bring(c.drawing, c.article.querySelector(".show")));
  pair.classList.remove("told");
  pair.classList.toggle("fresh", !first);
  pair.dataset.question = next.question_id;
  delete pair.dataset.all;
  pair.hidden = false;
  arrange(pair, drawings);
  document.querySelector("#prompt").classList.remove("unseen");
  finish.hidden = pause.hidden = true;
  main.classList.remove("ended");
  document.querySelector("#other").hidden = false;
  status(next.status);
  const practice = document.querySelector("#practice");
  if (!practice.hidden && !next.practice) say(t("answer.practice.over"));
  practice.hidden = !next.practice;
  if (next.status?.found && !given) learned.textContent = t("answer.found");
  busy = false;
  since = performance.now();
  requestAnimationFrame(() => setTimeout(() => { since = performance.now(); pair.dataset.painted = String(since); lookAhead(next); })); // after the paint
  for (const [i, d] of drawings.entries()) d.lost?.then(() => withdraw(next, i));
}

// lookAhead has ready what the next question may be about, as soon as the server has chosen that.
async function lookAhead(now) {
  if (check || !prepares(now.options[0], look)) return;
  for (let wait = 120; wait < 3000; wait *= 2) {
    await new Promise((d) => setTimeout(d, wait));
    if (question !== now || busy) return;
    const next = await call("GET", `${path}/ahead`, null, { retry: false }).catch(() => null);
    if (!next || question !== now || busy) return;
    await prepare(next.options, look);
    if (next.all && question === now) pair.dataset.all = "true";
    if (next.all) return;
  }
}

// withdraw skips a question of which something cannot be loaded, and tells the owner. Where many things are lost in a row it is not they that are at fault, and
// the pair stays until somebody says something.
let lostInRow = [];
async function withdraw(asked, side) {
  if (question !== asked || busy) return;
  await call("POST", `${path}/lost`, { question_id: asked.question_id, side }, { retry: false }).catch(() => {});
  if (question !== asked || busy) return;
  lostInRow.push(JSON.stringify(valuesOf(asked.options[side])));
  if (new Set(lostInRow).size > 3 || lostInRow.length > 12) return say(t("answer.lost.many"));
  await tell("skip");
  say(t("answer.lost.one"));
}

// heard says whether whatever plays in the pair has been played, and asks for what has not.
function heard(asked) {
  const silent = [...pair.querySelectorAll(".player")].filter((p) => !p.heard());
  if (!silent.length || known.has(asked.question_id)) {
    known.add(asked.question_id); // and need not be played again after an undo
    return true;
  }
  say(silent[0].matches(".video") ? t("answer.watch") : t("answer.listen"));
  for (const p of silent) p.animate?.([{ opacity: 1 }, { opacity: 0.4 }, { opacity: 1 }], 500);
  return false;
}
const known = new Set();

const done = (s) => Boolean(s?.verdict) && s.verdict !== "keep_going"; // there may be more kinds in time

const LONG = 30; // items: the progress through a longer list is shown, since raters cannot estimate it

// status shows how far it is: towards the number of answers that were agreed on, else by how many studies like this take.
function status(s) {
  if (!s) return;
  given = s.given ?? given;
  const [low, high] = s.left ?? [0, 0];
  const answers = s.answers ?? given;
  const budget = goal || s.budget || (s.found ? given + high : 0); // the others have found a pick, and this rater still answers
  const part = budget ? Math.min(1, given / budget) : high ? answers / (answers + (low + high) / 2) : Number(done(s));
  document.querySelector("#ring").style.setProperty("--part", String(part));
  let says = given ? [t("status.given", { n: given })] : []; // each says something by itself
  const duels = check ? check.left : s.blind_left;
  if (duels) says = [t("status.check", { n: duels })];
  else if (s.practice) says = [t("status.practice", { n: s.practice })];
  else if (budget && given < budget) says = [t("status.budget", { n: given, budget })];
  else if (!budget && high) {
    if (given) says.push(low === high ? t("status.more", { n: high }) : t("status.more.range", { low, n: high }));
    else says.push(low === high ? t("status.takes", { n: high }) : t("status.takes.range", { low, n: high }));
  }
  if (!duels && !s.practice && s.items > LONG && s.seen) says.push(t("status.seen", { seen: s.seen, n: s.items }));
  document.querySelector("#status").textContent = says.join(" · ");
  document.querySelector("#undo").disabled = check ? check.said.length === 0 : given === 0 && said <= 0;
}

const over = (s, next) => !check && !next?.blind && (goal ? (s.given ?? given) >= goal : done(s)); // the blind duels at the end are before it

// go shows the next question, after the break that is offered before it.
function go(next) {
  const n = next.status.break ?? 0;
  if (!n || n === rested) return show(next);
  leave();
  status(next.status);
  pause.querySelector("p").textContent = next.status.budget && given === n ? t("break.text.budget", { n, budget: next.status.budget }) : t("break.text", { n });
  pause.hidden = false;
  pause.go = () => { rested = n; return show(next); };
  pause.querySelector("button").focus();
}

// end says how it ended, as the server says it of all answers: the status may be one behind, and then it goes on.
async function end(s) {
  status(s);
  const how = await get(`${path}/ending`).catch(() => ({ done: true, headline: t("ending.thanks"), text: "" }));
  if (!how.done && !goal) return show(await ask());
  close(how);
  ended();
  if (data.complete && leaves) leaveIn(15);
}

// leaveIn thanks the person and goes to the completion address after some seconds, or when they press the button; they can also stay.
let leaving = 0;
function leaveIn(seconds) {
  const link = finish.querySelector("#complete");
  const note = finish.querySelector("#leaving");
  const stay = finish.querySelector("[data-do=stay]");
  const count = () => {
    note.textContent = t("ending.leaving", { where: `\u2068${new URL(link.href).host}\u2069`, n: seconds });
    if (seconds-- <= 0) { hold(); depart(link.href); }
  };
  note.hidden = stay.hidden = false;
  link.onclick = (e) => { e.preventDefault(); hold(); depart(link.href); };
  clearInterval(leaving);
  leaving = setInterval(count, 1000);
  count();
  say(note.textContent, { toast: false });
}

// hold stays on the page.
function hold() {
  clearInterval(leaving);
  for (const part of finish.querySelectorAll("#leaving, [data-do=stay]")) part.hidden = true;
}

// leave takes the pair away.
function leave() {
  hush();
  both();
  prepare([], look);
  pair.hidden = true;
  document.querySelector("#prompt").classList.add("unseen");
  document.querySelector("#other").hidden = document.querySelector("#practice").hidden = true;
  learned.textContent = "";
  question = null;
  delete pair.dataset.question;
  busy = false;
}

let taken = null; // what can be taken away

// close puts an ending in place of the pair.
function close({ headline, text, more = "", pick, besides = [], take }) {
  leave();
  taken = take;
  document.querySelector("#finish-title").textContent = headline;
  document.querySelector("#finish-text").textContent = text;
  document.querySelector("#finish-more").textContent = more;
  for (const offer of finish.querySelectorAll("[data-do=away], #blind")) offer.hidden = !take;
  document.querySelector("#others")?.toggleAttribute("hidden", Boolean(pick));
  finish.classList.toggle("none", !pick);
  main.classList.add("ended");
  const first = document.querySelector("#finish-pick");
  first.parentElement.classList.toggle("several", besides.length > 0);
  first.parentElement.replaceChildren(first, ...besides.map((option) => {
    const box = make("div", { className: "show" });
    stage(box, option, option.item.id, look);
    return box;
  }));
  if (pick) stage(first, pick, t("word.pick"), look);
  finish.hidden = false;
  finish.querySelector("h1, h2").focus();
}

async function ask() {
  const body = { rater: data.rater };
  if (check) body.blind = true;
  if (fixed) body.fixed = fixed;
  const q = await post(`${api}/ask`, body, lost);
  if (check) check.shown.push(...q.options);
  return q;
}

// A lost connection is said where it covers nothing, for as long as it is lost.
const away = document.querySelector("#away");
const lost = {
  onLost: () => {
    if (away.hidden) say(t("answer.lost"), { toast: false });
    away.hidden = false;
  },
  onBack: () => { away.hidden = true; },
};

// gone says that there is nothing more to answer: the study was deleted, paused, or is closed to this person. It reports whether that is so.
const closed = { no_study: () => t("error.gone"), token: () => t("error.gone"), no_link: () => t("error.no_link"), link_withdrawn: () => t("error.link_withdrawn"), link_expired: () => t("error.link_expired"),
  link_renewed: () => t("error.link_renewed"), forgotten: () => t("error.forgotten"), paused: () => t("error.paused") };
function gone(e) {
  const title = e instanceof Refused && closed[e.type.replace("urn:prefer:", "")];
  if (!title) return false;
  leave();
  finish.hidden = pause.hidden = true;
  document.querySelector(".foot").hidden = true;
  const box = document.querySelector("#gone");
  box.querySelector("h2").textContent = title();
  box.querySelector("p").textContent = e.message;
  box.querySelector(".row").hidden = !e.type.endsWith(":paused");
  box.hidden = false;
  box.querySelector("h2").focus();
  return true;
}

// clearly is how strong a preference is that was given with a key or a click: Shift makes it clear, where the study has grades.
// The final check only counts who won.
const clearly = (e) => Number(e.shiftKey && graded && !check && !question?.blind);

// own reports the duel of the pick against the owner’s option, and goes back to the result.
async function own(choice, asked, down) {
  const back = `${data.base}/result#try-title`;
  if (choice === "skip") return navigate(back);
  const [first, second] = asked.options.map(valuesOf);
  const [winner, loser] = choice === "second" ? [second, first] : [first, second];
  const { rater, rt_ms, key } = body(choice, asked, down);
  try {
    await post(`${api}/tell`, { rater, rt_ms, key, session, winner, loser, ...(choice === "tie" && { tie: true }) }, lost);
    navigate(back);
  } catch (e) {
    busy = false;
    pair.classList.remove("told");
    say(e.message);
  }
}

async function tell(choice, strength = 0) {
  if (busy || !question) return;
  const asked = question;
  if ({ first: 1, second: 1 }[choice] && !heard(asked)) return;
  if (choice !== "skip") lostInRow = [];
  busy = true;
  const down = performance.now();
  const won = { first: 0, second: 1 }[choice];
  pair.classList.add("told");
  if (won !== undefined) pair.children[won].classList.add("won");
  if (strength) pair.children[won].classList.add("clearly");
  if (rivals) return own(choice, asked, down);
  if (check) return told(choice, asked, down);
  try {
    const reply = await post(`${api}/tell?next=1`, { ...body(choice, asked, down), ...(strength && { strength }) }, lost);
    said++;
    const before = given;
    if (over(reply.status, reply.next)) return await end(reply.status);
    await go(reply.next ?? await ask());
    if (!question) return; // a break
    say(t("answer.question", { n: said + 1 }), { toast: false });
    if (given > before && given % 8 === 0) learn();
    else if (given % 8 === 3) learned.textContent = "";
  } catch (e) {
    failed(e);
  }
}

const body = (choice, asked, down) => ({
  question_id: asked.question_id, rater: data.rater, choice, rt_ms: Math.max(0, Math.round(down - since)), session,
  key: `${asked.question_id}-${session}-${Math.round(since)}`,
});

// told sends an answer of the final check: whether the pick is taken again without being marked.
async function told(choice, asked, down) {
  try {
    const reply = await post(`${api}/tell`, body(choice, asked, down), lost);
    check.said.push(choice);
    if (choice !== "skip") check.left--;
    if (check.left <= 0) return await found(reply.status);
    let next;
    try {
      next = await ask();
    } catch (e) {
      if (e instanceof Refused && e.status === 409) return await found(reply.status); // no rival is left
      throw e;
    }
    await show(next);
  } catch (e) {
    failed(e);
  }
}

// found says what the blind duels come to, and asks for the one thing they cannot tell.
async function found(s) {
  const c = await get(`${api}/check?${new URLSearchParams({ rater: data.rater, ...(fixed && { fixed: data.fixed }) })}`);
  const how = await get(`${path}/ending`).catch(() => ({}));
  status(s);
  const seen = check.shown.some((o) => same(c.pick, valuesOf(o)));
  close({ ...how, headline: t("check.over"), text: held(c), more: "" });
  check = null;
  document.querySelector("#status").textContent = t("check.status");
  document.querySelector("#undo").disabled = true;
  if (!seen || !how.pick) return;
  const take = document.querySelector("#take");
  take.dataset.option = JSON.stringify(valuesOf(how.pick));
  take.hidden = false;
}

function held(c) {
  const taken = { n: c.won, of: c.of, tied: c.tied };
  switch (c.kind) {
    case "unchecked": return t("check.none");
    case "holds": return c.tied ? t("check.holds.tied", taken) : t("check.holds", taken);
    case "fails": return t("check.fails", { n: c.lost, of: c.of });
  }
  if (c.won === c.of) return t("check.luck", taken);
  return c.tied ? t("check.close.tied", taken) : t("check.close", taken);
}

async function take(yes) {
  const box = document.querySelector("#take");
  try {
    await post(`${api}/take`, { rater: data.rater, take: yes, option: JSON.parse(box.dataset.option) });
    box.hidden = true;
    say(t("check.kept"));
  } catch (e) {
    say(e.message);
  }
}

function failed(e) {
  busy = false;
  if (gone(e)) return undefined;
  pair.classList.remove("told");
  for (const c of pair.children) c.classList.remove("won", "clearly");
  if (e instanceof Refused && (e.status === 404 || e.status === 409 || e.type === "urn:prefer:key")) { // answered in another window or before, or taken back
    say(t("answer.moved"));
    return ask().then(show).catch((still) => gone(still) || say(still.message));
  }
  say(e.message);
}

async function undo() {
  if (busy) return;
  if (document.querySelector("#undo").disabled) return say(t("answer.undo.none"));
  busy = true;
  try {
    await post(`${api}/undo`, { rater: data.rater });
    said--;
    learned.textContent = "";
    if (check && check.said.pop() !== "skip") check.left++;
    await show(await ask());
    say(t("answer.undone"));
  } catch (e) {
    busy = false;
    if (gone(e)) return;
    say(e instanceof Refused && e.status === 404 ? t("answer.undo.none") : e.message);
  }
}

async function learn() {
  const found = await get(`${path}/learned`).catch(() => null);
  if (!found?.sentences?.length) return;
  learned.textContent = t("answer.learned", { sentence: found.sentences[0] });
}

const help = document.querySelector("#help");
const listen = (side) => pair.children[side]?.querySelector(".player")?.toggle();
const keys = {
  ArrowLeft: (e) => tell("first", clearly(e)), ArrowRight: (e) => tell("second", clearly(e)), ArrowDown: () => data.forced !== "true" && tell("tie"),
  z: undo, Backspace: undo, f: flip, e: () => enlarge(), Escape: both,
  1: () => listen(0), 2: () => listen(1), "?": () => help.showModal(),
};
for (const b of document.querySelectorAll("#other [data-key]")) keys[b.dataset.key] = () => tell(b.dataset.choice);

let wrong = 0; // keys in a row that mean nothing
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.repeat || document.querySelector("dialog[open]")) return;
  if (/^(input|textarea|select)$/i.test(e.target.tagName)) return;
  const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
  wrong = act || e.key.length > 1 ? 0 : wrong + 1; // Tab, Shift and their like are no mistakes
  if (wrong === 3) say(t("answer.keys"));
  if (!act) return;
  e.preventDefault();
  act(e);
});
document.addEventListener("click", (e) => {
  const button = e.target.closest("[data-choice], [data-do]");
  if (!button) return;
  if (button.dataset.do === "larger") return enlarge(Number(button.dataset.side));
  if (button.closest(".card")) return tell(button.dataset.choice, Number(button.dataset.strength) || clearly(e));
  if (button.dataset.choice) return tell(button.dataset.choice);
  ({ undo, flip, both, stay: hold, help: () => help.showModal(), close: () => help.close(), more: () => { data.beyond = "10"; start(); }, go: () => pause.go(), again, reload, away: () => open(taken, look), yes: () => take(true), no: () => take(false) })[button.dataset.do]?.();
});

async function start() {
  try {
    document.querySelector("#take").hidden = true;
    if (data.skip) { // a question of a situation that no longer applies
      await post(`${api}/tell`, { question_id: data.skip, rater: data.rater, choice: "skip" }).catch(() => {});
      delete data.skip;
    }
    if (rivals) {
      if (Math.random() < 0.5) rivals.reverse();
      await show({ question_id: "own", options: rivals });
      document.querySelector("#status").textContent = t("try.status");
      document.querySelector("#undo").disabled = true;
      return;
    }
    const q = await ask();
    if (data.beyond > 0) goal = (q.status.given ?? 0) + Number(data.beyond);
    data.beyond = "0";
    if (over(q.status, q)) return await end(q.status);
    await go(q);
  } catch (e) {
    if (check && e instanceof Refused && e.status === 409 && await found().then(() => true, () => false)) return; // all was compared before
    if (gone(e)) return;
    pair.replaceChildren(Object.assign(document.createElement("p"), { className: "waiting", textContent: e.message }));
    say(e.message, { toast: false });
  }
}

// Pictures of a short list are fetched while the person looks, slowly enough not to be in the way.
async function preload(addresses) {
  for (const address of addresses) {
    place(new Image(), address);
    await new Promise((next) => setTimeout(next, 120));
  }
}

start().then(() => preload(JSON.parse(data.preload || "[]")));
