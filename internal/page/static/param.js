// One parameter of the form: a row with its name, kind and range, and a slider for its value in the preview.

const blank = document.querySelector("#param");
let count = 0;

const short = (x) => (Number.isInteger(x) ? String(x) : String(Number(x.toPrecision(3))));

export class Param {
  #unit = ""; #value;

  // changed is called whenever the preview has to be redrawn, gone when the row is removed.
  constructor(list, changed, gone) {
    count++;
    this.row = blank.content.firstElementChild.cloneNode(true);
    for (const label of this.row.querySelectorAll("label[for]")) label.htmlFor += `-${count}`;
    for (const field of this.row.querySelectorAll("[id]")) field.id += `-${count}`;
    this.field("remove").addEventListener("click", () => { this.row.remove(); gone(this); });
    this.field("more").addEventListener("click", () => this.unfold(this.row.querySelector(".extras").hidden));
    this.field("type").addEventListener("change", () => { this.#shape(true); changed(); });
    this.field("choices").addEventListener("input", () => { this.#choose(); changed(); });
    this.row.addEventListener("input", (e) => {
      if (e.target.name === "dial") this.#value = this.#at(e.target.value / e.target.max);
      if (e.target.name === "low" || e.target.name === "high" || e.target.name === "step") this.#moveSlider();
      this.#tell();
      changed();
    });
    this.row.addEventListener("change", (e) => { if (["log", "circular", "on"].includes(e.target.name)) { this.#shape(); changed(); } });
    this.place = "";
    this.row.classList.add("own");
    this.#shape();
    this.unfold(true);
    list.append(this.row);
  }

  field(name) { return this.row.querySelector(`[name=${name}]`); }
  get name() { return this.field("name").value.trim(); }
  get type() { return this.field("type").value; }
  get on() { return !this.place || this.field("on").checked; }
  get numeric() { return ["float", "int", "circle"].includes(this.type); }
  get choices() { return this.field("choices").value.split("\n").map((c) => c.trim()).filter(Boolean); }

  // adopt gives a row that somebody added the place that has its name.
  adopt({ param, unit = "" }) {
    this.place = param.name;
    this.row.classList.remove("own");
    this.#unit = unit;
    this.found = this.value;
    this.#shape();
    this.unfold(false);
  }

  // save returns what the row's fields hold, and restore puts it back.
  save() {
    const fields = [...this.row.querySelectorAll("input[name], select[name], textarea[name]")].map((f) => [f.name, f.type === "checkbox" ? f.checked : f.value]);
    return { place: this.place, value: this.value, fields };
  }

  restore({ value, fields }) {
    for (const [name, was] of fields) {
      const field = this.field(name);
      if (field.type === "checkbox") field.checked = was;
      else if (name !== "pick") field.value = was;
    }
    this.#choose();
    this.value = value;
    this.#shape();
  }

  // propose fills the row with what was found in a text; the place keeps the name it has there.
  propose({ param, value, unit = "", on }) {
    this.place = param.name;
    this.row.classList.remove("own");
    this.#unit = unit;
    this.field("name").value = param.name;
    this.field("on").checked = on;
    this.field("type").value = param.circular && param.type === "float" ? "circle" : param.type || "float";
    if (this.numeric) {
      this.field("low").value = param.low;
      this.field("high").value = param.high;
      this.field("log").checked = Boolean(param.log);
      this.field("circular").checked = Boolean(param.circular) && param.type === "int";
      if (param.step > 1) this.field("step").value = param.step;
    } else if (param.choices) this.field("choices").value = param.choices.join("\n");
    this.#choose();
    this.value = value;
    this.found = value;
    this.#shape();
    this.unfold(false);
  }

  // unfold shows everything that can be said of the parameter: its name, kind and range, and what few have.
  unfold(yes) {
    this.row.querySelector(".extras").hidden = !yes;
    this.row.classList.toggle("unfolded", yes);
    this.field("more").setAttribute("aria-expanded", String(yes));
  }

  // read returns the parameter as the service takes it, and what is wrong with it as the form can tell, by field.
  read() {
    const wrong = [];
    const p = { name: this.name, type: this.type === "circle" ? "float" : this.type };
    if (!p.name) wrong.push(["name", "A name is missing."]);
    else if (/[{}]/.test(p.name)) wrong.push(["name", "A name has no braces."]);
    const number = (field, words) => {
      const text = this.field(field).value.trim();
      if (text === "" || !Number.isFinite(Number(text))) wrong.push([field, `${words} is missing: a number.`]);
      return Number(text);
    };
    if (this.numeric) {
      p.low = number("low", "Where it begins");
      p.high = number("high", "Where it ends");
      if (this.type !== "circle" && this.field("log").checked) p.log = true;
      if (this.type === "circle" || this.type === "int" && this.field("circular").checked) p.circular = true;
      if (this.type === "int" && this.field("step").value) p.step = Number(this.field("step").value);
    } else if (this.type !== "bool") p.choices = this.choices;
    if (this.field("context").checked) p.context = true;
    return { param: p, wrong };
  }

  // value is what the preview shows.
  get value() {
    if (this.type === "bool") return this.field("flag").checked;
    if (this.numeric) return this.#value;
    return this.field("pick").value;
  }

  set value(v) {
    if (this.type === "bool") this.field("flag").checked = Boolean(v);
    else if (this.numeric) this.#value = Number(v);
    else this.field("pick").value = String(v);
    this.#moveSlider();
    this.#tell();
  }

  // any shows a value at random.
  any() {
    if (this.type === "bool") this.value = Math.random() < 0.5;
    else if (this.numeric) this.value = this.#at(Math.random());
    else if (this.choices.length) this.value = this.choices[Math.floor(Math.random() * this.choices.length)];
  }

  #ends() {
    const low = Number(this.field("low").value), high = Number(this.field("high").value);
    return { low, high, log: this.type !== "circle" && this.field("log").checked && low > 0 && high > 0 };
  }

  // at is the value at a part of the range.
  #at(part) {
    const { low, high, log } = this.#ends();
    const x = log ? low * (high / low) ** part : low + (high - low) * part;
    if (this.type !== "int") return Number(x.toPrecision(4));
    const step = Number(this.field("step").value) || 1;
    return Math.min(high, low + Math.round((x - low) / step) * step);
  }

  // moveSlider puts the slider where the value is; a value beyond the ends goes to the nearest.
  #moveSlider() {
    if (!this.numeric) return;
    const { low, high, log } = this.#ends();
    if (!(high > low)) return;
    this.#value = Math.min(high, Math.max(low, this.#value ?? this.#at(0.5)));
    const dial = this.field("dial");
    dial.max = this.type === "int" && !log ? Math.max(1, Math.round((high - low) / (Number(this.field("step").value) || 1))) : 200; // a key is a step
    dial.value = dial.max * (log ? Math.log(this.#value / low) / Math.log(high / low) : (this.#value - low) / (high - low));
  }

  #tell() {
    const words = (v) => (typeof v === "number" ? `${short(v)}${this.#unit ? ` ${this.#unit}` : ""}` : v === true ? "yes" : v === false ? "no" : v ?? "");
    const shown = this.numeric ? words(this.#value) : "";
    this.row.querySelector(".value").textContent = shown;
    this.row.querySelector(".fixed").textContent = words(this.found);
    this.field("dial").setAttribute("aria-valuetext", shown);
    this.row.querySelector("legend").textContent = `Parameter ${this.name}`;
    this.row.querySelector(".title").textContent = this.name;
    const [from, to] = this.row.querySelectorAll(".ends");
    [from.textContent, to.textContent] = [this.field("low").value, this.field("high").value];
  }

  #choose() {
    const pick = this.field("pick");
    const was = pick.value;
    pick.replaceChildren(...this.choices.map((c) => new Option(c, c)));
    if (this.choices.includes(was)) pick.value = was;
  }

  // shape shows the fields that the kind has.
  #shape(changed) {
    const low = this.field("low"), high = this.field("high");
    if (changed && this.type === "circle" && low.value === "0" && high.value === "1") high.value = "360";
    if (changed && !this.numeric && this.type !== "bool" && !this.choices.length && this.place) {
      this.field("choices").value = [0, 0.5, 1].map((part) => this.#at(part)).join("\n");
      this.#choose();
    }
    if (changed && this.type === "int" && low.value === "0" && high.value === "1") high.value = "10";
    this.row.classList.toggle("off", !this.on);
    const show = (part, yes) => { for (const el of this.row.querySelectorAll(part)) el.hidden = !yes; };
    show(".dial.range", this.on && this.numeric);
    show(".dial.words", this.on && !this.numeric && this.type !== "bool");
    show(".dial.flag", this.on && this.type === "bool");
    show(".fixed", !this.on);
    show(".kind, [name=more]", this.on);
    if (!this.on) this.unfold(false);
    show(".extras .range", this.numeric && this.type !== "circle");
    show(".extras .whole", this.type === "int");
    if (changed) this.#value = undefined;
    this.#moveSlider();
    this.#tell();
  }
}
