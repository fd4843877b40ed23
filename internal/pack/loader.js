// The loader of a packed file starts the core, keeps the log, shows the pages, and is the transport by which their scripts (internal/page/static) reach the
// core in place of a server.
"use strict";
(async () => {
  const file = JSON.parse(document.querySelector("#file").textContent);
  const core = document.querySelector("#core").textContent;
  const media = new Map([...document.querySelectorAll("[data-media]")].map((s) => [s.dataset.media, s]));
  for (const s of document.querySelectorAll("body > script")) s.remove();

  const wants = [file.language, ...navigator.languages].filter(Boolean).map((l) => l.toLowerCase());
  const tag = wants.flatMap((l) => [l, l.split("-")[0]]).find((l) => l in file.words) ?? "en";
  const t = (key, places = {}) => file.words[tag][key].replace(/\{(\w+)\}/g, (place, name) => places[name] ?? place);

  // notice says something for as long as it is so, where it covers nothing.
  const bar = document.createElement("p");
  bar.className = "packed-notice";
  bar.setAttribute("role", "alert");
  const notice = (text) => {
    bar.textContent = text;
    document.body.prepend(bar);
  };
  const fail = (text) => {
    document.body.replaceChildren(Object.assign(document.createElement("main"), { className: "packed-opening", textContent: text }));
    throw new Error(text);
  };

  if (!globalThis.DecompressionStream || !globalThis.WebAssembly || !globalThis.Worker) fail(t("pack.old"));
  const progress = Object.assign(document.createElement("progress"), { max: 1, value: 0.05, ariaLabel: t("pack.opening") });
  document.querySelector(".packed-opening").replaceChildren(t("pack.opening"), progress);

  // The log. A line counts when the database has it; where there is none, or it is full, it is kept as long as the page is open, and the page says so.
  const wish = (request) => new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  async function database() {
    const opening = indexedDB.open(`prefer ${file.id}`, 1);
    opening.onupgradeneeded = () => { opening.result.createObjectStore("lines"); opening.result.createObjectStore("notes"); };
    return Promise.race([wish(opening), new Promise((_, failed) => setTimeout(() => failed(new Error("the database does not open")), 4000))]);
  }
  let db = null;
  try {
    db = await database();
  } catch {
    notice(t("pack.unkept"));
  }
  const note = (name) => db && wish(db.transaction("notes").objectStore("notes").get(name));
  async function keepNote(name, value) {
    if (db) await wish(db.transaction("notes", "readwrite").objectStore("notes").put(value, name)).catch(() => {});
  }

  // The rater is the one that the address names, as a recruiting service or a lab does, else a made-up name that stays with this browser.
  const asked = new URLSearchParams(location.search);
  let rater = asked.get("PROLIFIC_PID") || asked.get("rater");
  if (!rater) {
    rater = await note("rater");
    if (!rater) {
      rater = Array.from(crypto.getRandomValues(new Uint8Array(10)), (b) => "abcdefghijkmnpqrstuvwxyz23456789"[b % 32]).join("");
      await keepNote("rater", rater);
    }
  }

  // One tab answers at a time: the other would not know what was said.
  const alone = !navigator.locks || await new Promise((done) => {
    navigator.locks.request(`prefer ${file.id} ${rater}`, { ifAvailable: true }, (lock) => {
      done(Boolean(lock));
      return lock && new Promise(() => {}); // as long as the page is open
    }).catch(() => done(true));
  });
  if (!alone) fail(t("pack.elsewhere"));

  const lines = db ? await wish(db.transaction("lines").objectStore("lines").getAll(IDBKeyRange.bound([rater, 0], [rater, Infinity]))) : [];

  async function keep({ seq, lines: text }) {
    if (!db) return "";
    try {
      const change = db.transaction("lines", "readwrite");
      const done = new Promise((ok, failed) => { change.oncomplete = ok; change.onabort = () => failed(change.error); });
      text.trimEnd().split("\n").forEach((line, i) => change.objectStore("lines").add(line, [rater, seq + i]));
      await done;
    } catch (e) {
      if (e?.name === "ConstraintError") return t("pack.elsewhere");
      db = null; // what follows would leave a gap
      notice(t("pack.full"));
    }
    return "";
  }

  const worker = new Worker(URL.createObjectURL(new Blob([file.worker], { type: "text/javascript" })));
  const waiting = new Map();
  let calls = 0;
  worker.onmessage = async ({ data }) => {
    if (data.opened) return void (progress.value = 0.1 + 0.8 * data.opened); // the rest is its start and the first page
    if (data.keep) return worker.postMessage({ kept: await keep(data.keep) });
    const { done, failed } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.failed) failed(new Error(data.failed));
    else done(data.out);
  };
  const call = (message) => new Promise((done, failed) => {
    const id = ++calls;
    waiting.set(id, { done, failed });
    worker.postMessage({ id, ...message });
  });
  worker.onerror = (e) => fail(e.message);

  let here = "";

  // send is fetch, as far as pages use it.
  async function send(url, { method = "GET", headers = {}, body = "" } = {}) {
    const { pathname, search } = new URL(url, `http://file${here}`);
    const carried = media.get(mediaName(pathname));
    if (carried) {
      const blob = blobOf(carried);
      return new Response(blob, { headers: { "Content-Length": String(blob.size) } });
    }
    const begun = performance.now();
    const out = await call({ method, url: pathname + search, headers: { "Accept-Language": file.language || navigator.languages.join(","), ...headers }, body });
    performance.measure(`prefer ${pathname.split("/").pop()}`, { start: begun });
    if (out.headers.Location) return send(out.headers.Location);
    return new Response([204, 304].includes(out.status) ? null : out.body, { status: out.status, headers: out.headers });
  }

  // The media of items are in this file, each behind the address that a server would have it at.
  const mediaName = (pathname) => (pathname.startsWith("/m/") ? pathname.split("/").slice(3).map(decodeURIComponent).join("/") : "");
  const blobs = new Map();
  function blobOf(carried) {
    const name = carried.dataset.media;
    if (!blobs.has(name)) {
      const text = carried.textContent;
      blobs.set(name, new Blob([Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: carried.dataset.type }));
    }
    return blobs.get(name);
  }
  const addresses = new Map(); // of media: they are shown again

  async function place(node, url) {
    const name = mediaName(new URL(url, "http://file").pathname);
    if (media.has(name)) {
      if (!addresses.has(name)) addresses.set(name, URL.createObjectURL(blobOf(media.get(name))));
      node.src = addresses.get(name);
      return;
    }
    const reply = await send(url);
    if (!reply.ok) return void node.dispatchEvent(new Event("error"));
    if (node instanceof HTMLIFrameElement) {
      node.srcdoc = await reply.text();
      return;
    }
    node.src = URL.createObjectURL(await reply.blob());
    setTimeout((old) => URL.revokeObjectURL(old), 60_000, node.src);
  }

  // The scripts of a page listen to window and document; the next page begins without them.
  let heard = [];
  for (const target of [window, document]) {
    const listen = target.addEventListener.bind(target);
    target.addEventListener = (kind, does, how) => {
      heard.push(() => target.removeEventListener(kind, does, how));
      listen(kind, does, how);
    };
  }
  const listen = EventTarget.prototype.addEventListener;

  // load makes an address of a script with those that it imports. Every page has its own: a script runs once for each address.
  const texts = new Map();
  async function load(name, page) {
    if (!page.has(name)) page.set(name, (async () => {
      if (!texts.has(name)) texts.set(name, await (await send(`/page/${name}`)).text());
      let text = texts.get(name);
      for (const [from, other] of [...text.matchAll(/"\.\/([\w-]+\.js)"/g)]) text = text.replaceAll(from, JSON.stringify(await load(other, page)));
      return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    })());
    return page.get(name);
  }

  async function dress() {
    let text = await (await send("/page/style.css")).text();
    for (const [, font] of [...text.matchAll(/url\("([\w-]+\.woff2)"\)/g)]) {
      text = text.replaceAll(`url("${font}")`, `url("${URL.createObjectURL(await (await send(`/page/${font}`)).blob())}")`);
    }
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }

  // visit goes to a page. The fragment of the file's own address says which, so that Back and a reload find it.
  let visits = 0;
  async function visit(url) {
    const number = ++visits;
    const { pathname, search, hash } = new URL(url, `http://file${here}`);
    const reply = await send(pathname + search);
    const text = await reply.text();
    if (number !== visits) return;
    here = pathname + search;
    const at = `#${here === home ? "" : here}`;
    if (location.hash !== at && (location.hash || at !== "#")) history.pushState(null, "", at);
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const off of heard) off();
    heard = [];
    for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name);
    for (const { name, value } of page.documentElement.attributes) document.documentElement.setAttribute(name, value);
    document.title = page.title;
    const scripts = [...page.querySelectorAll("script[src]")];
    for (const s of scripts) s.remove();
    document.body.replaceChildren(...page.body.childNodes);
    if (bar.textContent) document.body.prepend(bar);
    scrollTo(0, 0);
    const own = new Map();
    for (const s of scripts) await import(await load(s.getAttribute("src").split("/").pop(), own));
    if (hash) document.querySelector(hash)?.scrollIntoView();
  }
  const trouble = (e) => notice(e.message);
  const go = (url) => void visit(url).catch(trouble);

  function save(blob, name) {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
  const log = async () => (await send("/log")).text();
  const fileName = (text) => text.normalize("NFKD").replace(/[^\p{L}\p{N}._-]+/gu, "-") || "study";
  const say = (text) => {
    for (const p of document.querySelectorAll("[data-pack=said]")) p.textContent = text;
    const live = document.querySelector("#live");
    if (live) live.textContent = text;
  };

  // deliver sends the answers where the file was told to, again until somebody there answers, and says what became of it.
  let delivering = null;
  const host = file.upload && new URL(file.upload).host;
  const deliver = () => (delivering ??= delivered().finally(() => { delivering = null; }));
  async function delivered() {
    say(t("pack.sending", { host }));
    for (let tries = 0; ; tries++) {
      try {
        const reply = await fetch(file.upload, { method: "POST", body: await log(), credentials: "omit", headers: { "Content-Type": "application/jsonl", Authorization: `Bearer ${file.token}` } });
        if (reply.ok) return say(t("pack.sent", { host })), true;
        if (reply.status !== 429 && reply.status < 500 || tries === 5) {
          const problem = await reply.json().catch(() => ({}));
          return say(t("pack.unsent", { host, why: problem.detail ?? reply.status })), false;
        }
      } catch (e) {
        if (tries === 5) return say(t("pack.unsent", { host, why: e.message })), false;
      }
      await new Promise((again) => setTimeout(again, Math.min(8000, 500 * 2 ** tries) * (0.5 + Math.random())));
    }
  }

  listen.call(document, "click", async (e) => {
    const act = e.target.closest?.("[data-pack]")?.dataset.pack;
    if (act === "save") return save(new Blob([await log()], { type: "application/jsonl" }), `${fileName(file.name)}-${fileName(rater)}.jsonl`);
    if (act === "send") return void deliver();
    const link = e.target.closest?.("a[href]");
    const href = link?.getAttribute("href") ?? "";
    if (!link || e.defaultPrevented || e.ctrlKey || e.metaKey || e.shiftKey) return;
    if (href.startsWith("#")) {
      e.preventDefault();
      const there = document.querySelector(href);
      there?.scrollIntoView();
      there?.focus?.();
    } else if (href.startsWith("/")) {
      e.preventDefault();
      if (link.hasAttribute("download")) save(await (await send(href)).blob(), link.download || href.split("/").pop());
      else go(href);
    }
  });
  listen.call(document, "submit", (e) => {
    if (e.defaultPrevented) return;
    e.preventDefault();
    go(`${e.target.getAttribute("action") ?? here.split("?")[0]}?${new URLSearchParams(new FormData(e.target, e.submitter))}`);
  });
  listen.call(window, "popstate", () => {
    const to = location.hash.slice(1) || home;
    if (to !== here && to.startsWith("/")) go(to);
  });

  globalThis.prefer = {
    send, place, go, leaves: Boolean(file.upload),
    finish: async (url) => { // leaves only once the answers are sent: they are nowhere else
      if (!file.upload) return;
      if (await deliver()) location.assign(url);
    },
    reload: () => go(here),
    address: () => location.href,
    query: () => new URL(here, "http://file").search,
    remember: (query) => {
      here = `${here.split("?")[0]}?${query}`;
      history.replaceState(null, "", `#${here}`);
    },
    local: () => true,
    ended: () => { if (file.upload) deliver(); },
  };

  let home = "";
  try {
    const begun = performance.now();
    const { path } = await call({ start: { core, study: file.study, log: lines.join("\n"), rater } });
    performance.measure("prefer core", { start: begun });
    const keeps = new URLSearchParams([...asked].filter(([name]) => ["SESSION_ID", "fixed", "more", "check"].includes(name)));
    home = here = keeps.size ? `${path}?${keeps}` : path;
    await dress();
    const to = location.hash.slice(1);
    await visit(to.startsWith("/s/") ? to : home);
  } catch (e) {
    fail(`${t("pack.broken")} ${e.message}`);
  }
})();
