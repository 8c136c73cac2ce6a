// The page of results.

import { ask } from "/asking.js";
import { element } from "/drawing.js";
import { below, steps } from "/forms.js";

const at = (id) => document.getElementById(id);
const form = at("settings"), experiment = at("experiment");
const wanted = new URLSearchParams(location.search).get("experiment");
const showLines = below();

// The list of experiments is not known before the first answer: until then what the address asks for stands alone.
if (wanted) experiment.append(element("option", { value: wanted }, wanted));

steps(form, async (query) => {
  const found = await ask("results", query);
  at("shown").hidden = !found;
  if (found) show(found.answer);
});

function show(answer) {
  const chosen = experiment.value;
  at("place").textContent = answer.place;
  for (const option of at("budget").options) option.hidden = option.disabled = !answer.budgets.includes(option.value);
  at("budgets").hidden = answer.budgets.length < 2;
  experiment.replaceChildren(element("option", { value: "" }, "all, a line each"),
    ...answer.experiments.map(({ name, where, title }) => element("option", { value: name }, `${where.split(",")[0]}: ${title}`)));
  experiment.value = chosen;
  at("all").hidden = answer.shown !== null;
  at("one").hidden = answer.shown === null;
  at("list").href = `/results?${new URLSearchParams({ budget: at("budget").value })}`;
  at("all").querySelector("tbody").replaceChildren(...answer.experiments.map(line));
  if (answer.shown) whole(answer.shown);
  at("said").textContent = answer.shown ? `${answer.shown.where}: ${answer.shown.title}` : `${answer.experiments.length} experiments`;
  showLines(answer.code);
}

function line({ name, where, question, verdicts }) {
  const query = new URLSearchParams({ experiment: name, budget: at("budget").value });
  return element("tr", {}, element("th", { scope: "row" }, element("a", { href: `/results?${query}` }, where)),
    element("td", { class: "words" }, question),
    element("td", { class: verdicts.length ? "words" : "words none" }, verdicts.join("; ") || "–"));
}

function whole(shown) {
  for (const part of ["title", "where", "command", "question", "caption"]) at(part).textContent = shown[part];
  at("text").replaceChildren(...shown.text.map((paragraph) => element("p", {}, paragraph)));
  at("picture").hidden = shown.picture === null;
  at("picture").alt = `${shown.where}: ${shown.title}`;
  if (shown.picture) at("picture").src = `data:image/png;base64,${shown.picture}`;
  at("table").hidden = shown.table === null;
  at("table").replaceChildren(...(shown.table ? [grid(shown.table)] : []));
  at("compared").hidden = shown.comparison === null;
  if (!shown.comparison) return;
  at("compared").querySelector("summary").textContent = `The paper’s figures beside ours, ${shown.comparison.body.length} lines: ${shown.verdicts.join("; ")}`;
  at("compared").querySelector("div").replaceChildren(grid(shown.comparison));
  at("caption-compared").textContent = shown.caption_compared;
  at("compared").open = shown.comparison.body.length <= 12;
}

function grid({ header, body, right }) {
  const kind = (place) => (right[place] ? {} : { class: "words" });
  return element("table", {}, element("thead", {}, element("tr", {}, ...header.map((cell, k) => element("th", { scope: "col", ...kind(k) }, cell)))),
    element("tbody", {}, ...body.map(([first, ...rest]) =>
      element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((cell, k) => element("td", kind(k + 1), cell))))));
}
