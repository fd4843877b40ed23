// What an option of a template will look like, before there is a study. A drawing is an image; a page is shown by the stage, a frame with an origin of its own.
import { values as draw } from "./values.js";

const root = document.documentElement.dataset.root ?? "";
const place = /\{\{\s*([^{}]+?)\s*\}\}/g;
const marks = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;" };
export const escapeHTML = (text) => text.replace(/[&<>'"]/g, (c) => marks[c]);
const escapeQuery = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll("%20", "+");
const elsewhere = (kind) => kind === "page" || kind === "image";

// fill puts values into a template as the server does; what has none stays a place. Of a value that is null the place gets another name.
export function fill(template, value) {
  const escape = elsewhere(template.kind) ? escapeQuery : escapeHTML;
  return template.text.replace(place, (whole, name) => {
    const v = value(name);
    return v === undefined ? whole : v?.place ? `{{${v.place}}}` : escape(String(v));
  });
}

// Preview draws into a box. found is told what an address of which nobody knows turns out to be, "page" or "image"; failed, that a picture did not come.
export class Preview {
  #box; #found; #failed; #stage; #origin; #ready = false; #waiting; #width = 640;

  constructor(box, { found, failed }) {
    this.#box = box;
    this.#found = found;
    this.#failed = failed;
    addEventListener("message", (e) => {
      if (!this.#stage || e.source !== this.#stage.contentWindow) return;
      if (e.data?.ready) {
        this.#ready = true;
        if (this.#waiting) this.#send(this.#waiting);
      }
      if (e.data?.kind === "page" || e.data?.kind === "image") this.#found(e.data.kind);
      if (e.data?.failed) this.#failed();
      if (e.data?.drawn) this.#box.dataset.drawn = String(Number(this.#box.dataset.drawn ?? 0) + 1);
    });
    new ResizeObserver(() => this.#scale()).observe(box);
  }

  // window is that in which a page is laid out, in CSS pixels; it is shown scaled to the box.
  window(width = 640, height = 480) {
    this.#box.style.setProperty("--width", String(width));
    this.#box.style.setProperty("--height", String(height));
    this.#width = width;
    this.#scale();
  }

  #scale() { this.#box.style.setProperty("--scale", String(this.#box.clientWidth / this.#width)); }

  // show draws a template, or without one the values themselves. kind "" of an address has the stage find out.
  show(template, params, space) {
    this.#box.setAttribute("aria-label", `Preview: ${Object.entries(params).map(([n, v]) => `${n} ${v}`).join(", ") || "nothing varies yet"}`);
    if (!template) {
      this.#drop();
      const blank = !Object.keys(params).length;
      this.#box.classList.toggle("blank", blank);
      this.#box.replaceChildren(blank ? Object.assign(document.createElement("p"), { className: "soft", textContent: "What people will see appears here as soon as a parameter has a name." }) : draw(params, space));
      return;
    }
    this.#box.classList.remove("blank");
    const text = fill(template, (name) => params[name]);
    if (template.kind === "svg") {
      this.#drop();
      const image = new Image();
      image.alt = "";
      image.onload = () => { if (this.#box.dataset.last === text) this.#box.replaceChildren(image); this.#box.dataset.drawn = String(Number(this.#box.dataset.drawn ?? 0) + 1); };
      image.onerror = () => this.#failed();
      this.#box.dataset.last = text;
      image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
      return;
    }
    let origin = "";
    if (template.kind !== "html") {
      try { origin = new URL(text).origin; } catch { return this.#failed(); }
    }
    this.#open(origin);
    const what = template.kind === "html" ? { html: text } : { address: text, kind: template.known ? template.kind : "" };
    this.#waiting = what;
    if (this.#ready) this.#send(what);
  }

  #send(what) { this.#stage.contentWindow.postMessage(what, "*"); }

  #drop() {
    this.#stage?.remove();
    this.#stage = this.#origin = this.#waiting = undefined;
  }

  #open(origin) {
    delete this.#box.dataset.last;
    if (this.#stage && this.#origin === origin) return;
    this.#drop();
    this.#ready = false;
    this.#origin = origin;
    const stage = document.createElement("iframe");
    stage.title = "Preview";
    stage.tabIndex = -1;
    stage.setAttribute("sandbox", "allow-scripts");
    stage.src = `${root}/start/stage${origin ? `?origin=${encodeURIComponent(origin)}` : ""}`;
    this.#stage = stage;
    this.#box.replaceChildren(stage);
  }
}
