// What is wrong with a form, said at the field it is about. It stays there until the field changes.

let count = 0;

// clear takes back what was said about one field.
function clear(field) {
  if (!field.dataset.wrong) return;
  document.getElementById(field.dataset.wrong)?.remove();
  const others = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== field.dataset.wrong);
  if (others.length) field.setAttribute("aria-describedby", others.join(" "));
  else field.removeAttribute("aria-describedby");
  field.removeAttribute("aria-invalid");
  delete field.dataset.wrong;
}

// clearAll takes back everything that was said.
export function clearAll(form) {
  for (const field of form.querySelectorAll("[data-wrong]")) clear(field);
}

// blame says at a field what is wrong with it; parts of the form that are folded open.
export function blame(field, message) {
  clear(field);
  const sentence = message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?<]$/.test(message) ? "" : ".");
  const line = Object.assign(document.createElement("p"), { id: `wrong-${++count}`, className: "wrong", textContent: sentence });
  field.dataset.wrong = line.id;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", [line.id, field.getAttribute("aria-describedby")].filter(Boolean).join(" "));
  const head = field.closest(".head");
  if (head) head.after(line);
  else (field.closest(".dial") ?? field.closest(".field, label, fieldset")).append(line);
  for (let up = field.closest("details"); up; up = up.parentElement.closest("details")) up.open = true;
  for (const event of ["input", "change"]) field.addEventListener(event, () => clear(field), { once: true });
}
