// A setting that nothing draws: a colour if it describes one, else its values with bars.
import { make } from "./element.js";
import { t } from "./language.js";

export const pretty = (v, terms = {}) => terms[v] ?? (typeof v === "number" ? (Math.abs(v) >= 100 || Number.isInteger(v) ? String(Math.round(v)) : v.toPrecision(3)) : v === true ? t("card.yes") : v === false ? t("card.no") : String(v));

// values draws a setting itself: a colour if it describes one, a bar for every number.
export function values(params, space = [], terms = {}) {
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
    const line = make("div", {}, make("dt", {}, make("bdi", { textContent: terms[name] ?? name })), make("dd", {}, make("bdi", { textContent: pretty(value, terms) })));
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
