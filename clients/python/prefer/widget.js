// The pair widget of widget.py. Nothing that comes from a study becomes HTML here but in a frame of an origin of its own.

const KEYS = {
  ArrowLeft: "first", a: "first", 1: "first",
  ArrowRight: "second", b: "second", 2: "second",
  ArrowDown: "tie", t: "tie", x: "both_bad", s: "skip", Backspace: "undo",
};
const SAYS = { tie: ["Can’t tell", "↓"], both_bad: ["Both bad", "X"], skip: ["Skip", "S"] };

function make(tag, name, ...inside) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  e.append(...inside);
  return e;
}

function frame(side) {
  const box = make("div", "prefer-frame");
  const page = make("iframe");
  page.title = side.name || "an option";
  page.setAttribute("sandbox", "allow-scripts"); // of no origin: it sees neither notebook nor kernel
  const width = side.width || 1280, height = side.height || 800;
  page.style.width = width + "px";
  page.style.height = height + "px";
  if (side.html !== undefined) page.srcdoc = side.html;
  else page.src = /^https?:/i.test(side.url) ? side.url : "about:blank";
  box.append(page);
  const fit = () => {
    const scale = Math.min(1, (box.clientWidth || width) / width);
    page.style.transform = `scale(${scale})`;
    page.style.left = Math.max(0, (box.clientWidth - width * scale) / 2) + "px";
    box.style.height = height * scale + "px";
  };
  new ResizeObserver(fit).observe(box);
  fit();
  return box;
}

function table(params) {
  const rows = make("table", "prefer-params");
  for (const [name, value] of Object.entries(params)) rows.append(make("tr", "", make("th", "", name), make("td", "", String(value))));
  return rows;
}

function shown(side) {
  const safe = /^(data:(image|audio|video)\/|https?:)/i.test(side.url || "");
  switch (side.kind) {
    case "image": {
      const img = make("img");
      if (safe) img.src = side.url;
      img.alt = side.text || side.name || Object.entries(side.params || {}).map(([k, v]) => `${k} ${v}`).join(", ");
      return img;
    }
    case "audio":
    case "video": {
      const play = make(side.kind);
      play.controls = true;
      play.addEventListener("keydown", (e) => e.stopPropagation());
      if (safe) play.src = side.url;
      return play;
    }
    case "page":
    case "frame":
      return frame(side);
    case "text":
      return make("div", "prefer-text", side.text);
    default:
      return table(side.params || {});
  }
}

function render({ model, el }) {
  const root = make("div", "prefer-pair");
  root.tabIndex = 0;
  root.dataset.lmSuppressShortcuts = "true"; // keys are answers here, and no commands of the notebook
  root.setAttribute("role", "group");
  root.setAttribute("aria-live", "polite");
  el.append(root);
  let since = 0, waiting = false;

  const send = (message) => {
    if (waiting) return;
    waiting = true;
    for (const b of root.querySelectorAll("button")) b.disabled = true;
    model.send(message);
  };
  const tell = (choice, clearly) => {
    const v = model.get("view");
    if (v.state !== "asking" || !v.choices.includes(choice)) return;
    const strength = clearly && v.grades > 0 && (choice === "first" || choice === "second") ? 1 : 0;
    send({ kind: "tell", question: v.question, choice, strength, rt_ms: Math.round(performance.now() - since) });
  };
  const undo = () => model.get("view").undo && send({ kind: "undo" });
  const button = (text, key, press) => {
    const b = make("button", "", text, ...(key ? [make("kbd", "", key)] : []));
    b.type = "button";
    b.addEventListener("click", press);
    return b;
  };

  const draw = () => {
    const v = model.get("view");
    const focused = root.contains(document.activeElement);
    waiting = false;
    root.replaceChildren();
    if (v.state === "asking") {
      root.append(make("h4", "", v.prompt));
      if (v.practice) root.append(make("p", "prefer-note", "For practice: this one does not count."));
      if (v.rest) root.append(make("p", "prefer-note", `${v.rest} answers given: time for a break, if you like.`));
      const sides = make("div", "prefer-sides");
      v.sides.forEach((side, i) => {
        const choice = i === 0 ? "first" : "second";
        const card = make("div", "prefer-side", make("div", "prefer-show", shown(side)));
        card.append(button(i === 0 ? "This one" : "That one", i === 0 ? "←" : "→", (e) => tell(choice, e.shiftKey)));
        sides.append(card);
      });
      root.append(sides);
      const others = make("div", "prefer-others");
      for (const c of v.choices) if (SAYS[c]) others.append(button(...SAYS[c], () => tell(c)));
      if (v.undo) others.append(button("Undo", "⌫", undo));
      root.append(others);
      if (v.grades > 0) root.append(make("p", "prefer-note", "With Shift: clearly."));
      since = performance.now();
    } else {
      root.append(make("h4", "", v.sentence || "That was all. Thank you."));
      if (v.best) root.append(make("div", "prefer-best", make("div", "prefer-show", shown(v.best))));
      if (v.undo) root.append(make("div", "prefer-others", button("Undo", "⌫", undo)));
    }
    const p = v.progress;
    if (p && v.state === "asking") {
      const text = p.budget ? `${p.given} of ${p.budget}` : p.sentence || `${p.given} answers`;
      const share = p.budget ? p.given / p.budget : p.confidence;
      const line = make("div", "prefer-progress", text);
      if (typeof share === "number") {
        const bar = make("div");
        bar.style.width = Math.round(100 * Math.min(1, share)) + "%";
        line.append(make("div", "prefer-bar", bar));
      }
      root.append(line);
    }
    if (v.trouble) root.append(make("div", "prefer-trouble", v.trouble, " ", button("Again", "", () => send({ kind: "again" }))));
    if (focused) root.focus({ preventScroll: true });
  };

  root.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || (e.target.tagName === "BUTTON" && (e.key === "Enter" || e.key === " "))) return;
    const does = KEYS[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!does) return;
    e.preventDefault();
    e.stopPropagation();
    if (!e.repeat) does === "undo" ? undo() : tell(does, e.shiftKey);
  });
  model.on("change:view", draw);
  draw();
  return () => model.off("change:view", draw);
}

export default { render };
