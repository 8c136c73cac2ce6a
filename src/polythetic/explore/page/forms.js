// Forms whose values are the address, and what all pages have below: the address to copy, and the Python lines.

import { complain } from "/asking.js";

const RESTS = 100; // ms

// Fill a form from the address, and call `changed` with the query string now, and whenever a control is used; `keep`
// then keeps the address.
export function live(form, changed, keep = keepAddress) {
  fill(form);
  for (const heat of form.querySelectorAll(".heat")) temperature(heat);
  form.dispatchEvent(new Event("filled"));
  const again = () => {
    if (!form.reportValidity()) return;
    changed(queryOf(form));
    keep(form);
  };
  form.addEventListener("input", again);
  form.addEventListener("submit", (event) => event.preventDefault());
  changed(asked(form));
}

function fill(form) {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const control = form.elements[name];
    if (control) control.value = value;
  }
}

// The same for a form whose every change is a step that the browser's Back takes back.
export function steps(form, changed) {
  live(form, changed, () => history.pushState(null, "", addressOf(form)));
  addEventListener("popstate", () => {
    form.reset();
    fill(form);
    changed(asked(form));
  });
}

// The query string as it was given, so that what is wrong with it is said.
function asked(form) {
  return location.search.slice(1) || queryOf(form);
}

function addressOf(form) {
  return `${location.pathname}?${queryOf(form)}`;
}

function queryOf(form) {
  return new URLSearchParams(new FormData(form)).toString();
}

// The address follows once a slider rests: browsers take their time for it, and refuse hundreds of changes in a row.
let late = null;
export function keepAddress(form) {
  clearTimeout(late);
  late = setTimeout(() => history.replaceState(null, "", addressOf(form)), RESTS);
}

// A temperature: "auto", or a slider over its logarithm, which sets a number as soon as it is moved. The value is in a
// hidden control; the number that "auto" stands for comes with an answer.
function temperature(heat) {
  const [auto, range, held] = ["checkbox", "range", "hidden"].map((type) => heat.querySelector(`[type=${type}]`));
  const shown = heat.querySelector("output");
  const show = () => {
    const T = numberIn(auto.checked ? (held.dataset.auto ?? "") : held.value), isNumber = Number.isFinite(T);
    shown.value = T === Infinity ? "∞" : isNumber ? T.toPrecision(3) * 1 : auto.checked ? "" : held.value;
    const spoken = T === Infinity ? "infinity" : shown.value;
    range.setAttribute("aria-valuetext", auto.checked ? `auto ${spoken}`.trim() : spoken);
  };
  const place = (T) => (range.value = Math.max(range.min, Math.min(range.max, Math.log2(T) || 0)));
  auto.checked = held.value === "auto";
  if (!auto.checked) place(numberIn(held.value));
  const set = () => {
    held.value = auto.checked ? "auto" : (2 ** Number(range.value)).toPrecision(3) * 1;
    show();
  };
  auto.addEventListener("input", set);
  range.addEventListener("input", () => ((auto.checked = false), set()));
  held.addEventListener("found", () => {
    if (auto.checked) place(Number(held.dataset.auto));
    show();
  });
  show();
}

// Say which number "auto" stands for in a temperature.
export function standsFor(held, T) {
  held.dataset.auto = T;
  held.dispatchEvent(new Event("found"));
}

// Python writes infinity in more ways than JavaScript.
const numberIn = (text) => (/^\+?inf(inity)?$/i.test(text) ? Infinity : text === "" ? NaN : Number(text));

// The buttons below a view; `lines` is told the Python each time.
export function below() {
  const place = document.querySelector(".lines"), pre = document.getElementById("code");
  const [code, copy, address] = place.querySelectorAll("button");
  code.addEventListener("click", () => {
    pre.hidden = copy.hidden = !pre.hidden;
    code.setAttribute("aria-expanded", String(!pre.hidden));
  });
  const copied = (button, text) => async () => {
    try {
      await navigator.clipboard.writeText(text());
      const label = button.textContent;
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = label), 1500);
    } catch {
      complain("The browser does not let pages copy: select the text yourself.");
    }
  };
  copy.addEventListener("click", copied(copy, () => pre.textContent));
  address.addEventListener("click", copied(address, () => location.href));
  return (lines) => (pre.textContent = lines);
}
