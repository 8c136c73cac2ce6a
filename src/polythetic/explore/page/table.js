// The page of one's own table: the file goes to the server on this machine with each question, and is kept by neither.

import { ask, complain } from "/asking.js";
import { element, percent } from "/drawing.js";
import { below, keepAddress, live } from "/forms.js";

const MOST = 16 * 2 ** 20; // bytes; the server has the last word
const BOXES = 500; // columns that are offered to be left out
const SCORES = {
  R: "how far the column should be stretched for attention to tell the classes apart",
  FS: "how much spread self-attention leaves the column",
};
const ALONE = "p alone: how often, with labels by chance, the best of all columns tells as much as this one.";
const at = (id) => document.getElementById(id);
const form = at("settings"), label = at("label"), unnamed = form.elements.name.value;
const asked = new URLSearchParams(location.search), wanted = asked.get("label") ?? "";
const showLines = below();
let content = null, query = "", answer = null;

at("main").setAttribute("aria-busy", "false");
live(form, async (now) => {
  query = now;
  if (content) return find();
  if (!location.search || !(await ask("table", now)) || !wanted || content) return; // an address is read before there is a table
  hint(`The address holds the settings, not the table: drop ${form.elements.name.value} here.`);
});

// What is to be done, or what was found: that is read out, and seen only below, where it stands already.
function hint(words, heardOnly = false) {
  at("hint").textContent = words;
  at("hint").classList.toggle("hidden", heardOnly);
}

async function take(file) {
  if (!file) return;
  if (!file.size) return complain(`${file.name}: is empty, expected a header and rows below it.`);
  if (file.size > MOST) return complain(`${file.name}: ${(file.size / 2 ** 20).toFixed(0)} MB, expected at most ${MOST / 2 ** 20} MB. polythetic score reads larger tables.`);
  complain("");
  at("shown").hidden = true;
  const mine = (content = new Uint8Array(await file.arrayBuffer()));
  form.elements.name.value = file.name;
  const found = await ask("table", new URLSearchParams({ name: file.name }).toString(), mine);
  if (mine !== content) return; // another file came meanwhile
  if (!found) return forget();
  const { columns, rows } = found.answer, before = label.value || wanted;
  label.replaceChildren(element("option", { value: "" }, "choose …"), ...options(columns));
  label.disabled = false;
  label.value = columns.some(({ name }) => name === before) ? before : "";
  const next = label.value ? "" : " Choose the column of classes.";
  hint(`${file.name}: ${rows.toLocaleString("en")} rows, ${columns.length} columns.${next}`);
  offer(columns);
  label.focus();
  keepAddress(form); // it names this table, and no column of the one before
  if (label.value) form.dispatchEvent(new Event("input"));
}

// A file that is no table leaves nothing of the one before: neither in the controls nor in the address.
function forget() {
  content = null;
  form.elements.name.value = unnamed;
  label.replaceChildren(element("option", { value: "" }, "choose …"));
  label.disabled = true;
  at("boxes").replaceChildren();
  at("leave").hidden = true;
  hint("No table yet.");
  keepAddress(form);
}

// A box for each column that may be left out; of an address, or a table before, those that are here as well are ticked.
function offer(columns) {
  const boxes = [...form.querySelectorAll("[name=drop]")];
  const out = boxes.length ? boxes.filter((box) => box.checked).map((box) => box.value) : asked.getAll("drop");
  at("boxes").replaceChildren(...columns.slice(0, BOXES).map(({ name }) => {
    const box = element("input", { type: "checkbox", name: "drop", value: name });
    box.checked = out.includes(name);
    return element("label", {}, box, ` ${name}`);
  }));
  if (columns.length > BOXES) at("boxes").append(element("p", { class: "faint" }, `and ${columns.length - BOXES} more, to be left out by polythetic score --drop`));
  at("leave").hidden = false;
  at("leave").open = out.length > 0;
  fitting();
}

// The label cannot be left out; the others are counted.
function fitting() {
  for (const box of form.querySelectorAll("[name=drop]")) box.disabled = box.parentElement.hidden = box.value === label.value;
  const out = form.querySelectorAll("[name=drop]:checked:enabled").length;
  at("leave").querySelector("summary").textContent = `Leave columns out${out ? `: ${out}` : ""}`;
}
for (const id of ["label", "boxes"]) at(id).addEventListener("input", fitting);

// Columns with a few different values first: they may be labels.
function options(columns) {
  const group = (title, some) => element("optgroup", { label: title }, ...some.map(({ name, values }) =>
    element("option", { value: name }, `${name} (${values} ${values === 1 ? "value" : "values"})`)));
  return [group("may be a label", columns.filter((c) => c.label)), group("others", columns.filter((c) => !c.label))];
}

async function find() {
  if (label.value) hint(""); // what was to be done is done
  const found = label.value ? await ask("table", query, content) : null;
  at("shown").hidden = !found;
  if (found) show(found.answer, found.notes);
  else hint(label.value ? "" : "Choose the column of classes.");
}

function show(found, notes) {
  answer = found;
  const left = Object.entries(answer.left_out).map(([name, why]) => `${name} left out: ${why}.`);
  at("words").replaceChildren(...answer.words.map((sentence) => element("li", {}, sentence)));
  at("notes").replaceChildren(...[...left, ...notes.filter((note) => !note.includes("left out:"))].map((note) => element("li", {}, note)));
  const most = Math.max(...answer.scores.map(({ score }) => score)) || 1;
  at("scores").tBodies[0].replaceChildren(...answer.scores.map(({ column, score, p }) => {
    const bar = element("meter", { max: most, value: score, "aria-hidden": "true" });
    return element("tr", {}, element("th", { scope: "row" }, column), element("td", {}, bar), element("td", {}, score.toPrecision(3)), element("td", {}, String(Number(p.toPrecision(2)))));
  }));
  answers();
  at("scores-help").textContent = `Score: ${SCORES[form.elements.method.value]}. ${ALONE}`;
  showLines(answer.code);
  const right = `${at("accuracy").textContent} ${at("accuracy-words").textContent}.`;
  hint(`${form.elements.name.value}: ${answer.words[0]} ${right}`, true);
}

function answers() {
  const known = answer.accuracy, some = answer.answered > 0;
  at("accuracy").textContent = known ? percent(100 * known.share) : "";
  at("accuracy-words").textContent = known
    ? `right: ${known.right} of ${known.of} rows that were held out, told from ${answer.learned_from} others`
    : some ? `${answer.answered} rows without a label, told from ${answer.learned_from} others`
    : `Nothing was held out: the classifier has learned from all ${answer.learned_from} rows`;
  at("held-title").textContent = known ? "Rows that were held out" : some ? "Rows without a label" : "The classifier";
  at("csv").hidden = at("held").hidden = !some;
  at("answers").tBodies[0].replaceChildren(...answer.answers.map(({ row, label: told, probability, truth, deciders }) => {
    const right = truth == null ? "" : truth === told ? "right" : "wrong";
    const by = deciders.map((d) => `row ${d.row} (${d.label}, ${percent(100 * d.share, 0)})`).join(", ");
    return element("tr", {}, element("th", { scope: "row" }, String(row)), element("td", { class: "words" }, told), element("td", {}, percent(100 * probability, 0)),
      element("td", { class: `words ${right}` }, truth ?? "–"), element("td", { class: "words" }, by));
  }));
  const more = answer.answered - answer.answers.length;
  at("more-answers").textContent = more > 0 ? `and ${more} more in the file` : "";
}

function download(name, bytes, type) {
  const link = element("a", { href: URL.createObjectURL(new Blob([bytes], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
at("csv").addEventListener("click", () => download("answers.csv", answer.answers_csv, "text/csv"));
at("scores-csv").addEventListener("click", () => download("scores.csv", answer.scores_csv, "text/csv"));
at("saved").addEventListener("click", () =>
  download("classifier.safetensors", Uint8Array.from(atob(answer.classifier), (letter) => letter.charCodeAt(0)), "application/octet-stream"));

at("file").addEventListener("input", (event) => event.stopPropagation());
at("file").addEventListener("change", () => take(at("file").files[0]));
for (const kind of ["dragover", "dragleave", "drop"])
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    at("drop").classList.toggle("over", kind === "dragover");
    if (kind !== "drop") return;
    at("file").files = event.dataTransfer.files; // so that its name is seen there
    take(event.dataTransfer.files[0]);
  });
