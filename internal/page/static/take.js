// Taking the pick away: one dialog with all that can be made of it, values, colours, files, an address, a picture to share.
import { copy, say } from "./api.js";
import { coloursOf, colourOf, notations, rgbOf } from "./colour.js";
import { place, send } from "./transport.js";
import { make } from "./element.js";
import { t } from "./language.js";
import { picture } from "./share.js";

const plain = (text) => text.normalize("NFKD").replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "");

// css writes values as custom properties, with the unit that the template has behind them; words are in quotes unless they can be a name.
const css = (values, units = {}) => Object.entries(values).map(([name, v]) => `--${plain(name) || "value"}: ${typeof v === "string" && !/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(v) ? JSON.stringify(v) : v}${units[name] ?? ""};`).join("\n");

function save(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// button does something and says for a while that it is done; a copy that was refused has said so itself.
function button(text, done, act, props = {}) {
  const b = make("button", { type: "button", textContent: text, ...props });
  b.addEventListener("click", async () => {
    try {
      if (await act() === false) return;
      b.textContent = done;
      b.closest("dialog").querySelector("[role=status]").textContent = done;
      setTimeout(() => { b.textContent = text; }, 2500);
    } catch (e) {
      b.closest("dialog").querySelector("[role=status]").textContent = e.message;
      say(e.message);
    }
  });
  return b;
}

const copying = (label, text, props) => button(label, t("take.copied"), () => copy(typeof text === "function" ? text() : text), props);
const saving = (label, blob, name) => button(label, t("take.saved"), async () => save(await blob(), name));
const part = (title, ...children) => make("section", { className: "way" }, make("h3", { textContent: title }), ...children.filter(Boolean));
const row = (...children) => make("div", { className: "row" }, ...children.filter(Boolean));

// loaded is the drawing of the pick as an image, once it is there.
async function loaded(url) {
  const image = make("img");
  await place(image, url);
  await image.decode();
  return image;
}

// png paints a drawing at twice its size, and no smaller than 1600 pixels: it has no pixels of its own.
async function png(image) {
  const scale = Math.max(2, 1600 / Math.max(image.naturalWidth, image.naturalHeight));
  const canvas = make("canvas", { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return blobOf(canvas);
}

const blobOf = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));

function colours(list) {
  let as = "hex";
  const write = (rgb) => notations[as](rgb);
  const swatches = list.map((rgb) => {
    const b = copying(write(rgb), () => write(rgb), { className: "tint" });
    b.rgb = rgb;
    b.style.setProperty("--chip", notations.hex(rgb));
    return b;
  });
  const name = make("select", {}, ...Object.keys(notations).map((n) => make("option", { textContent: n })));
  name.setAttribute("aria-label", t("take.notation"));
  name.addEventListener("change", () => { as = name.value; for (const b of swatches) b.textContent = write(b.rgb); });
  const all = () => list.map(write).join("\n");
  return part(list.length > 1 ? t("take.colours") : t("take.colour"), make("div", { className: "tints", dir: "ltr" }, ...swatches),
    row(name, list.length > 1 && copying(t("take.copy.all"), all), list.length > 1 && copying(t("take.copy.css"), () => list.map((rgb, i) => `--colour-${i + 1}: ${write(rgb)};`).join("\n"))));
}

function values(take, look) {
  const rounded = Object.fromEntries(look.params.map((p) => [p.name, take.rounded[p.name]]));
  const text = css(rounded, take.units);
  if (take.as.item) rounded.item = take.as.item.id;
  return part(t("take.values"), make("pre", { textContent: text, tabIndex: 0, dir: "ltr" }),
    row(copying(t("take.copy.css"), text), copying(t("take.copy.json"), JSON.stringify(rounded)),
      saving(t("take.digits"), () => new Blob([`${JSON.stringify(take.option, null, 2)}\n`], { type: "application/json" }), `${take.name}.json`)));
}

async function drawn(take, look) {
  const at = `${look.base}/draw?${new URLSearchParams(Object.entries(take.rounded).map(([k, v]) => [k, String(v)]))}`;
  const file = async () => (await send(at)).blob();
  if (look.template === "html") return [part(t("take.page"), row(saving("HTML", file, `${take.name}.html`)))];
  const image = await loaded(at);
  const list = coloursOf(image);
  return [list.length && colours(list), part(t("take.drawing"), row(saving("SVG", file, `${take.name}.svg`), saving("PNG", () => png(image), `${take.name}.png`)))];
}

async function shared(take, look) {
  const canvas = await picture(take, look);
  if (!canvas) return null;
  canvas.className = "postcard";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", t("take.picture.says", { line: take.line }));
  const blob = await blobOf(canvas);
  const name = `${take.name}-favourite.png`;
  const files = [new File([blob], name, { type: "image/png" })];
  const share = () => navigator.share({ files, text: take.question }).catch((e) => { if (e.name !== "AbortError") throw e; return false; });
  const way = part(t("take.picture"), canvas, row(saving(t("take.picture.save"), () => blob, name), navigator.canShare?.({ files }) && button(t("take.share"), t("take.shared"), share)));
  way.classList.add("sharing");
  return way;
}

// open shows what can be taken of a pick.
export async function open(take, look) {
  const body = make("div", { className: "offers" });
  const status = make("p", { className: "unseen" });
  status.setAttribute("role", "status");
  const title = make("h2", { id: "take-title", textContent: t("take.it"), tabIndex: -1 });
  const dialog = make("dialog", { className: "taking" }, make("div", { className: "row spread" }, title, make("button", { type: "button", className: "plain", textContent: t("take.close"), onclick: () => dialog.close() })), body, status);
  dialog.setAttribute("aria-labelledby", "take-title");
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  title.focus();
  const params = take.as.params;
  const media = take.as.media;
  if (take.address) body.append(part(t("take.address"), make("pre", { textContent: take.address, tabIndex: 0, dir: "ltr" }), row(copying(t("take.copy"), take.address), make("a", { className: "button", href: take.address, target: "_blank", rel: "noreferrer", textContent: t("take.open") }))));
  if (media?.url && !look.template) body.append(part(t("take.file"), row(make("a", { className: "button", href: media.url, download: take.file, textContent: t("take.save", { name: take.file }) }), copying(t("take.copy.name"), take.file))));
  if (take.text) body.append(part(t("take.text"), make("pre", { className: "words", dir: "auto", textContent: take.text, tabIndex: 0 }), row(copying(t("take.copy"), take.text))));
  if (look.template === "svg" || look.template === "html") body.append(...(await drawn(take, look).catch(() => [])).filter(Boolean));
  if (params && !look.template && colourOf(params)) body.append(colours([rgbOf(colourOf(params))]));
  if (params) body.append(values(take, look));
  else if (!media && !take.text) body.append(part(t("take.name"), make("pre", { textContent: take.option.item, tabIndex: 0 }), row(copying(t("take.copy"), take.option.item))));
  const picture = await shared(take, look).catch(() => null);
  if (picture) body.append(picture);
  dialog.dataset.ready = "true";
}
