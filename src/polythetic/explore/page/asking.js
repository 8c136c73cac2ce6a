// Questions to the server: one at a time, with how far it is, what went wrong, and a way to stop it.

const token = document.querySelector('meta[name="polythetic-token"]').content;
const [main, problem, work, doing, stop] = ["main", "problem", "work", "doing", "stop"].map((id) => document.getElementById(id));
const PATIENCE = 250; // ms before a word on the work
let current = null;

export function complain(message) {
  problem.textContent = message;
}

// Returns {answer, notes}, or null if it was stopped, went wrong (which is shown), or another question came.
export async function ask(view, query, body = "") {
  current?.abort();
  const mine = (current = new AbortController());
  const late = setTimeout(() => (work.hidden = false), PATIENCE);
  doing.textContent = "Computing …";
  main.setAttribute("aria-busy", "true");
  try {
    const outcome = await lastLine(view, query, body, mine.signal);
    if (mine !== current) return null;
    if (outcome.error) complain(outcome.error);
    else if (outcome.answer) complain("");
    return outcome.answer ? outcome : null;
  } catch (error) {
    if (mine === current) complain(mine.signal.aborted ? "Stopped." : "No answer: is polythetic explore still running?");
    return null;
  } finally {
    clearTimeout(late);
    if (mine === current) {
      work.hidden = true;
      main.setAttribute("aria-busy", "false");
    }
  }
}

async function lastLine(view, query, body, signal) {
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

function tell(line) {
  const { doing: what, done, total } = line.length < 400 ? JSON.parse(line) : {};
  if (what) doing.textContent = total > 1 ? `${what}: ${done} of ${total}` : `${what} …`;
}

// Give up the question that is being answered, without a word.
export function drop() {
  const given = current;
  current = null;
  given?.abort();
}

stop.addEventListener("click", () => current?.abort());
