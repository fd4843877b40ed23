// Calls to the service. A call that the network lost is repeated; one that the service refused is an Error
// with its sentence.

import { send } from "./transport.js";
import { t } from "./language.js";

const root = document.documentElement.dataset.root ?? "";
const token = document.documentElement.dataset.token ?? "";

// Problems that a rater may meet while answering, in their language.
const known = {
  "urn:prefer:no_study": () => t("error.no_study.text"), "urn:prefer:token": () => t("error.gone.text"), "urn:prefer:no_link": () => t("error.no_link.text"),
  "urn:prefer:link_withdrawn": () => t("error.link_withdrawn.text"), "urn:prefer:link_expired": () => t("error.link_expired.text"),
  "urn:prefer:link_renewed": () => t("error.link_renewed.text"), "urn:prefer:forgotten": () => t("error.forgotten.text"), "urn:prefer:paused": () => t("error.paused.text"),
  "urn:prefer:too_quick": () => t("error.too_quick.text"), "urn:prefer:too_many": () => t("error.too_many.text"), "urn:prefer:too_late": () => t("error.too_late.text"),
  "urn:prefer:busy": () => t("error.busy.text"), "urn:prefer:closing": () => t("error.closing.text"), "urn:prefer:store_unavailable": () => t("error.store_unavailable.text"),
};

export class Refused extends Error {
  constructor(status, problem) {
    super(known[problem.type]?.() ?? problem.errors?.[0]?.message ?? problem.detail ?? problem.title ?? t("error.status", { n: status }));
    this.status = status;
    this.type = problem.type ?? "";
    this.errors = problem.errors ?? [];
  }
}

// pause waits before a call is repeated; wake ends that at once.
let wake = () => {};
const pause = (ms) => new Promise((done) => { wake = done; setTimeout(done, ms); });
export const again = () => wake();
addEventListener("online", again);

export async function call(method, path, body, { retry = true, onLost, onBack } = {}) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  let payload;
  if (body instanceof FormData) payload = body;
  else if (method !== "GET") {
    headers["Content-Type"] = "application/json";
    payload = JSON.stringify(body ?? {});
  }
  for (let tries = 0; ; tries++) {
    let reply;
    try {
      reply = await send(root + path, { method, headers, body: payload });
    } catch (lost) {
      if (!retry) throw lost;
      onLost?.(tries);
      await pause(Math.min(8000, 400 * 2 ** tries));
      continue;
    }
    if (retry && tries < 8 && [429, 502, 503, 504].includes(reply.status)) {
      onLost?.(tries);
      await pause(Math.min(8000, 400 * 2 ** tries));
      continue;
    }
    if (tries) onBack?.();
    const text = await reply.text();
    let data = {};
    try { data = text ? JSON.parse(text) : {}; } catch { data = { detail: text.slice(0, 200) }; }
    if (!reply.ok) throw new Refused(reply.status, data);
    return data;
  }
}

export const get = (path) => call("GET", path);
export const post = (path, body, how) => call("POST", path, body, how);
export const study = (name) => `/v1/studies/${encodeURIComponent(name)}`;

// say puts a sentence where people and screen readers find it.
let clearing;
export function say(text, { toast = true } = {}) {
  const live = document.querySelector("#live");
  if (live) live.textContent = text;
  const box = document.querySelector("#toast");
  if (!box || !toast) return;
  box.textContent = text;
  box.hidden = false;
  clearTimeout(clearing);
  clearing = setTimeout(() => { box.hidden = true; }, 4500);
}

// copy puts a text on the clipboard, and reports whether it is there. Without https a browser has no clipboard for scripts, but copies what is selected.
export async function copy(text, { ask = true } = {}) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "unseen" });
    const back = document.activeElement;
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    back?.focus?.();
    if (!copied) {
      if (ask) window.prompt(t("word.copy"), text);
      return false;
    }
  }
  say(t("word.copied"));
  return true;
}
