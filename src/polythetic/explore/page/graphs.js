// The four pictures of a Boolean task.

import { grouped, shape, shaken } from "/drawing.js";

const SIZE = 300;

// Figure 4: the rows of one class, those of a variant together, and the attention between them.
export function attentionGraph(svg, answer, moment, label) {
  svg.replaceChildren();
  const members = answer.labels.flatMap((found, row) => (found === label ? [row] : []));
  const groups = grouped(members, (row) => answer.variants[row].join(""));
  const names = [...groups.keys()].sort();
  const far = names.length > 1 ? 90 : 0;
  const near = names.length > 1 ? Math.min(46, 0.8 * far * Math.sin(Math.PI / names.length)) : 90;
  const most = Math.max(...[...groups.values()].map((rows) => rows.length));
  const radius = Math.max(2, Math.min(10, (near * Math.PI) / most / 1.15));
  const place = new Map();
  names.forEach((name, k) => {
    const corner = (2 * Math.PI * (k + 0.5)) / names.length;
    groups.get(name).forEach((row, i, rows) => {
      const turn = (2 * Math.PI * i) / rows.length, off = rows.length > 1 ? near : 0;
      place.set(row, [SIZE / 2 + far * Math.cos(corner) + off * Math.cos(turn), SIZE / 2 + far * Math.sin(corner) + off * Math.sin(turn)]);
    });
  });
  const strongest = Math.max(0.05, ...moment.edges.map(([, , weight]) => weight));
  for (const [i, j, weight] of moment.edges) {
    if (!place.has(i)) continue;
    const [[x1, y1], [x2, y2]] = [place.get(i), place.get(j)];
    shape("line", { x1, y1, x2, y2, class: "edge", "stroke-width": Math.max(0.3, (2.2 * weight) / strongest), "stroke-opacity": 0.08 + (0.6 * weight) / strongest }, svg);
  }
  for (const [row, [x, y]] of place) disc(svg, x, y, radius, answer, moment, row);
}

// Left half: the features that matter as red, green and blue; right half: how large the others still are.
function disc(svg, x, y, radius, answer, moment, row) {
  const active = moment.colours[row];
  const colour = [0, 1, 2].map((k) => Math.round(255 * Math.min(1, Math.max(0, ((active[k] ?? 0) + 1) / 2))));
  const grey = Math.round(255 * (1 - Math.min(1, moment.others[row])));
  const half = (sweep) => `M ${x} ${y - radius} A ${radius} ${radius} 0 0 ${sweep} ${x} ${y + radius} Z`;
  shape("path", { d: half(0), class: "disc", fill: `rgb(${colour})` }, svg);
  shape("path", { d: half(1), class: "disc", fill: answer.features > answer.bits ? `rgb(${grey},${grey},${grey})` : `rgb(${colour})` }, svg);
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
  if (three) label(svg, at(1, -1, 0), named[2], "start", 8, 8);
  moment.vectors.forEach(([x, y = 0, z = 0], row) => {
    const [cx, cy] = at(x, y, z), [dx, dy] = shaken(row, 7);
    if (answer.labels[row] > 0) shape("circle", { cx: cx + dx, cy: cy + dy, r: 3.6, class: "is-true" }, svg);
    else shape("rect", { x: cx + dx - 3.2, y: cy + dy - 3.2, width: 6.4, height: 6.4, class: "is-false" }, svg);
  });
}

function label(svg, [x, y], text, anchor, down, right = 0) {
  shape("text", { x: x + right, y: y + down, "text-anchor": anchor }, svg, text);
}

// Scores, a bar a feature; those that matter in colour.
export function bars(svg, scores, bits, most) {
  svg.replaceChildren();
  const [left, bottom, height] = [26, 150, 135], width = (SIZE - left - 4) / scores.length;
  for (const share of [0, 0.5, 1]) {
    const y = bottom - height * share;
    shape("line", { x1: left, x2: SIZE, y1: y, y2: y, class: "axis" }, svg);
    shape("text", { x: left - 4, y: y + 4, "text-anchor": "end" }, svg, String(Number((most * share).toPrecision(2))));
  }
  scores.forEach((score, k) => {
    const tall = (height * score) / (most || 1);
    const bar = shape("rect", { x: left + k * width + 0.1 * width, y: bottom - tall, width: 0.8 * width, height: tall, class: k < bits ? "bar-active" : "bar-idle" }, svg);
    shape("title", {}, bar, `bit ${k + 1}: ${score}`);
    if (width > 15 || (k < bits && width > 7)) shape("text", { x: left + (k + 0.5) * width, y: bottom + 13, "text-anchor": "middle" }, svg, String(k + 1));
  });
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
  answer.variants.forEach((bits, row) => {
    const [x, y] = answer.corners[row].map((value, k) => SIZE / 2 + (k ? -1 : 1) * (SIZE / 2 / answer.reach) * value);
    const [dx, dy] = shaken(row, 7);
    if (answer.labels[row] > 0) shape("circle", { cx: x + dx, cy: y + dy, r: 4, class: "is-true" }, svg);
    else shape("rect", { x: x + dx - 3.5, y: y + dy - 3.5, width: 7, height: 7, class: "is-false" }, svg);
  });
}
