// Forms whose values are the address, and what all pages have below: the address to copy, and the Python lines.

import { complain } from "/asking.js";

const RESTS = 100; // ms

// Fill a form from the address, and call `changed` with the query string now, and whenever a control is used.
export function live(form, changed) {
  const asked = new URLSearchParams(location.search);
  for (const [name, value] of asked) {
    const control = form.elements[name];
    if (control) control.value = value;
  }
  for (const heat of form.querySelectorAll(".heat")) temperature(heat);
  form.dispatchEvent(new Event("filled"));
  const again = () => {
    if (!form.reportValidity()) return;
    changed(queryOf(form));
    keepAddress(form);
  };
  form.addEventListener("input", again);
  form.addEventListener("submit", (event) => event.preventDefault());
  changed(location.search ? location.search.slice(1) : queryOf(form)); // as it was given, so that what is wrong is said
}

function queryOf(form) {
  return new URLSearchParams(new FormData(form)).toString();
}

// The address follows once a slider rests: browsers take their time for it, and refuse hundreds of changes in a row.
let late = null;
export function keepAddress(form) {
  clearTimeout(late);
  late = setTimeout(() => history.replaceState(null, "", `${location.pathname}?${queryOf(form)}`), RESTS);
}

// A temperature: "auto", or a slider over its logarithm. The value is in a hidden control.
function temperature(heat) {
  const [auto, range, held] = ["checkbox", "range", "hidden"].map((type) => heat.querySelector(`[type=${type}]`));
  const shown = heat.querySelector("output");
  const show = () => {
    shown.value = held.value === "auto" ? "" : String(Number(held.value).toPrecision(3) * 1);
    range.disabled = auto.checked;
  };
  auto.checked = held.value === "auto";
  if (Number(held.value) > 0) range.value = Math.log2(Number(held.value));
  const set = () => {
    held.value = auto.checked ? "auto" : (2 ** Number(range.value)).toPrecision(3) * 1;
    show();
  };
  auto.addEventListener("input", set);
  range.addEventListener("input", set);
  show();
}

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
