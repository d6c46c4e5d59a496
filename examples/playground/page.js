// The page says commands to the module and draws what `look` answers, both in the text form of the crate `bookahead-commands`. What is only asked is
// tried on a copy, so that the history holds what has really been done.
"use strict";

const POLICIES = ["first-fit", "pe-best-fit", "pe-worst-fit", "duration-best-fit", "duration-worst-fit", "pe-duration-best-fit", "pe-duration-worst-fit"];
const WAYS = [...POLICIES, "juggle", "shift"];
const REASONS = {
  "no-room": "nowhere in the window are so many PEs free for so long",
  "too-wide": "the machine has fewer PEs",
  "too-long": "the job is longer than the horizon",
  "window-too-short": "the job is longer than its window",
  "beyond-horizon": "the window ends later than can be booked",
  "ready-in-past": "the window begins in the past",
  "table-full": "the book has no row left for another reservation",
  "move-limit": "too many others would have to move",
  "work-limit": "the search was given up",
  "zero-duration": "the job takes no time",
  "zero-pes": "the job takes no PEs",
};
const HEAD = "size sets 16 48 32 easy 4 no";
const SAMPLE = [
  "book 0 9 40 6 first-fit flexible interval never",
  "book 2 7 40 7 first-fit confirmed",
  "book 6 12 40 5 pe-worst-fit flexible interval never",
  "book 12 6 44 9 first-fit flexible interval never",
  "book 20 10 48 4 first-fit confirmed",
  "book 20 7 48 10 first-fit flexible interval never",
  "book 30 9 48 8 pe-worst-fit flexible interval never",
];

const find = (id) => document.getElementById(id);
const chart = find("chart");

/** Speaks to the module: text in, text out. */
let say;
/** The first lines of the history, and its commands with their replies. */
let head = HEAD;
let told = [];
/** What the book looks like. */
let state;
/** The request in hand: ready, duration, deadline, pes, and the row in which it is drawn; or null. */
let draft = null;
/** What comes of it by each way. */
let tries = new Map();
/** How the chart is measured, since it was drawn last. */
let scale;
/** What a pointer is doing: which part, and where it began. */
let grip = null;
/** How much longer than its job a drawn request's window is. */
let slack = 8;

/** A reply, read word by word. */
class Words {
  constructor(line) {
    this.words = line.split(" ");
    this.at = 0;
  }
  next() {
    return this.words[this.at++];
  }
  number() {
    return Number(this.next());
  }
  numbers(count) {
    return Array.from({ length: count }, () => this.number());
  }
  maybe(read) {
    if (this.words[this.at] !== "-") return read();
    this.at += 1;
    return null;
  }
  list(read) {
    const items = [];
    this.at += 1;
    while (this.words[this.at] !== "]" && this.at < this.words.length) items.push(read());
    this.at += 1;
    return items;
  }
  /** What was done, or null where it was not. */
  done(read) {
    return this.next() === "ok" ? read() : (this.next(), null);
  }
  reservation() {
    const [ready, duration, deadline, pes, start, end] = this.numbers(6);
    const phase = this.next();
    const expires = phase === "held" ? this.number() : null;
    this.maybe(() => this.number());
    return { ready, duration, deadline, pes, start, end, phase, expires };
  }
  state() {
    this.next();
    this.done(() => null);
    const [now] = this.numbers(2);
    const next = this.maybe(() => this.number());
    this.list(() => this.numbers(2));
    const reservations = this.list(() => ({ number: this.number(), ...this.reservation() }));
    const known = this.list(() => {
      this.done(() => this.reservation());
      const fixed = this.done(() => this.next()) === "yes";
      const names = this.done(() => this.list(() => this.number())) ?? [];
      this.maybe(() => [this.done(() => this.number()), this.done(() => this.list(() => this.number()))]);
      return { fixed, names };
    });
    reservations.forEach((one, nth) => Object.assign(one, known[nth]));
    return { now, next, reservations };
  }
}

/** What came of an attempt to book: the number and the start, who else has moved, or why not. */
function outcome(reply) {
  const words = new Words(reply);
  const kind = words.next();
  if (kind === "booked") return { number: words.number(), start: words.number(), moved: [] };
  if (kind !== "juggled") return { reason: kind === "refused" ? words.next() : reply };
  const [number, start] = words.numbers(2);
  const place = () => words.maybe(() => words.numbers(3));
  const moves = words.list(() => ({ whose: words.number(), from: place(), to: place() }));
  return { number, start, moved: moves.map((move) => move.whose).filter((whose) => whose !== number) };
}

const size = () => {
  const [, kind, pes, horizon] = head.split(/\s+/);
  return { kind, pes: Number(pes), horizon: Number(horizon) };
};
const isEarly = () => size().kind.endsWith("sets");
const terms = () => (find("flexible").checked ? "flexible interval never" : "confirmed");
const way = () => document.querySelector("[name=way]:checked").value;
const asked = () => `${draft.ready} ${draft.duration} ${draft.deadline} ${draft.pes}`;

/** The command that books the draft in a way. */
function booking(by) {
  if (by === "juggle") return `juggle ${asked()} ${terms()} deadline no yes ${state.now} 64 64 64 1000000 commit`;
  if (by === "shift") return `shift-in ${asked()} ${terms()} both least-shift ${state.now} 64 1000000 64 commit`;
  return `book ${asked()} ${by} ${terms()}`;
}

/** Has a command performed and noted. */
function tell(command) {
  const reply = say(command);
  told.push({ command, reply });
  return reply;
}

/** A fresh book to which these commands are said. The module's complaint where there is no such book. */
function restart(first, commands) {
  const opened = say(first);
  if (opened !== "open") return opened;
  head = first;
  const replies = commands.length > 0 ? say(commands.join("\n")).split("\n") : [];
  told = commands.map((command, nth) => ({ command, reply: replies[nth] }));
  draft = null;
  look();
  return null;
}

function history() {
  return [...head.split("\n"), ...told.flatMap(({ command, reply }) => [command, `= ${reply}`])].join("\n") + "\n";
}

/** Replays a history. What came of it, in a sentence. */
function replay(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  const heads = lines[1]?.startsWith("layout") ? 2 : 1;
  const commands = [];
  const expected = [];
  for (const line of lines.slice(heads)) {
    if (line.startsWith("=")) expected[commands.length - 1] = line.slice(1).trim();
    else commands.push(line);
  }
  const complaint = restart(lines.slice(0, heads).join("\n"), commands);
  if (complaint) return complaint;
  const wrong = told.findIndex(({ reply }, nth) => expected[nth] !== undefined && expected[nth] !== reply);
  if (wrong >= 0) return `${told[wrong].command} answers ${told[wrong].reply}, and not ${expected[wrong]}`;
  return `${Object.keys(expected).length} replies are as expected, nothing was expected of ${commands.length - Object.keys(expected).length}`;
}

/** Tries the draft in every way, and shows everything. */
function ask() {
  tries = new Map();
  if (draft) {
    for (const by of WAYS) {
      const [reply, after] = say(`try ${booking(by)}`).split("\n");
      tries.set(by, { ...outcome(reply), after });
    }
  }
  show();
}

/** Reads the book again, after it has changed. */
function look() {
  state = new Words(say("look")).state();
  // Histories may end at any time, drawings only at a number that a script can count from.
  if (!Number.isSafeInteger(state.now + size().horizon)) state = { now: 0, next: null, reservations: [] };
  if (draft && draft.ready < state.now) draft = null;
  ask();
}

/** Books the draft in the chosen way, if it fits, or says why not. */
function book() {
  if (!draft) return;
  const tried = tries.get(way());
  if (tried.reason) return show();
  tell(booking(way()));
  draft = null;
  look();
  const made = state.reservations.find((one) => one.number === tried.number);
  find("said").textContent = `Booked as ${made.number}: ${where(made)}.${moving(tried)}`;
}

/** Moves and resizes the draft, as far as the machine and its time go. */
function reshape(change) {
  const { pes, horizon } = size();
  const last = state.now + horizon;
  const room = Math.min(horizon, 8);
  const next = { ready: state.now, duration: Math.min(4, room), pes: Math.min(4, pes), row: 0, ...draft, ...change };
  const within = (least, most, value) => Math.max(least, Math.min(most, value));
  next.duration = within(1, horizon, next.duration);
  next.ready = within(state.now, last - next.duration, next.ready);
  next.pes = within(1, pes, next.pes);
  next.row = within(0, pes - next.pes, next.row);
  if (change.deadline === undefined) next.deadline = next.ready + next.duration + slack;
  next.deadline = within(next.ready + next.duration, last, next.deadline);
  if (change.deadline !== undefined) slack = next.deadline - next.ready - next.duration;
  draft = next;
  ask();
}

const count = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
const slots = (start, end) => (end - start === 1 ? `slot ${start}` : `slots ${start} to ${end - 1}`);
const moving = ({ moved }) => (moved.length > 0 ? ` ${moved.length === 1 ? "Number" : "Numbers"} ${moved.join(", ")} ${moved.length === 1 ? "moves" : "move"} for it.` : "");

/** Numbers in ascending order as ranges. */
function runs(numbers) {
  const found = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && last[0] + last[1] === number) last[1] += 1;
    else found.push([number, 1]);
  }
  return found;
}

const ranges = (numbers) => runs(numbers).map(([first, length]) => (length === 1 ? `${first}` : `${first}-${first + length - 1}`)).join(" ");

function where(one) {
  const named = one.names.length > 0 ? `PE${one.names.length === 1 ? "" : "s"} ${ranges(one.names)}` : count(one.pes, "PE");
  return `${slots(one.start, one.end)} on ${named}`;
}

function show() {
  const kind = document.querySelector(`[name=kind][value=${isEarly() ? "sets" : "counts"}]`);
  kind.checked = true;
  find("now").textContent = state.now;
  find("event").disabled = state.next === null;
  find("undo").disabled = told.length === 0;
  find("text").value = history();
  const tried = draft && tries.get(way());
  const holders = showAnswer(tried);
  for (const by of WAYS) {
    const { reason, start, moved } = tries.get(by) ?? {};
    const output = find(by);
    output.textContent = !draft ? "" : reason ? reason : `slot ${start}${moved.length > 0 ? `, moves ${moved.length}` : ""}`;
    output.className = reason ? "refused" : "";
  }
  if (draft) for (const name of ["ready", "duration", "deadline", "pes"]) if (document.activeElement !== find("form")[name]) find("form")[name].value = draft[name];
  find("book").disabled = !tried || Boolean(tried.reason);
  showRows();
  drawChart(tried, holders);
}

/** The answer to the draft in words. Who is in its way. */
function showAnswer(tried) {
  find("why").textContent = find("offers").textContent = "";
  if (!tried) {
    find("said").textContent = "Draw a request, or change its numbers.";
    return [];
  }
  if (!tried.reason) {
    const made = new Words(tried.after).state().reservations.find((one) => one.number === tried.number);
    find("said").textContent = `It would get ${where(made)}.${moving(tried)}`;
    return [];
  }
  find("said").textContent = `Refused, ${tried.reason}: ${REASONS[tried.reason] ?? "see the documentation of refusals"}.`;
  showOffers();
  return explain();
}

function explain() {
  const words = new Words(say(`explain ${asked()} 5`));
  if (words.next() !== "explained") return [];
  const number = () => words.maybe(() => words.number());
  const [fits, more, earlier, later] = [number(), words.number(), number(), number()];
  const holders = new Set();
  const obstacles = words.list(() => {
    const [start, lacking, at] = words.numbers(3);
    const names = words.list(() => words.number());
    words.number();
    names.forEach((name) => holders.add(name));
    return `From slot ${start}: ${count(lacking, "PE")} too few in slot ${at}, where ${names.join(", ")} ${names.length === 1 ? "runs" : "run"}.`;
  });
  if (fits !== null) obstacles.push(`First fit finds room in slot ${fits}.`);
  if (more > 0) obstacles.push(`${count(more, "more start")} fail.`);
  if (earlier !== null) obstacles.push(`Before its window it would fit in slot ${earlier}.`);
  if (later !== null) obstacles.push(`After its window it would fit in slot ${later}.`);
  find("why").replaceChildren(...obstacles.map((text) => element("li", text)));
  return [...holders];
}

function showOffers() {
  const words = new Words(say(`offers ${asked()} pareto-front earliest 8 100 150 5`));
  if (words.next() !== "offered") return;
  words.at += 2;
  const offers = words.list(() => Array.from({ length: 12 }, () => words.next()));
  find("offers").replaceChildren(...offers.map((offer) => {
    const [start, end, pes] = [2, 3, 10].map((nth) => Number(offer[nth]));
    const item = element("li", `Counter-offer: ${count(pes, "PE")} in ${slots(start, end)}, at a price of ${offer[9]}. `);
    const take = element("button", "Take");
    take.setAttribute("aria-label", `Take ${count(pes, "PE")} in ${slots(start, end)}`);
    take.onclick = () => {
      const made = outcome(tell(`accept ${offer.join(" ")} ${end - start} ${pes} ${terms()}`));
      draft = null;
      look();
      find("said").textContent = made.reason ? `Refused, ${made.reason}.` : `Booked as ${made.number}.`;
    };
    item.append(take);
    return item;
  }));
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function showRows() {
  find("none").hidden = state.reservations.length > 0;
  find("rows").replaceChildren(...state.reservations.map((one) => {
    const row = document.createElement("tr");
    const name = element("th", one.number);
    name.scope = "row";
    const swatch = element("span", "");
    swatch.className = "swatch";
    swatch.style.setProperty("--hue", hue(one.number));
    name.prepend(swatch);
    const pes = one.names.length > 0 ? ranges(one.names) : `any ${one.pes}`;
    const phase = one.phase === "held" ? `held until ${one.expires}` : one.phase;
    const cells = [`${one.start} to ${one.end - 1}`, pes, `${one.ready} to ${one.deadline - 1}`, one.fixed ? phase : `${phase}, may move`];
    const end = element("td", "");
    const runs = one.phase === "running";
    const give = element("button", runs ? "End" : "Cancel");
    give.setAttribute("aria-label", `${runs ? "End" : "Cancel"} number ${one.number}`);
    give.onclick = () => {
      tell(runs ? `complete ${one.number} ${state.now}` : `cancel ${one.number}`);
      look();
    };
    end.append(give);
    row.append(name, ...cells.map((text) => element("td", text)), end);
    return row;
  }));
}

const hue = (number) => Math.round((number * 137.5 + 205) % 360);

/** The rectangles of reservations: with early binding the PEs that each has, with late binding numbers piled up on each other. */
function pieces(reservations) {
  const base = new Map();
  return reservations.flatMap((one) => {
    if (isEarly()) return runs(one.names).map(([row, rows]) => ({ one, start: one.start, end: one.end, row, rows }));
    const found = [];
    for (let slot = Math.max(one.start, state.now); slot < one.end; slot += 1) {
      const row = base.get(slot) ?? 0;
      base.set(slot, row + one.pes);
      const last = found.at(-1);
      if (last && last.row === row) last.end = slot + 1;
      else found.push({ one, start: slot, end: slot + 1, row, rows: one.pes });
    }
    return found;
  });
}

function drawChart(tried, holders) {
  const { pes, horizon } = size();
  const width = chart.clientWidth || 800;
  const [left, foot] = [30, 52];
  const rowHeight = Math.max(4, Math.min(width < 600 ? 17 : 24, Math.floor(480 / pes)));
  const height = rowHeight * pes;
  const from = state.now;
  const step = (width - left - 12) / horizon;
  scale = { left, step, rowHeight, height, from, pes, horizon };
  chart.setAttribute("height", height + foot);
  chart.setAttribute("viewBox", `0 0 ${width} ${height + foot}`);
  const x = (slot) => left + (slot - from) * step;
  const y = (row) => height - row * rowHeight;
  const parts = [];
  const every = [1, 2, 4, 8, 16, 32, 64, 128, 256].find((slots) => slots * step >= 26) ?? 512;
  for (let slot = Math.ceil(from / every) * every; slot <= from + horizon; slot += every) {
    parts.push(`<line class="grid" x1="${x(slot)}" x2="${x(slot)}" y1="0" y2="${height}"/><text x="${x(slot)}" y="${height + 14}" text-anchor="middle">${slot}</text>`);
  }
  const rows = [1, 2, 4, 8, 16, 32, 64].find((count) => count * rowHeight >= 15) ?? 128;
  for (let row = 0; row <= pes; row += 1) {
    if (row % rows === 0 || row === pes) parts.push(`<line class="grid" x1="${left}" x2="${x(from + horizon)}" y1="${y(row)}" y2="${y(row)}"/>`);
    const middle = isEarly() ? y(row + 0.5) : Math.max(y(row), 6);
    if (isEarly() ? row % rows === 0 && row < pes : row % Math.max(rows, 4) === 0) parts.push(`<text x="${left - 5}" y="${middle}" text-anchor="end" dominant-baseline="central">${row}</text>`);
  }
  const shown = tried?.after && !tried.reason ? new Words(tried.after).state().reservations : state.reservations;
  const biggest = new Map();
  for (const piece of pieces(shown)) {
    const { one, row } = piece;
    const [start, end] = [Math.max(piece.start, from), Math.min(piece.end, from + horizon)];
    if (end <= start) continue;
    const isNew = tried && !tried.reason && (one.number === tried.number || tried.moved.includes(one.number));
    const look = isNew ? "bar ghost" : holders.includes(one.number) ? "bar holder" : one.fixed ? "bar fixed" : "bar";
    const box = { left: x(start) + 1, top: y(row + piece.rows) + 1, width: (end - start) * step - 2, height: piece.rows * rowHeight - 2 };
    parts.push(`<rect class="${look}" style="--hue:${hue(one.number)}" x="${box.left}" y="${box.top}" width="${Math.max(box.width, 1)}" height="${Math.max(box.height, 1)}" rx="2"><title>${one.number}: ${where(one)}</title></rect>`);
    const best = biggest.get(one.number);
    if (!best || box.width * box.height > best.width * best.height) biggest.set(one.number, box);
  }
  for (const [number, box] of biggest) {
    if (box.width >= 9 && box.height >= 11) parts.push(`<text class="number" x="${box.left + box.width / 2}" y="${box.top + box.height / 2}">${number}</text>`);
  }
  parts.push(`<line x1="${left}" x2="${x(from + horizon)}" y1="${height}" y2="${height}" stroke="currentColor"/>`);
  if (draft) {
    parts.push(`<rect class="draft" x="${x(draft.ready)}" y="${y(draft.row + draft.pes)}" width="${draft.duration * step}" height="${draft.pes * rowHeight}"/>`);
    const top = height + 24;
    parts.push(`<rect class="window" x="${x(draft.ready)}" y="${top + 8}" width="${(draft.deadline - draft.ready) * step}" height="8"/>`);
    for (const [part, least, most] of [["ready", from, draft.deadline - draft.duration], ["deadline", draft.ready + draft.duration, from + horizon]]) {
      const name = part === "ready" ? "Ready, the window's begin" : "Deadline, the window's end";
      parts.push(`<rect class="handle" id="${part}-handle" data-part="${part}" tabindex="0" role="slider" aria-label="${name}" aria-valuemin="${least}" aria-valuemax="${most}" aria-valuenow="${draft[part]}" x="${x(draft[part]) - 6}" y="${top}" width="12" height="24" rx="4"/>`);
    }
  }
  const focused = chart.contains(document.activeElement) && document.activeElement.id;
  chart.innerHTML = parts.join("");
  if (focused && focused !== "chart") find(focused)?.focus();
}

/** The slot and the row below a pointer. */
function cell(event) {
  const box = chart.getBoundingClientRect();
  const { left, step, rowHeight, height, from, pes, horizon } = scale;
  const within = (value, most) => Math.max(0, Math.min(most, value));
  const slot = from + within(Math.floor((event.clientX - box.left - left) / step), horizon - 1);
  const row = within(Math.floor((height - (event.clientY - box.top)) / rowHeight), pes - 1);
  return { slot, row, edge: from + within(Math.round((event.clientX - box.left - left) / step), horizon) };
}

/** Moves an end of the window; the other one stays. */
function drag(part, slot) {
  if (part === "deadline") return reshape({ deadline: slot });
  const ready = Math.min(slot, draft.deadline - draft.duration);
  reshape({ ready, deadline: draft.deadline });
}

chart.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  grip = { part: event.target.dataset?.part ?? "new", ...cell(event), has: false };
  chart.setPointerCapture(event.pointerId);
  if (grip.part === "new") chart.focus({ preventScroll: true });
  event.preventDefault();
});

chart.addEventListener("pointermove", (event) => {
  if (!grip) return;
  const to = cell(event);
  if (grip.part !== "new") {
    if (draft && to.edge !== draft[grip.part]) drag(grip.part, to.edge);
    return;
  }
  if (!grip.has && to.slot === grip.slot && to.row === grip.row) return;
  const next = {
    ready: Math.min(grip.slot, to.slot),
    duration: Math.abs(grip.slot - to.slot) + 1,
    row: Math.min(grip.row, to.row),
    pes: Math.abs(grip.row - to.row) + 1,
  };
  if (!grip.has || Object.keys(next).some((name) => next[name] !== draft[name])) reshape(next);
  grip.has = true;
});

chart.addEventListener("pointerup", () => {
  const drawn = grip?.part === "new" && grip.has;
  grip = null;
  if (drawn && find("drop").checked) book();
});

chart.addEventListener("pointercancel", () => {
  grip = null;
});

chart.addEventListener("keydown", (event) => {
  const part = event.target.dataset?.part;
  const [right, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
  if (event.key === "Enter") book();
  else if (event.key === "Escape") {
    draft = null;
    ask();
  } else if (right === 0 && up === 0) return;
  else if (!draft) reshape({});
  else if (part) drag(part, draft[part] + right + up);
  else if (event.shiftKey) reshape({ duration: draft.duration + right, pes: draft.pes + up });
  else reshape({ ready: draft.ready + right, row: draft.row + up });
  event.preventDefault();
});

find("ways").insertAdjacentHTML("beforeend", WAYS.map((by) => `<label><input type="radio" name="way" value="${by}"${by === "first-fit" ? " checked" : ""}><span>${by}</span><output id="${by}"></output></label>`).join(""));
find("ways").addEventListener("change", show);
find("flexible").addEventListener("change", ask);
find("form").addEventListener("input", (event) => {
  if (event.target.type !== "number") return;
  const [ready, duration, deadline, pes] = ["ready", "duration", "deadline", "pes"].map((name) => find("form")[name].valueAsNumber);
  if ([ready, duration, deadline, pes].some(Number.isNaN)) return;
  // As it is, so that the kernel says what is wrong with it.
  draft = { row: 0, ...draft, ready, duration, deadline, pes };
  slack = Math.max(0, deadline - ready - duration);
  ask();
});
find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  book();
});
for (const kind of document.querySelectorAll("[name=kind]")) {
  kind.addEventListener("change", () => restart(head.replace(/^size \S+/, `size ${kind.value}`), told.map(({ command }) => command)));
}

/** Lets time pass, event by event; what has happened, in words. */
function pass(to) {
  // A job that starts now starts before time moves on.
  const until = state.next !== null && state.next <= state.now ? [state.now, to] : [to];
  const happened = until.flatMap((slot) => {
    const words = new Words(tell(`advance ${slot} 64`));
    if (words.next() !== "passed") return [];
    words.next();
    return words.list(() => {
      const [at, whose, kind] = [words.number(), words.maybe(() => words.number()), words.next()];
      words.maybe(() => words.number());
      return `slot ${at}: ${whose} ${kind}`;
    });
  });
  look();
  find("said").textContent = happened.length > 0 ? `${happened.join(", ")}.` : "Nothing has happened.";
}

find("tick").onclick = () => pass(state.now + 1);
find("event").onclick = () => pass(Math.max(state.now, state.next));
find("undo").onclick = () => restart(head, told.slice(0, -1).map(({ command }) => command));
find("clear").onclick = () => restart(head, []);
find("replay").onclick = () => {
  find("replayed").textContent = replay(find("text").value);
};

/** Opens the module, which is compressed and written as base64, and begins with a sample. */
async function begin(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { instance } = await WebAssembly.instantiate(await new Response(stream).arrayBuffer());
  const { memory, desk, room, say: hear, answer } = instance.exports;
  const own = desk();
  say = (text) => {
    const said = new TextEncoder().encode(text);
    // Before the memory is looked at: it may grow, and is another buffer then.
    const at = room(own, said.length);
    new Uint8Array(memory.buffer, at, said.length).set(said);
    const length = hear(own);
    return new TextDecoder().decode(new Uint8Array(memory.buffer, answer(own), length));
  };
  restart(HEAD, SAMPLE);
  reshape({ ready: 9, duration: 7, deadline: 38, row: 11, pes: 4 });
  new ResizeObserver(() => show()).observe(chart);
}
