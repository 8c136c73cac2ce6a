// Questions to the server: one at a time, with how far it is, what went wrong, and a way to stop it.

const token = document.querySelector('meta[name="polythetic-token"]').content;
const [main, problem, work, doing, stop] = ["main", "problem", "work", "doing", "stop"].map((id) => document.getElementById(id));
const PAUSE = 2500; // ms between words on the work: a screen reader reads them out
const LONG = 1000; // ms of a part from which on its pace is known
let current = null;

export function complain(message) {
  problem.textContent = message;
}

// Returns {answer, notes}, or null if it was stopped, went wrong (which is shown), or another question came.
export async function ask(view, query, body = "") {
  current?.abort();
  const mine = (current = new AbortController());
  main.setAttribute("aria-busy", "true");
  try {
    const outcome = await lastLine(view, query, body, mine.signal, follow(mine));
    if (mine !== current) return null;
    if (outcome.error) complain(outcome.error);
    else if (outcome.answer) complain("");
    return outcome.answer ? outcome : null;
  } catch (error) {
    if (mine === current) complain(mine.signal.aborted ? "Stopped. Change a setting to begin again." : "No answer: is polythetic explore still running?");
    return null;
  } finally {
    if (mine === current) {
      busy(false);
      main.setAttribute("aria-busy", "false");
    }
  }
}

// The box with the words on the work. It is rendered at all times, as words are read out only where they change.
function busy(is) {
  if (!is && document.activeElement === stop) main.focus(); // a button that goes would leave the keyboard nowhere
  work.classList.toggle("hidden", !is);
  stop.hidden = !is;
  if (!is) doing.textContent = "";
}

async function lastLine(view, query, body, signal, tell) {
  const headers = { "X-Polythetic-Token": token, "Content-Type": "application/octet-stream" };
  const response = await fetch(`/api/${view}?${query}`, { method: "POST", headers, body, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return JSON.parse(text);
    text += value;
    const lines = text.split("\n").filter((line, place, all) => line && place < all.length - 1);
    if (lines.length) tell(lines.at(-1));
    text = text.slice(lines.length > 1 ? text.lastIndexOf("\n", text.length - 2) + 1 : 0);
  }
}

// Says, now and then, what the server says of the work to a question; that comes only if it takes time.
function follow(question) {
  const begun = performance.now();
  let part = "", since = begun, before = 0, said = -Infinity;
  return (line) => {
    const { doing: what, done, total } = line.length < 400 ? JSON.parse(line) : {}, now = performance.now();
    if (!what || question !== current) return;
    if (what !== part) [part, since, before] = [what, now, done];
    if (now - said < PAUSE) return;
    said = now;
    busy(true);
    doing.textContent = words(what, done, total, (now - begun) / 1000, now - since > LONG ? (now - since) / 1000 / (done - before) : NaN);
  };
}

// What is being done, how far it is, where the server knows, how long the rest may take, where steps of it were seen, and
// how long it took so far. `each` is the time of a step, if that is known: a part may begin with what others have done.
function words(what, done, total, seconds, each) {
  const far = total > 1 ? `: ${Math.floor((100 * done) / total)} %` : "", left = Math.ceil(each * (total - done));
  const more = total > 1 && left > 0 && left < Infinity ? `, about ${left} s more` : "";
  return what + far + more + (seconds < 2 ? " …" : `; ${Math.round(seconds)} s so far`);
}

// Give up the question that is being answered, without a word.
export function drop() {
  const given = current;
  current = null;
  given?.abort();
}

stop.addEventListener("click", () => current?.abort());
