// What an option looks like. Names, numbers and hints of who leads are left out on purpose: people answer what
// they see.
import { local, place, send } from "./transport.js";
import { make } from "./element.js";
import { t } from "./language.js";
import { player } from "./player.js";
import { pretty, values } from "./values.js";

const query = (option) => {
  const q = new URLSearchParams();
  if (option.item) q.set("item", option.item.id);
  for (const [name, value] of Object.entries(option.params ?? {})) q.set(name, String(value));
  return q;
};

const sound = /\.(mp3|wav|ogg|oga|opus|m4a|flac|aac)$/i;
const film = /\.(mp4|webm|mov|m4v|ogv)$/i;
const picture = /\.(png|jpe?g|gif|webp|avif|svg|bmp)$/i;
const words = /\.(md|markdown|txt)$/i;

function kindOf(media) {
  const [type] = (media.type ?? "").split("/");
  if (["image", "audio", "video", "text"].includes(type)) return type;
  const path = media.url.split(/[?#]/)[0];
  if (picture.test(path)) return "image";
  if (sound.test(path)) return "audio";
  if (film.test(path)) return "video";
  return words.test(path) ? "text" : "";
}

// lookOf reads how options of a study look from what the main part of its page says.
export const lookOf = (data) => ({
  base: data.base, template: data.template, size: (data.size || "640x480").split("x").map(Number), texts: data.texts, markdown: data.markdown === "true",
  token: document.documentElement.dataset.token, params: JSON.parse(data.params || "[]"), terms: JSON.parse(data.terms || "{}"),
});

// source says what an option is shown as, and from where.
function source(option, look) {
  const at = (what) => `${look.base}/${what}?${query(option)}`;
  if (look.template) return { kind: ["svg", "image"].includes(look.template) ? "image" : "page", url: at("draw") };
  const media = option.media ?? (option.item?.media ? { url: option.item.media } : null);
  const kind = media?.url ? kindOf(media) : "";
  if (kind === "image" && look.small && media.url.includes("/m/") && local(media.url)) return { kind, url: `${media.url}${media.url.includes("?") ? "&" : "?"}small=1` };
  if (kind) return { kind, url: kind === "text" ? at("text") : media.url };
  if (option.item && look.markdown) return { kind: "text", url: at("text") };
  return { kind: option.item ? "words" : "values" };
}

// describe says in words what an option is, for people who cannot see it: its text, else the values it is drawn from.
function describe(option, label, look) {
  const words = [option.item?.text, ...Object.entries(option.params ?? {}).map(([name, value]) => `${look.terms?.[name] ?? name} ${pretty(value, look.terms)}`)].filter(Boolean).join(", ");
  return words ? t("card.described", { label, words }) : label;
}

// draw returns a drawing: node, the element; kind; live, whether it takes clicks itself; ready, a promise that it can be painted; lost, one that it
// cannot be loaded; url, where it is from, if from anywhere; ratio(), its width by its height, 0 if it has none; call(label), which names it for people who cannot see it.
export function draw(option, label, look) {
  const from = source(option, look);
  const drawing = wings.get(from.url) ?? fresh(from, option, look);
  wings.delete(from.url);
  drawing.call?.(describe(option, label, look));
  const all = { ready: Promise.resolve(), live: false, ratio: () => 0, ...drawing, ...from };
  if (!option.item || !option.params || look.template) return all;
  return { ...all, node: make("div", { className: "crossed" }, drawing.node, values(option.params, look.params, look.terms)) }; // an item, and beneath it what it is set to
}

function fresh({ kind, url }, option, look) {
  switch (kind) {
    case "image": return image(url);
    case "page": return page(url, look);
    case "audio": case "video": return player(kind, url, option.item?.id);
    case "text": return fragment(url, look);
    case "words": return { node: make("div", { className: `text lines ${look.texts}`, dir: "auto", textContent: option.item.text || option.item.id }) };
  }
  return { node: values(option.params ?? {}, look.params, look.terms) };
}

// drawAll draws the options that a page names, in the look that its main part says.
export function drawAll(data, root = document) {
  const look = { ...lookOf(data), lazy: true, small: true };
  for (const box of root.querySelectorAll("[data-option]")) box.replaceChildren(draw(JSON.parse(box.dataset.option), box.dataset.label, look).node);
}

// A picture that fails is tried once more before it is given up.
function image(url) {
  const node = make("img", { decoding: "sync", draggable: false });
  let lose, tries = 0;
  const lost = new Promise((done) => { lose = done; });
  const ready = new Promise((done) => {
    node.onload = done;
    node.onerror = () => {
      if (tries++ === 0) return setTimeout(() => place(node, url), 400);
      node.alt = t("card.picture.lost", { label: node.alt });
      lose();
      done();
    };
  });
  place(node, url);
  return { node, ready, lost, ratio: () => (node.naturalHeight ? node.naturalWidth / node.naturalHeight : 0), call: (label) => { node.alt = label; } };
}

// A page is laid out in one window, whatever the box, and the window is scaled to the box: small, it is the whole design small.
const boxes = new ResizeObserver((all) => {
  for (const { target } of all) target.style.setProperty("--scale", String(target.clientWidth / target.window));
});

function page(url, look) {
  const [width, height] = look.size;
  const live = look.template === "page";
  const frame = make("iframe", { referrerPolicy: "no-referrer", loading: look.lazy ? "lazy" : "eager" });
  frame.setAttribute("sandbox", "allow-scripts");
  if (!live) frame.tabIndex = -1;
  place(frame, url);
  const stage = make("div", { className: "stage", window: width }, frame);
  stage.style.setProperty("--width", String(width));
  stage.style.setProperty("--height", String(height));
  boxes.observe(stage);
  const ready = new Promise((done) => { frame.addEventListener("load", () => { if (frame.hasAttribute("src") || frame.hasAttribute("srcdoc")) done(); }); }); // not of the empty page before
  return { node: make("div", { className: "fit" }, stage), ready, live, ratio: () => width / height, call: (label) => { frame.title = label; } };
}

// fragment shows HTML that the server has made harmless.
function fragment(url, look) {
  const node = make("div", { className: "text long", dir: "auto", tabIndex: 0 });
  const ready = send(url, { headers: look.token ? { Authorization: `Bearer ${look.token}` } : {} }).then(async (reply) => {
    if (reply.ok) node.innerHTML = await reply.text();
    else node.replaceChildren(make("p", { textContent: t("card.text.lost") }));
  });
  return { node, ready };
}

// In the wings stand drawings that are not on yet, by address: they load, and can be brought on at once. A frame loads only where it is in the document, and
// keeps what it has loaded only where browsers can move one.
const wings = new Map();
const moves = "moveBefore" in Element.prototype;
let backstage;

function enter(drawing) {
  backstage ??= document.body.appendChild(make("div", { className: "wings", inert: true, ariaHidden: "true" }));
  backstage.append(drawing.node);
}

// prepare has the options wait in the wings that may come next, and nothing else, and returns a promise that they can be painted.
export function prepare(options, look) {
  const next = new Map(options.map((o) => [source(o, look), o]).filter(([from]) => ["image", "page", "text"].includes(from.kind)).map(([from, o]) => [from.url, [from, o]]));
  for (const [url, drawing] of wings) {
    if (next.has(url)) continue;
    drawing.node.remove();
    wings.delete(url);
  }
  for (const [url, [from, option]] of next) {
    if (wings.has(url) || from.kind === "page" && !moves) continue;
    const drawing = fresh(from, option, look);
    if (from.kind === "page") enter(drawing);
    wings.set(url, drawing);
  }
  return Promise.all([...wings.values()].map((drawing) => drawing.ready));
}

// prepares says whether options of this kind can be prepared.
export const prepares = (option, look) => ["image", "page", "text"].includes(source(option, look).kind);

// load returns a promise that a drawing can be painted, as far as that can be known before it is on.
export function load(drawing) {
  if (drawing.kind !== "page") return drawing.ready;
  if (!moves) return Promise.resolve();
  if (!drawing.node.isConnected) enter(drawing);
  return drawing.ready;
}

// bring puts a drawing into a box of the page.
export function bring(drawing, box) {
  if (moves && drawing.node.isConnected) box.moveBefore(drawing.node, null);
  else box.append(drawing.node);
}
