// Answering: one question, two cards, one key. The next pair comes with the reply to an answer and is painted
// when its pictures are decoded.
import { post, get, study, say, Refused } from "./api.js";
import { draw, hush } from "./card.js";
import { stage } from "./stage.js";
import { open } from "./take.js";

const main = document.querySelector("main");
const data = main.dataset;
const api = study(data.study);
const look = {
  base: data.base, template: data.template, markdown: data.markdown === "true", token: document.documentElement.dataset.token,
  params: JSON.parse(data.params || "[]"),
};
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
let beyond = false; // the person wants to go on after the end
let given = 0; // answers of this person; skips are none
let said = 0; // whatever was said here, less what was taken back
const graded = Number(data.grades) > 0;
let rested = 0; // answers after which the person went on from a break
let check = data.check ? { left: Number(data.check), said: [], shown: [] } : null; // the blind duels: how many more, what was said, what was seen

const rivals = data.pair && JSON.parse(data.pair); // the pick, and what the owner puts against it

const near = (a, b) => a === b || (typeof a === "number" && Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))); // a setting goes through the model's units and back
const same = (a, b) => a && b && Object.keys(a).every((k) => near(a[k], b[k]));
const valuesOf = (o) => (o.item ? { item: o.item.id } : o.params);

function card(side, option, blind) {
  const article = document.importNode(document.querySelector("#card").content.firstElementChild, true); // a clone would belong to a document that loads nothing
  const label = side === 0 ? "Left option" : "Right option";
  article.setAttribute("aria-label", label);
  const drawing = draw(option, label, look);
  article.querySelector(".show").append(drawing.node);
  if (drawing.live) article.classList.add("live");
  const button = article.querySelector(".choose");
  button.dataset.choice = side === 0 ? "first" : "second";
  button.append("This one");
  button.setAttribute("aria-label", `This one: ${label.toLowerCase()}`);
  const key = document.createElement("kbd");
  key.textContent = side === 0 ? "←" : "→";
  key.setAttribute("aria-hidden", "true");
  button.append(key);
  const clear = article.querySelector(".clear");
  if (!graded || check || blind) clear.remove();
  else {
    clear.dataset.choice = button.dataset.choice;
    clear.dataset.strength = "1";
    clear.setAttribute("aria-label", `Clearly this one: ${label.toLowerCase()}`);
    clear.querySelector("kbd").append(key.textContent);
  }
  return { article, ...drawing };
}

// wide says whether a card is better off above the other than beside it on a narrow screen.
function wide(node) {
  if (node instanceof HTMLImageElement) return node.naturalWidth > 0.78 * node.naturalHeight;
  return !(node instanceof HTMLIFrameElement) && node.querySelectorAll(".values > div").length < 5;
}

async function show(next) {
  const cards = next.options.map((o, i) => card(i, o, next.blind));
  const first = !question;
  if (!cards.some((c) => c.late)) await Promise.race([Promise.all(cards.map((c) => c.ready)), new Promise((d) => setTimeout(d, 4000))]);
  hush();
  question = next;
  document.querySelector("#prompt").textContent = next.prompt || data.prompt;
  pair.replaceChildren(...cards.map((c) => c.article));
  pair.classList.remove("told", "flip");
  pair.classList.toggle("fresh", !first);
  pair.classList.toggle("tall", cards.every((c) => wide(c.node)));
  pair.dataset.question = next.question_id;
  pair.hidden = false;
  document.querySelector("#prompt").classList.remove("unseen");
  finish.hidden = pause.hidden = true;
  main.classList.remove("ended");
  document.querySelector("#other").hidden = false;
  status(next.status);
  const practice = document.querySelector("#practice");
  if (!practice.hidden && !next.practice) say("The practice is over. From now on it counts.");
  practice.hidden = !next.practice;
  if (next.status?.found && !given) learned.textContent = "The others have found a favourite. Your answers still count.";
  busy = false;
  since = performance.now();
  requestAnimationFrame(() => setTimeout(() => { since = performance.now(); pair.dataset.painted = String(since); })); // after the paint
}

const plural = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;
const done = (s) => Boolean(s?.verdict) && s.verdict !== "keep_going"; // there may be more kinds in time

// status shows how far it is: towards the number of answers that were agreed on, else by how many studies like this take.
function status(s) {
  if (!s) return;
  given = s.given ?? given;
  const [low, high] = s.left ?? [0, 0];
  const answers = s.answers ?? given;
  const budget = s.budget || (s.found ? given + high : 0); // of who has not had her say
  const part = budget ? Math.min(1, given / budget) : high ? answers / (answers + (low + high) / 2) : Number(done(s));
  document.querySelector("#ring").style.setProperty("--part", String(part));
  let text = given ? plural(given, "answer") : "";
  const duels = check ? check.left : s.blind_left;
  if (duels) text = `final check · ${duels} to go`;
  else if (s.practice) text = `practice · ${s.practice} to go`;
  else if (budget && given < budget) text = `${given} of ${budget}`;
  else if (!budget && high) {
    text += `${text ? " · " : ""}about ${low === high ? high : `${low} to ${high}`} ${text ? "more" : "questions"}`;
    if (s.late) text += ", longer than most";
  }
  document.querySelector("#status").textContent = text;
  document.querySelector("#undo").disabled = check ? check.said.length === 0 : given === 0 && said <= 0;
}

const over = (s, next) => !beyond && !check && done(s) && !next?.blind; // the blind duels at the end are before it

// go shows the next question, after the break that is offered before it.
function go(next) {
  const n = next.status.break ?? 0;
  if (!n || n === rested) return show(next);
  leave();
  status(next.status);
  pause.querySelector("p").textContent = `You have done ${n}${next.status.budget && given === n ? ` of ${next.status.budget}` : ""}. Everything is kept; go on when you like.`;
  pause.hidden = false;
  pause.go = () => { rested = n; return show(next); };
  pause.querySelector("button").focus();
}

// end says how it ended, as the server says it of all answers: the status may be one behind, and then it goes on.
async function end(s) {
  status(s);
  const how = await get(`${path}/ending`).catch(() => ({ done: true, headline: "Thank you", text: "" }));
  if (!how.done) return show(await ask());
  close(how);
  if (data.complete) {
    const link = finish.querySelector("#complete");
    if (link) location.assign(link.href);
  }
}

// leave takes the pair away.
function leave() {
  hush();
  pair.hidden = true;
  document.querySelector("#prompt").classList.add("unseen");
  document.querySelector("#other").hidden = document.querySelector("#practice").hidden = true;
  learned.textContent = "";
  question = null;
  delete pair.dataset.question;
  busy = false;
}

let away = null; // what can be taken away

// close puts an ending in place of the pair.
function close({ headline, text, more = "", pick, take }) {
  leave();
  away = take;
  document.querySelector("#finish-title").textContent = headline;
  document.querySelector("#finish-text").textContent = text;
  document.querySelector("#finish-more").textContent = more;
  for (const offer of finish.querySelectorAll("[data-do=away], #blind")) offer.hidden = !take;
  finish.classList.toggle("none", !pick);
  main.classList.add("ended");
  if (pick) stage(document.querySelector("#finish-pick"), pick, "The pick", look);
  finish.hidden = false;
  finish.querySelector("h1, h2").focus();
}

async function ask() {
  const body = { rater: data.rater };
  if (check) body.blind = true;
  if (fixed) body.fixed = fixed;
  const q = await post(`${api}/ask`, body, { onLost: lost });
  if (check) check.shown.push(...q.options);
  return q;
}

const lost = () => say("The connection is gone. Your answer is kept here and sent as soon as it is back.");

// clearly is how strong a preference is that was given with a key or a click: Shift makes it clear, where the study has grades.
// The final check only counts who won.
const clearly = (e) => Number(e.shiftKey && graded && !check && !question?.blind);

// own tells the duel that the owner wanted, the pick against one of hers, and goes back to the result.
async function own(choice, asked, down) {
  const back = `${data.base}/result#try-title`;
  if (choice === "skip") return location.assign(back);
  const [first, second] = asked.options.map(valuesOf);
  const [winner, loser] = choice === "second" ? [second, first] : [first, second];
  const { rater, rt_ms, key } = body(choice, asked, down);
  try {
    await post(`${api}/tell`, { rater, rt_ms, key, session, winner, loser, ...(choice === "tie" && { tie: true }) }, { onLost: lost });
    location.assign(back);
  } catch (e) {
    busy = false;
    pair.classList.remove("told");
    say(e.message);
  }
}

async function tell(choice, strength = 0) {
  if (busy || !question) return;
  busy = true;
  const asked = question;
  const down = performance.now();
  const won = { first: 0, second: 1 }[choice];
  pair.classList.add("told");
  if (won !== undefined) pair.children[won].classList.add("won");
  if (strength) pair.children[won].classList.add("clearly");
  if (rivals) return own(choice, asked, down);
  if (check) return told(choice, asked, down);
  try {
    const reply = await post(`${api}/tell?next=1`, { ...body(choice, asked, down), ...(strength && { strength }) }, { onLost: lost });
    said++;
    const before = given;
    if (over(reply.status, reply.next)) return await end(reply.status);
    await go(reply.next ?? await ask());
    if (!question) return; // a break
    say(`Question ${said + 1}.`, { toast: false });
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
    const reply = await post(`${api}/tell`, body(choice, asked, down), { onLost: lost });
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
  close({ ...how, headline: "The check is over", text: held(c), more: "" });
  check = null;
  document.querySelector("#status").textContent = "nothing was learned from this";
  document.querySelector("#undo").disabled = true;
  if (!seen || !how.pick) return;
  const take = document.querySelector("#take");
  take.dataset.option = JSON.stringify(valuesOf(how.pick));
  take.hidden = false;
}

function held(c) {
  const times = (n) => (n === 1 ? "once" : `${n} times`);
  const ties = c.tied ? `, and had no preference in ${c.tied}` : "";
  switch (c.kind) {
    case "unchecked": return "Nothing was compared, so nothing is known.";
    case "holds": return `You took it ${times(c.won)} out of ${c.of}${ties}, without knowing. It holds.`;
    case "fails": return `You preferred something else ${times(c.lost)} out of ${c.of}. It does not hold; more answers will look for something better.`;
  }
  return c.won === c.of ? `You took it ${times(c.won)} out of ${c.of}, without knowing. So few can still be luck.`
    : `You took it ${times(c.won)} out of ${c.of}${ties}. A close call; a few more answers may settle it.`;
}

async function take(yes) {
  const box = document.querySelector("#take");
  try {
    await post(`${api}/take`, { rater: data.rater, take: yes, option: JSON.parse(box.dataset.option) });
    box.hidden = true;
    say("Thank you, that is kept.");
  } catch (e) {
    say(e.message);
  }
}

function failed(e) {
  busy = false;
  pair.classList.remove("told");
  for (const c of pair.children) c.classList.remove("won", "clearly");
  if (e instanceof Refused && (e.status === 404 || e.status === 409 || e.type === "urn:prefer:key")) { // answered in another window or before, or taken back
    say("This question has moved on; here is the current one.");
    return ask().then(show).catch((again) => say(again.message));
  }
  say(e.message);
}

async function undo() {
  if (busy) return;
  if (document.querySelector("#undo").disabled) return say("There is nothing to take back.");
  busy = true;
  try {
    await post(`${api}/undo`, { rater: data.rater });
    said--;
    learned.textContent = "";
    if (check && check.said.pop() !== "skip") check.left++;
    await show(await ask());
    say("Taken back. The question is open again.");
  } catch (e) {
    busy = false;
    say(e instanceof Refused && e.status === 404 ? "There is nothing to take back." : e.message);
  }
}

async function learn() {
  const found = await get(`${path}/learned`).catch(() => null);
  if (!found?.sentences?.length) return;
  learned.textContent = `So far: ${found.sentences[0]}.`;
}

function flip() {
  if (!question) return;
  const cards = [...pair.children];
  if (!pair.classList.contains("flip")) {
    pair.classList.add("flip");
    cards[1].classList.add("under");
    return say("Left", { toast: false });
  }
  for (const c of cards) c.classList.toggle("under");
  say(cards[0].classList.contains("under") ? "Right" : "Left", { toast: false });
}

const unflip = () => { pair.classList.remove("flip"); for (const c of pair.children) c.classList.remove("under"); };
const help = document.querySelector("#help");
const listen = (side) => pair.children[side]?.querySelector(".player")?.toggle();
const keys = {
  ArrowLeft: (e) => tell("first", clearly(e)), ArrowRight: (e) => tell("second", clearly(e)), ArrowDown: () => data.forced !== "true" && tell("tie"),
  z: undo, Backspace: undo, f: flip, Escape: unflip,
  1: () => listen(0), 2: () => listen(1), "?": () => help.showModal(),
};
for (const b of document.querySelectorAll("#other [data-key]")) keys[b.dataset.key] = () => tell(b.dataset.choice);

let wrong = 0; // keys in a row that mean nothing
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.repeat || document.querySelector("dialog[open]")) return;
  if (/^(input|textarea|select)$/i.test(e.target.tagName)) return;
  const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
  wrong = act || e.key.length > 1 ? 0 : wrong + 1; // Tab, Shift and their like are no mistakes
  if (wrong === 3) say("← and → choose; ? shows all keys.");
  if (!act) return;
  e.preventDefault();
  act(e);
});
document.addEventListener("click", (e) => {
  const button = e.target.closest("[data-choice], [data-do]");
  if (!button) return;
  if (button.closest(".card")) return tell(button.dataset.choice, Number(button.dataset.strength) || clearly(e));
  if (button.dataset.choice) return tell(button.dataset.choice);
  ({ undo, flip, help: () => help.showModal(), close: () => help.close(), more: () => { beyond = true; start(); }, go: () => pause.go(), away: () => open(away, look), yes: () => take(true), no: () => take(false) })[button.dataset.do]?.();
});

async function start() {
  try {
    document.querySelector("#take").hidden = true;
    if (data.skip) { // of another situation, where she no longer is
      await post(`${api}/tell`, { question_id: data.skip, rater: data.rater, choice: "skip" }).catch(() => {});
      delete data.skip;
    }
    if (rivals) {
      if (Math.random() < 0.5) rivals.reverse();
      await show({ question_id: "own", options: rivals });
      document.querySelector("#status").textContent = "the best so far, and yours";
      document.querySelector("#undo").disabled = true;
      return;
    }
    const q = await ask();
    if (over(q.status, q)) return await end(q.status);
    await go(q);
  } catch (e) {
    if (check && e instanceof Refused && e.status === 409 && await found().then(() => true, () => false)) return; // all was compared before
    pair.replaceChildren(Object.assign(document.createElement("p"), { className: "waiting", textContent: e.message }));
    say(e.message, { toast: false });
  }
}

// Pictures of a short list are fetched while the person looks, slowly enough not to be in the way.
async function preload(addresses) {
  for (const address of addresses) {
    new Image().src = address;
    await new Promise((next) => setTimeout(next, 120));
  }
}

if (data.beyond === "true") beyond = true;
start().then(() => preload(JSON.parse(data.preload || "[]")));
