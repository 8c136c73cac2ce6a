// The Boolean page: what the server found, drawn round by round.

import { ask, drop } from "/asking.js";
import { counted, percent, table } from "/drawing.js";
import { below, keepAddress, live, standsFor } from "/forms.js";
import { attentionGraph, bars, decisionMap, graphWords, vectors, vectorWords } from "/graphs.js";

const at = (id) => document.getElementById(id);
const form = at("settings"), held = form.elements, slider = at("moment");
const showLines = below();
const SLOW = 300; // ms
const ALONE = 0.9; // attention to itself, on average, from which on a row hears of no other
let answer = null, reach = 1, most = 1, playing = null, waiting = false, next = null, since = 0;

if (matchMedia("(max-width: 52rem)").matches) form.querySelector("details").open = false;

// The function is chosen from a list, or written as eight values; the number of bits goes with it.
function chosen() {
  const choice = at("choice").value, other = choice === "other";
  at("table-field").hidden = at("table-help").hidden = !other;
  at("table").disabled = !other;
  held.function.value = other ? at("table").value : choice;
  held.bits.readOnly = choice !== "xor";
  if (choice !== "xor") held.bits.value = /^[01]{8}$/.test(held.function.value) || other ? 3 : 2;
}
form.addEventListener("filled", () => {
  const given = held.function.value, known = [...at("choice").options].some((option) => option.value === given);
  at("choice").value = known ? given : "other";
  if (!known) at("table").value = given;
  const bits = held.bits.value;
  chosen();
  held.bits.value = bits;
  fitting();
});
for (const id of ["choice", "table"]) at(id).addEventListener("input", chosen);
at("classifier").addEventListener("input", fitting);
form.addEventListener("input", () => (held.round.value = Math.max(0, Math.min(held.round.value, at("rounds").value)) || 0));

// Only attention and prototypes have a similarity and a temperature.
function fitting() {
  const fits = ["MN", "PN"].includes(at("classifier").value), similarity = at("classifier_similarity");
  similarity.closest(".field").hidden = similarity.closest("fieldset").querySelector(".heat").hidden = !fits;
}

// While one answer is on its way only the newest question waits, so that a slider that is dragged is answered all the
// way; an answer that is slow to come is given up for it.
live(form, async (query) => {
  next = query;
  if (waiting) return performance.now() - since > SLOW ? drop() : null;
  waiting = true;
  while (next !== null) {
    const asked = next;
    next = null;
    since = performance.now();
    const found = await ask("boolean", asked);
    if (found) show(found.answer, found.notes);
  }
  waiting = false;
});

function show(found, notes) {
  answer = found;
  at("shown").hidden = false;
  at("accuracy").textContent = percent(answer.accuracy.percent);
  at("of").textContent = answer.accuracy.of;
  const expected = answer.theory.drawn ?? answer.theory.percent;
  at("predicted").hidden = expected === null;
  at("theory").textContent = expected === null ? "" : percent(expected);
  at("theory-words").textContent = `theory, ${held.scorer.value === "none" ? "over many supports" : "without selection"}`;
  standsFor(held.temperature, answer.auto_temperature);
  standsFor(held.classifier_temperature, answer.auto_classifier_temperature);
  at("graph-words").textContent = graphWords(answer);
  at("vector-words").textContent = vectorWords(answer);
  const last = answer.rounds.at(-1);
  at("alone").hidden = answer.rounds.length < 2 || answer.features === answer.bits || last.to_itself < ALONE;
  const remedy = held.temperature.value === "auto" ? "give it more rounds" : "raise the temperature";
  at("alone").textContent = `Each row attends to itself alone: ${remedy}.`;
  const size = `${answer.rows} rows, ${counted(answer.features, "bit")}.`;
  at("words").textContent = [size, answer.theory.words, ...notes].join(" ");
  reach = Math.max(1.25, ...answer.rounds.flatMap(({ vectors: rows }) => rows.flat().map(Math.abs))) * 1.05;
  most = Math.max(...answer.rounds.flatMap(({ scores }) => scores));
  slider.max = answer.rounds.length - 1;
  slider.value = Math.min(Number(held.round.value), answer.rounds.length - 1);
  at("map-card").hidden = answer.map === null;
  if (answer.map) {
    decisionMap(document.querySelector(".map canvas"), document.querySelector(".map svg"), answer);
    at("map-words").textContent = `p(true): orange is 0, white a half, blue 1${answer.features > 2 ? "; the other bits are 0" : ""}. Circles are rows that are true, squares false.${blank()}`;
  }
  at("refined-part").hidden = answer.refined === null;
  if (answer.refined) bars(at("refined"), answer.refined, answer.bits, Math.max(...answer.refined));
  showLines(answer.code);
  move(Number(slider.value));
}

// Why a map is white all over, if it is.
function blank() {
  if (answer.map.flat().some((p) => Math.abs(p - 0.5) > 0.02)) return "";
  return answer.bits > 2
    ? ` It is white all over: the class takes ${answer.bits} bits, and while the others are 0 these two do not tell it.`
    : " It is white all over: these answers tell no two places apart.";
}

// Show a round.
function move(round) {
  const moment = answer.rounds[round];
  slider.value = held.round.value = round;
  at("where").value = `round ${round} of ${answer.rounds.length - 1}`;
  attentionGraph(at("graph-false"), answer, moment, -1);
  attentionGraph(at("graph-true"), answer, moment, 1);
  vectors(at("vectors"), answer, moment, reach);
  bars(at("bars"), moment.scores, answer.bits, most);
  at("scores-title").textContent = `Scores after ${round} ${round === 1 ? "round" : "rounds"}`;
  const refined = answer.refined ? ["R"] : [];
  at("numbers").replaceChildren(table(["bit", "score", ...refined], moment.scores.map((score, k) =>
    [`${k + 1}${k < answer.bits ? " (matters)" : ""}`, score.toFixed(4), ...refined.map(() => answer.refined[k].toFixed(4))])));
  const idle = moment.scores.slice(answer.bits);
  at("said").textContent = `${at("where").value}. Bits that matter score ${Math.min(...moment.scores.slice(0, answer.bits)).toFixed(2)} or more${idle.length ? `, others ${Math.max(...idle).toFixed(2)} or less` : ""}. ${at("accuracy").textContent} right.`;
}

function go(round) {
  if (!answer) return;
  move(Math.max(0, Math.min(round, answer.rounds.length - 1)));
  keepAddress(form);
}

function pause() {
  clearInterval(playing);
  playing = null;
  at("play").textContent = "Play";
}

slider.addEventListener("input", (event) => {
  event.stopPropagation();
  pause();
  go(Number(slider.value));
});
at("back").addEventListener("click", () => (pause(), go(Number(slider.value) - 1)));
at("on").addEventListener("click", () => (pause(), go(Number(slider.value) + 1)));
at("play").addEventListener("click", () => {
  if (playing) return pause();
  if (Number(slider.value) >= answer.rounds.length - 1) go(0);
  at("play").textContent = "Pause";
  playing = setInterval(() => {
    go(Number(slider.value) + 1);
    if (Number(slider.value) >= answer.rounds.length - 1) pause();
  }, 700);
});
