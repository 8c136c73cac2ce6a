// Small helpers for drawing; nothing is computed here but places on the screen.

const SVG = "http://www.w3.org/2000/svg";

export function shape(name, attributes, parent, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent?.append(made);
  return made;
}

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A table; the first cell of each line is its heading.
export function table(header, lines) {
  const head = element("tr", {}, ...header.map((cell) => element("th", { scope: "col" }, cell)));
  const body = lines.map(([first, ...rest]) =>
    element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((cell) => element("td", {}, cell))));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

// Items by what they have in common, in the order of their first.
export function grouped(items, key) {
  const found = new Map();
  for (const item of items) {
    const group = key(item);
    if (!found.has(group)) found.set(group, []);
    found.get(group).push(item);
  }
  return found;
}

// Names as one lists them: a, b and c.
export const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

export const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

export const percent = (value, digits = 1) => `${value.toFixed(digits)}\u00a0%`;

// The same small shift for the same number each time, so that rows in one place can be told apart.
export function shaken(number, size) {
  const turn = number * 2.399963; // the golden angle
  const far = size * Math.sqrt(((number * 7) % 11) / 11);
  return [far * Math.cos(turn), far * Math.sin(turn)];
}
