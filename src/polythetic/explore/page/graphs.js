// The four pictures of a Boolean task.

import { grouped, listed, shape, shaken } from "/drawing.js";

const SIZE = 300, LEVELS = 8, LARGEST = 10, LETTER = 6.5, BESIDE = 7;
const UPRIGHT = 8; // rings whose names are written upright; of more, they point outwards

// Figure 4: the rows of one class, a ring for each variant with its bits beside it, and the attention between them.
export function attentionGraph(svg, answer, moment, label) {
  svg.replaceChildren();
  const members = answer.labels.flatMap((found, row) => (found === label ? [row] : []));
  const groups = grouped(members, (row) => answer.variants[row].join(""));
  const names = [...groups.keys()].sort();
  const most = Math.max(...[...groups.values()].map((rows) => rows.length));
  const { far, near, radius } = rings(names.length, most, answer.bits);
  const place = new Map(), about = ([x, y], turn, off) => [x + off * Math.cos(turn), y + off * Math.sin(turn)];
  const corner = (k) => (2 * Math.PI * (k + 0.5)) / names.length;
  names.forEach((name, k) => {
    groups.get(name).forEach((row, i, rows) => {
      const turn = (2 * Math.PI * i) / rows.length, off = rows.length > 1 ? near : 0;
      place.set(row, about(about([SIZE / 2, SIZE / 2], corner(k), far), turn, off));
    });
  });
  lines(svg, moment.edges, place);
  for (const [row, [x, y]] of place) disc(svg, x, y, radius, answer, moment, row);
  names.forEach((name, k) => beside(svg, name, corner(k), far + near + radius, names.length));
}

// How far rings are from the middle, how large they are, and their discs: no ring touches another, no disc another, and
// there is room for the names outside.
function rings(count, most, bits) {
  const apart = count > 1 ? Math.sin(Math.PI / count) : 1;
  const room = count > UPRIGHT ? bits * LETTER + BESIDE : 3.5 * BESIDE;
  const far = count > 1 ? (SIZE / 2 - room) / (1 + apart) : 0;
  const whole = 0.94 * (count > 1 ? far * apart : SIZE / 2 - room);
  const between = most > 1 ? Math.sin(Math.PI / most) : Infinity;
  const radius = Math.min(LARGEST, most > 1 ? (0.95 * whole * between) / (1 + between) : whole);
  return { far, near: whole - radius, radius };
}

// The name of a ring, outside it; of many rings it is turned, and so that none stands on its head.
function beside(svg, name, turn, reach, count) {
  const [across, down] = [Math.cos(turn), Math.sin(turn)], flipped = across < 0;
  const tall = count === 1 ? 1 : down, wide = count === 1 ? 0 : across, upright = count <= UPRIGHT;
  const off = reach + BESIDE + (upright ? (Math.abs(wide) * name.length * LETTER) / 2 : 0);
  const [x, y] = [SIZE / 2 + off * wide, SIZE / 2 + off * tall];
  const degrees = upright ? 0 : (turn * 180) / Math.PI + (flipped ? 180 : 0);
  const anchor = upright ? "middle" : flipped ? "end" : "start";
  const transform = `translate(${short(x)} ${short(y)}) rotate(${short(degrees)})`;
  shape("text", { transform, class: "variant", "text-anchor": anchor, "dominant-baseline": "central" }, svg, name);
}

export function graphWords({ bits, features }) {
  const which = bits === 1 ? "the bit that matters" : `the ${bits > 3 ? "first three " : ""}bits that matter`;
  const ring = "A disc is a row. Rows that agree in the bits that matter stand in a ring, and beside it stand these bits.";
  if (features === bits) return `${ring} Colours: ${which}, ${paintWords(bits)}.`;
  return `${ring} Left half: ${which}, ${paintWords(bits)}. Right half: how large the others still are, dark is large.`;
}

// Figure 4's colours, one a bit, which the colour-blind can tell apart: a bit that is 1 adds its light.
const PAINTS = { orange: [230, 159, 0], green: [0, 158, 115], blue: [0, 114, 178] };

function paintWords(bits) {
  const names = listed(Object.keys(PAINTS).slice(0, bits));
  if (bits === 1) return `${names} where it is 1, black where it is 0`;
  const together = bits === 2 ? "both make a yellowish green" : "two make a pale green or cyan, all three nearly white";
  return `each of which adds a light where it is 1, ${names}; ${together}, none black`;
}

function mixed(values) {
  const lights = Object.values(PAINTS).slice(0, values.length), on = values.map((value) => Math.min(1, Math.max(0, (value + 1) / 2)));
  return [0, 1, 2].map((part) => Math.min(255, Math.round(lights.reduce((sum, light, k) => sum + on[k] * light[part], 0))));
}

// Edges of about the same weight are one path: hundreds of lines would be slow to draw.
function lines(svg, [rows, others, weights], place) {
  const strongest = Math.max(0.05, ...weights), here = [...rows.keys()].filter((k) => place.has(rows[k]));
  const between = (k) => `M${place.get(rows[k]).map(short)}L${place.get(others[k]).map(short)}`;
  for (const [level, alike] of grouped(here, (k) => Math.ceil((LEVELS * weights[k]) / strongest))) {
    const share = level / LEVELS;
    shape("path", { d: alike.map(between).join(""), class: "edge", "stroke-width": Math.max(0.3, 2.2 * share), "stroke-opacity": 0.08 + 0.6 * share }, svg);
  }
}

const short = (number) => number.toFixed(1);

// Rows in one place are moved a little, so that they can be told apart.
function moved([x, y], row) {
  const [dx, dy] = shaken(row, 7);
  return [x + dx, y + dy];
}

// Points by their class: circles are true, squares false; a path each.
function points(svg, places, labels, size) {
  const round = ([x, y]) => `M${short(x - size)} ${short(y)}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0z`;
  const square = ([x, y]) => `M${short(x - 0.88 * size)} ${short(y - 0.88 * size)}h${1.76 * size}v${1.76 * size}h${-1.76 * size}z`;
  const of = (kind, drawn) => shape("path", { d: places.filter((_, row) => labels[row] > 0 === kind).map(drawn).join(""), class: `is-${kind}` }, svg);
  of(false, square);
  of(true, round);
}

// Left half: the features that matter, as lights; right half: how large the others still are.
function disc(svg, x, y, radius, answer, moment, row) {
  const colour = mixed(moment.colours[row]);
  const grey = Math.round(255 * (1 - Math.min(1, moment.others[row])));
  const half = (sweep) => `M ${x} ${y - radius} A ${radius} ${radius} 0 0 ${sweep} ${x} ${y + radius} Z`;
  shape("path", { d: half(0), class: "disc", fill: `rgb(${colour})` }, svg);
  shape("path", { d: half(1), class: "disc", fill: answer.features > answer.bits ? `rgb(${grey},${grey},${grey})` : `rgb(${colour})` }, svg);
}

// Which bits the axes are, and what to watch.
export function vectorWords({ axes, bits }) {
  const named = (some) => `${some.length === 1 ? "bit" : "bits"} ${listed(some.map((bit) => String(bit + 1)))}`;
  const matter = axes.filter((bit) => bit < bits), rest = axes.filter((bit) => bit >= bits);
  const alike = matter.length === 1 ? "which matters" : "which matter";
  const which = matter.length < bits ? `${["two", "three"][matter.length - 2]} of those that matter` : alike;
  if (!rest.length) return `Each row by ${named(matter)}, ${which}.`;
  const seen = "along the noise rows come together, along what matters they stay apart";
  return `Each row by ${named(matter)}, ${which}, and by ${named(rest)}, noise: ${seen}.`;
}

// Figure 5: each row where two or three of its features are, three seen from the side.
export function vectors(svg, answer, moment, reach) {
  svg.replaceChildren();
  const three = answer.axes.length > 2, lean = three ? 0.38 : 0, scale = 134 / reach / (1 + lean * 0.9);
  const at = (x, y = 0, z = 0) => [SIZE / 2 + scale * (x + lean * z), SIZE / 2 - scale * (y + lean * 0.7 * z)];
  const line = (...points) => shape("polyline", { points: points.map((p) => at(...p).join(",")).join(" "), class: "axis" }, svg);
  const faces = three ? [-1, 1] : [0];
  for (const z of faces) line([-1, -1, z], [-1, 1, z], [1, 1, z], [1, -1, z], [-1, -1, z]);
  if (three) for (const [x, y] of [[-1, -1], [-1, 1], [1, -1], [1, 1]]) line([x, y, -1], [x, y, 1]);
  const named = answer.axes.map((bit) => `bit ${bit + 1}${bit < answer.bits ? "" : ", noise"}`), front = three ? -1 : 0;
  label(svg, at(0, -1, front), named[0], "middle", 16);
  if (named[1]) label(svg, at(-1, 0, front), named[1], "end", 0, -8);
  if (three) label(svg, [SIZE - 2, at(1, -1, 0)[1]], named[2], "end", 18);
  points(svg, moment.vectors.map((place, row) => moved(at(...place), row)), answer.labels, 3.6);
}

function label(svg, [x, y], text, anchor, down, right = 0) {
  shape("text", { x: x + right, y: y + down, "text-anchor": anchor }, svg, text);
}

// Scores, a bar a feature; those that matter in colour.
export function bars(svg, scores, bits, most) {
  svg.replaceChildren();
  const [left, bottom, height] = [30, 150, 138], width = (SIZE - left - 8) / scores.length; // the last number needs room
  for (const share of [0, 0.5, 1]) {
    const y = bottom - height * share;
    shape("line", { x1: left, x2: SIZE, y1: y, y2: y, class: "axis" }, svg);
    shape("text", { x: left - 4, y: y + 4, "text-anchor": "end" }, svg, String(Number((most * share).toPrecision(2))));
  }
  scores.forEach((score, k) => {
    const tall = (height * score) / (most || 1);
    const bar = shape("rect", { x: left + k * width + 0.1 * width, y: bottom - tall, width: 0.8 * width, height: tall, class: k < bits ? "bar-active" : "bar-idle" }, svg);
    shape("title", {}, bar, `bit ${k + 1}: ${score}`);
    const named = width > 18 || (width > 9 && k < bits) || ((k + 1) % 5 === 0 && k > bits) || (k + 1) % 20 === 0;
    if (named) shape("text", { x: left + (k + 0.5) * width, y: bottom + 16, "text-anchor": "middle" }, svg, String(k + 1));
  });
  label(svg, [left - 4, bottom], "bit", "end", 16);
}

// Figure 2: p(true) over the first two features, orange where false and blue where true.
export function decisionMap(canvas, svg, answer) {
  const side = answer.map.length, context = canvas.getContext("2d");
  canvas.width = canvas.height = side;
  const image = context.createImageData(side, side);
  const [low, middle, high] = [[230, 159, 0], [247, 247, 247], [0, 114, 178]];
  answer.map.forEach((line, up) => line.forEach((p, across) => {
    const [from, to, share] = p < 0.5 ? [low, middle, 2 * p] : [middle, high, 2 * p - 1];
    const start = 4 * ((side - 1 - up) * side + across);
    for (let k = 0; k < 3; k++) image.data[start + k] = from[k] + (to[k] - from[k]) * share;
    image.data[start + 3] = 255;
  }));
  context.putImageData(image, 0, 0);
  svg.replaceChildren();
  const at = (value, k) => SIZE / 2 + (k ? -1 : 1) * (SIZE / 2 / answer.reach) * value;
  const corners = grouped([...answer.corners.keys()], (row) => answer.corners[row].join());
  const places = [];
  for (const rows of corners.values()) rows.forEach((row, k) => (places[row] = blooming(answer.corners[row].map(at), k)));
  points(svg, places, answer.labels, 3.4);
  for (const value of [-1, 1]) {
    label(svg, [at(value, 0), SIZE], String(value).replace("-", "−"), "middle", 16);
    label(svg, [0, at(value, 1)], String(value).replace("-", "−"), "end", 4, -5);
  }
  label(svg, [SIZE / 2, SIZE], "bit 1", "middle", 16);
  shape("text", { transform: `translate(-7 ${SIZE / 2}) rotate(-90)`, "text-anchor": "middle" }, svg, "bit 2");
}

// The seeds of a sunflower: the rows of one corner around it, so that each is seen.
function blooming([x, y], k) {
  const turn = k * 2.399963, far = 5.2 * Math.sqrt(k);
  return [x + far * Math.cos(turn), y + far * Math.sin(turn)];
}
