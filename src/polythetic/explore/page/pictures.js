// The page of pictures.

import { ask } from "/asking.js";
import { element, grouped, percent } from "/drawing.js";
import { below, keepAddress, live } from "/forms.js";

const at = (id) => document.getElementById(id);
const form = at("settings"), held = form.elements;
const NAMES = { MN: "MN: attention, nothing selected", "FS+MN": "FS+MN: features selected by self-attention", "R+MN": "R+MN: features selected by refinement" };
const MOST_QUERIES = 16;
const showLines = below();
let answer = null;

// The attributes of a drawing are not known.
function fitting() {
  const drawn = at("dataset").value === "omniglot";
  at("features").options[0].disabled = drawn;
  if (drawn && at("features").value === "attributes") at("features").value = "pixels";
}
at("dataset").addEventListener("input", fitting);
form.addEventListener("input", () => (held.query.value = Math.max(0, Math.min(held.query.value, MOST_QUERIES - 1)) || 0));
form.addEventListener("filled", fitting);

live(form, async (query) => {
  const found = await ask("pictures", query);
  if (found) show(found.answer);
});

function picture(example, alt) {
  return element("img", { class: "picture", alt, src: `data:image/png;base64,${example.picture}` });
}

function show(found) {
  answer = found;
  at("shown").hidden = false;
  at("classes").replaceChildren(...answer.classes.map((words, label) => element("li", {}, element("b", {}, `Class ${label}: `), words)));
  at("features").options[2].disabled = answer.network === null;
  at("about").textContent = `${answer.features} ${answer.source}.`;
  at("queries").replaceChildren(...answer.queries.map((query, number) => {
    const button = element("button", { type: "button", "aria-label": `Query ${number + 1}` }, picture(query, ""));
    button.addEventListener("click", () => choose(number, true));
    return button;
  }));
  const groups = grouped(answer.support, ({ label }) => label);
  at("support").replaceChildren(...[...groups.keys()].sort().flatMap((label) => [
    element("h3", {}, `Class ${label}`),
    element("div", { class: "strip" }, ...groups.get(label).map((example) => element("figure", {}, picture(example, `of class ${label}`))))]));
  choose(Math.min(Number(held.query.value), answer.queries.length - 1), false);
  showLines(answer.code);
}

// Look at a query.
function choose(number, asked) {
  const query = answer.queries[number], all = answer.queries.length;
  held.query.value = number;
  [...at("queries").children].forEach((button, k) => button.setAttribute("aria-pressed", String(k === number)));
  at("asked").firstElementChild.src = `data:image/png;base64,${query.picture}`;
  at("methods").tBodies[0].replaceChildren(...answer.methods.map(({ name, answers, sure, right }) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: answers[number] === query.label ? "right" : "wrong" }, `class ${answers[number]}`),
      element("td", {}, percent(100 * sure[number], 0)), element("td", {}, `${right} of ${all}`))));
  at("attention").replaceChildren(...Object.entries(answer.attention).flatMap(([name, queries]) => [
    element("h3", {}, NAMES[name]),
    element("div", { class: "strip" }, ...queries[number].map(([row, weight]) => {
      const { label } = answer.support[row], agrees = label === query.label ? "answer-right" : "answer-wrong";
      return element("figure", {}, picture(answer.support[row], `Example ${row + 1}`), element("figcaption", { class: agrees }, `class ${label} `, element("span", {}, percent(100 * weight, 0))));
    }))]));
  at("said").textContent = `Query ${number + 1} is of class ${query.label}. ${answer.methods.map(({ name, answers }) => `${name} answers ${answers[number]}`).join(", ")}.`;
  if (asked) {
    keepAddress(form);
    at("queries").children[number].focus();
  }
}
