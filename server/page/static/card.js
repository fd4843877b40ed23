// What an option looks like. Names, numbers and hints of who leads are left out on purpose: people answer what
// they see.
import { t } from "./language.js";

const make = (tag, props = {}, ...children) => {
  const el = Object.assign(document.createElement(tag), props);
  el.append(...children);
  return el;
};

const query = (option) => {
  const q = new URLSearchParams();
  if (option.item) q.set("item", option.item.id);
  else for (const [name, value] of Object.entries(option.params ?? {})) q.set(name, String(value));
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
  token: document.documentElement.dataset.token, params: JSON.parse(data.params || "[]"),
});

// describe says in words what an option is to who cannot see it: its text, else the values it is drawn from.
function describe(option, label) {
  const words = option.item ? option.item.text : Object.entries(option.params ?? {}).map(([name, value]) => `${name} ${pretty(value)}`).join(", ");
  return words ? `${label}: ${words}` : label;
}

// draw returns { node, ready, live }: the element, a promise that it can be painted, and whether it takes clicks.
export function draw(option, label, look) {
  const at = `${look.base}/draw?${query(option)}`;
  switch (look.template) {
    case "svg":
    case "image":
      return image(at, describe(option, label));
    case "html":
    case "page":
      return frame(at, describe(option, label), look);
  }
  const media = option.media ?? (option.item?.media ? { url: option.item.media } : null);
  if (media?.url) {
    switch (kindOf(media)) {
      case "image": return image(media.url, describe(option, label));
      case "audio": return audio(media.url, label);
      case "video": return video(media.url, label);
      case "text": return fragment(`${look.base}/text?${query(option)}`, look);
    }
  }
  if (option.item) {
    if (look.markdown) return fragment(`${look.base}/text?${query(option)}`, look);
    return now(make("div", { className: `text lines ${look.texts}`, dir: "auto", textContent: option.item.text || option.item.id }));
  }
  return now(values(option.params ?? {}, look.params));
}

// drawAll draws the options that a page names, in the look that its main part says.
export function drawAll(data, root = document) {
  const look = { ...lookOf(data), lazy: true };
  for (const box of root.querySelectorAll("[data-option]")) box.replaceChildren(draw(JSON.parse(box.dataset.option), box.dataset.label, look).node);
}

const now = (node) => ({ node, ready: Promise.resolve(), live: false });

function image(url, alt) {
  const node = make("img", { alt, decoding: "sync", draggable: false });
  const ready = new Promise((done) => {
    node.onload = done;
    node.onerror = () => { node.alt = t("card.picture.lost", { label: alt }); done(); };
  });
  node.src = url;
  return { node, ready, live: false };
}

// A page is laid out in one window, whatever the box, and the window is scaled to the box: small, it is the whole design small.
const scale = (stage) => stage.style.setProperty("--scale", String(stage.clientWidth / stage.window));
const boxes = new ResizeObserver((all) => { for (const { target } of all) scale(target); });

function frame(url, title, look) {
  const [width, height] = look.size;
  const live = look.template === "page";
  const page = make("iframe", { title, referrerPolicy: "no-referrer", loading: look.lazy ? "lazy" : "eager" });
  page.setAttribute("sandbox", "allow-scripts");
  if (!live) page.tabIndex = -1;
  page.src = url;
  const stage = make("div", { className: "stage", window: width }, page);
  stage.style.setProperty("--width", String(width));
  stage.style.setProperty("--height", String(height));
  boxes.observe(stage);
  const ready = new Promise((done) => { page.addEventListener("load", done, { once: true }); setTimeout(done, 1500); });
  return { node: make("div", { className: "fit" }, stage), ready, live, late: true };
}

function video(url, label) {
  const node = make("video", { src: url, controls: true, loop: true, muted: true, playsInline: true, preload: "auto" });
  node.setAttribute("aria-label", label);
  return { node, ready: Promise.resolve(), live: true };
}

async function fetchText(url, look) {
  const reply = await fetch(url, { credentials: "same-origin", headers: look.token ? { Authorization: `Bearer ${look.token}` } : {} });
  return reply.ok ? reply.text() : Object.assign(document.createElement("p"), { textContent: t("card.text.lost") }).outerHTML;
}

// fragment shows HTML that the server has made harmless.
function fragment(url, look) {
  const node = make("div", { className: "text long", dir: "auto", tabIndex: 0 });
  return { node, ready: fetchText(url, look).then((html) => { node.innerHTML = html; }), live: false };
}

// Two players share one position: switching goes on where the other was, and only one is heard.
const players = new Set();
const icon = (d) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", d);
  svg.append(path);
  return svg;
};

function audio(url, label) {
  const track = make("audio", { src: url, preload: "auto", loop: true });
  const button = make("button", { type: "button" });
  const bar = make("progress", { max: 1, value: 0 });
  bar.setAttribute("aria-label", t("card.position", { label }));
  const paint = () => {
    button.replaceChildren(icon(track.paused ? "M8 5v14l11-7z" : "M7 5h4v14H7zM13 5h4v14h-4z"));
    button.setAttribute("aria-label", track.paused ? t("card.play", { label }) : t("card.pause", { label }));
  };
  const player = {
    track,
    toggle() {
      if (!track.paused) return track.pause();
      for (const other of players) {
        if (other.track === track || !other.track.isConnected) continue;
        if (other.track.currentTime > 0 && other.track.currentTime < (track.duration || Infinity)) track.currentTime = other.track.currentTime;
        other.track.pause();
      }
      track.play().catch(() => {});
    },
  };
  players.add(player);
  button.addEventListener("click", player.toggle);
  for (const event of ["play", "pause"]) track.addEventListener(event, paint);
  track.addEventListener("timeupdate", () => { if (track.duration) bar.value = track.currentTime / track.duration; });
  paint();
  const node = make("div", { className: "player" }, button, bar, track);
  node.toggle = player.toggle;
  return { node, ready: Promise.resolve(), live: true };
}

// hush stops what plays in the page; players that are not in it yet are left alone.
export function hush() {
  for (const p of players) {
    if (!p.track.isConnected) continue;
    p.track.pause();
    players.delete(p);
  }
}

const pretty = (v) => (typeof v === "number" ? (Math.abs(v) >= 100 || Number.isInteger(v) ? String(Math.round(v)) : v.toPrecision(3)) : v === true ? t("card.yes") : v === false ? t("card.no") : String(v));

// values draws a setting itself: a colour if it describes one, a bar for every number.
export function values(params, space = []) {
  const box = make("div", { className: "stack" });
  box.style.width = "100%";
  box.style.justifyItems = "center";
  const { hue, lightness, chroma, saturation } = params;
  if (typeof hue === "number" && typeof lightness === "number") {
    const swatch = make("div", { className: "swatch" });
    const part = lightness > 1 ? lightness / 100 : lightness;
    swatch.style.background = typeof chroma === "number" ? `oklch(${part} ${chroma} ${hue})`
      : `hsl(${hue} ${typeof saturation === "number" ? (saturation > 1 ? saturation : saturation * 100) : 60}% ${part * 100}%)`;
    swatch.setAttribute("role", "img");
    swatch.setAttribute("aria-label", t("card.colour", { hue: pretty(hue), lightness: pretty(lightness) }));
    box.append(swatch);
    if (Object.keys(params).every((k) => ["hue", "lightness", "chroma", "saturation"].includes(k))) return box;
  }
  const list = make("dl", { className: "values" });
  const order = space.length ? space.map((p) => p.name).filter((n) => n in params) : Object.keys(params);
  for (const name of order) {
    const value = params[name];
    const p = space.find((s) => s.name === name) ?? {};
    const line = make("div", {}, make("dt", { textContent: name, dir: "auto" }), make("dd", { textContent: pretty(value), dir: "auto" }));
    if (typeof value === "number" && p.high > p.low) {
      const fill = make("i");
      const part = p.log ? Math.log(value / p.low) / Math.log(p.high / p.low) : (value - p.low) / (p.high - p.low);
      fill.style.setProperty("--part", String(part));
      line.append(make("dd", { className: "bar" }, fill));
    } else if (p.choices || typeof value === "boolean") {
      const pips = make("dd", { className: "pips" });
      for (const c of p.choices ?? [false, true]) pips.append(make("i", { className: c === value ? "on" : "" }));
      line.append(pips);
    }
    list.append(line);
  }
  box.append(list);
  return box;
}
