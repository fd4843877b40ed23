// What the page says, in the language it is in: internal/language has the words, and the page brings those that scripts use. A key
// is written out where it is used, t("answer.undo"): that is how the server knows which to bring.

const root = document.documentElement;
const words = JSON.parse(root.dataset.words || "{}");
const rules = new Intl.PluralRules(root.lang || "en");
const strange = root.dir === "rtl" ? /./su : /[\p{Script=Arabic}\p{Script=Hebrew}]/u; // words that are set apart, or they would carry the punctuation round them along

// t says what stands under a key; places are filled in, and n decides which form.
export function t(key, places = {}) {
  const entry = words[key] ?? key;
  const text = typeof entry === "string" ? entry : entry[rules.select(places.n ?? 0)] ?? entry.other;
  return text.replace(/\{(\w+)\}/g, (place, name) => {
    const value = places[name] ?? place;
    return typeof value === "string" && strange.test(value) ? `\u2068${value}\u2069` : String(value);
  });
}
