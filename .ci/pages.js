// What a reader of a report may not meet. `.ci/pages` puts this into a page that holds every report at every width in a frame of its own;
// what is found replaces the page, one line each: page, width, rule, what and where.
//
// cell      In a table no word is broken over lines. A word ends at a space or behind a hyphen.
// overflow  The page does not scroll sideways; wide tables and drawings scroll by themselves.
// share     What is said to be a share stays between nothing and all of it: the axis, its numbers, and what is drawn. It is said by the limits that
//           the report gives the drawing, or else by the words beside the axis: %, rate, share or utilisation, where they are about no difference.
// zero      No zero has a sign.
// digits    A number has at most six digits, leading zeros not counted. Counts may have more where commas set thousands apart; seeds and the
//           numbers of jobs are names and may have any.
// value     Every number in the table of a drawing appears in the drawing by arrow keys, with the names of its line and of its place; every marker
//           answers a finger on it with the point that is there, inside the drawing, until something else is touched.
// told      Every claim that fails says why, and no other one does; whatever is drawn in a reproduction says what there is to see.
// label     Every number in a table has a name: the head of its column, that of its row, or words put before it where columns are given up.
"use strict";

/** All texts that are shown. */
function* texts(doc) {
  const walker = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.trim() && !node.parentElement.closest("style, script")) yield node;
  }
}

function around(text, at) {
  return text.slice(Math.max(0, at - 30), at + 40).replace(/\s+/g, " ").trim();
}

function isShown(element) {
  return element.getClientRects().length > 0;
}

function cells(doc, found) {
  for (const node of texts(doc)) {
    const cell = node.parentElement.closest("td, th");
    if (!cell || !isShown(cell) || node.parentElement.closest("svg")) continue;
    for (const word of node.data.matchAll(/[^\s-]+-?/g)) {
      const range = doc.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) {
        found("cell", `${word[0]} in "${around(cell.textContent, 0)}"`);
        break;
      }
    }
  }
}

function overflow(doc, found) {
  const page = doc.scrollingElement;
  if (page.scrollWidth > page.clientWidth) found("overflow", `${page.scrollWidth} px wide`);
}

/** The least and the most that a drawing may show; nothing where that is not known. */
function limits(plot, values) {
  const { least, most } = plot.dataset;
  if (least !== undefined || most !== undefined) return [Number(least ?? -Infinity), Number(most ?? Infinity)];
  const figure = plot.closest("figure");
  const words = [".axis:not(.below)", "figcaption"].map((part) => figure?.querySelector(part)?.textContent ?? "").join(" ").toLowerCase();
  if (/differ|gain|more|fewer|points/.test(words) || !/%|\brate\b|\bshare\b|utili[sz]ation/.test(words)) return null;
  return [0, words.includes("%") || Math.max(...values) > 1.5 ? 100 : 1];
}

function shares(doc, found) {
  for (const plot of doc.querySelectorAll(".plot")) {
    const marks = [...plot.querySelectorAll("text[text-anchor=end]")].map((text) => ({
      value: Number(text.textContent.replaceAll(",", "")),
      y: Number(text.getAttribute("y")),
    }));
    const numbers = marks.filter((mark) => Number.isFinite(mark.value));
    if (numbers.length < 2 || !plot.matches(".lines")) continue;
    const allowed = limits(plot, numbers.map((mark) => mark.value));
    if (!allowed) continue;
    const [least, most] = allowed;
    const name = plot.getAttribute("aria-label");
    const wrong = numbers.find((mark) => mark.value < least || mark.value > most);
    if (wrong) found("share", `${wrong.value} on the axis of "${name}"`);
    const [low, high] = [numbers[0], numbers[numbers.length - 1]];
    const scale = (high.value - low.value) / (high.y - low.y);
    // Drawings are in whole pixels, and numbers are rounded.
    const air = 2 * Math.abs(scale);
    const value = (y) => low.value + (y - low.y) * scale;
    const drawn = [...plot.querySelectorAll("polygon, polyline, rect")].flatMap((shape) => {
      const points = (shape.getAttribute("points") ?? "").trim().split(/\s+/);
      const [top, high] = ["y", "height"].map((name) => Number(shape.getAttribute(name)));
      const heights = shape.matches("rect") ? [top, top + high] : points.map((point) => Number(point.split(",")[1])).filter(Number.isFinite);
      const isMarker = shape.matches("polygon") && shape.getAttribute("opacity") === "1";
      // A polyline in ink is an axis or a tick; those of the other axis lie below the end of this one.
      const isTick = shape.getAttribute("stroke") === "#000000" && heights[0] - heights.at(-1) >= -5;
      return isMarker || isTick ? [] : heights.map(value);
    });
    const outside = drawn.find((value) => value < least - air || value > most + air);
    if (outside !== undefined) found("share", `${outside.toPrecision(4)} drawn in "${name}"`);
  }
}

function zeros(doc, found) {
  for (const node of texts(doc)) {
    const zero = /(?<![\w.)])[-\u2212]0(\.0+)?(?![\d.]*[\d])/.exec(node.data);
    if (zero) found("zero", around(node.data, zero.index));
  }
}

/** Digits that count. */
function digits(number) {
  return number.replace(/[eE].*/, "").replace(/[,.]/g, "").replace(/^0+/, "").length;
}

function isName(node, at) {
  const before = node.data.slice(0, at);
  const row = node.parentElement.closest("tr, div")?.firstElementChild?.textContent ?? "";
  const cell = node.parentElement.closest("td");
  const head = cell?.closest("table").tHead?.rows[0].cells[cell.cellIndex]?.textContent ?? "";
  return /(\bjob|\bseed|\bid|\brow) $/.test(before) || [row, head].some((name) => /^(seed|job|job_id|id)$/.test(name.trim()));
}

function numbers(doc, found) {
  for (const node of texts(doc)) {
    for (const number of node.data.matchAll(/(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?([eE][-+]?\d+)?(?![\w])/g)) {
      const [text] = number;
      const isCount = /^\d{1,3}(,\d{3})+$/.test(text);
      if (digits(text) > 6 && !isCount && !isName(node, number.index)) found("digits", `${text} in "${around(node.data, number.index)}"`);
    }
  }
}

function labels(doc, found) {
  for (const cell of doc.querySelectorAll("td")) {
    if (!isShown(cell) || !/^\s*[-+\u2212\u00b1]?\d/.test(cell.textContent)) continue;
    const [row, table] = [cell.parentElement, cell.closest("table")];
    const label = doc.defaultView.getComputedStyle(cell, "::before").content;
    const heads = table.tHead?.rows[0].cells ?? [];
    // Counted from the end: cells over several rows stand at the beginning.
    const head = heads[heads.length - (row.cells.length - cell.cellIndex)];
    const ofColumn = head && isShown(head) && head.textContent.trim();
    const ofRow = !table.tHead && row.querySelector("th")?.textContent.trim();
    if (!/\w/.test(label.replace("none", "")) && !ofColumn && !ofRow) found("label", `"${around(cell.textContent, 0)}" in a table of ${table.className || "no class"}`);
  }
}

/** Presses a key on a drawing, and returns what it says then. */
function press(plot, key) {
  const { KeyboardEvent } = plot.ownerDocument.defaultView;
  plot.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  return plot.querySelector("[role=status]")?.textContent ?? "";
}

/** Touches a place, and returns what a drawing says then. */
function touch(plot, element, clientX = 0, clientY = 0) {
  const { PointerEvent } = plot.ownerDocument.defaultView;
  for (const type of ["pointerdown", "pointerup", "pointerleave"]) element.dispatchEvent(new PointerEvent(type, { pointerType: "touch", clientX, clientY, bubbles: type !== "pointerleave" }));
  return plot.querySelector("[role=status]");
}

/** All that a drawing says when one goes through it line by line. */
function walk(plot, lines, places) {
  const said = [press(plot, "ArrowRight")];
  for (let line = 0; line < lines; line += 1) {
    for (const key of ["ArrowLeft", "ArrowRight"]) {
      for (let place = 0; place < places; place += 1) said.push(press(plot, key));
    }
    said.push(press(plot, "ArrowDown"));
  }
  return said;
}

function pointValues(doc, found) {
  for (const plot of doc.querySelectorAll(".plot.lines")) {
    const figure = plot.closest("figure");
    const name = plot.getAttribute("aria-label");
    if (plot.tabIndex !== 0) found("value", `no key reaches "${name}"`);
    const table = figure.querySelector("details table");
    const rows = [...(table?.tBodies[0].rows ?? [])];
    const heads = [...(table?.tHead.rows[0].cells ?? [])];
    // Keys belong to screens: once is enough for what is the same at all widths.
    const said = doc.defaultView.innerWidth > 720 ? walk(plot, rows.length, heads.length) : null;
    for (const row of said ? rows : []) {
      for (const cell of [...row.cells].slice(1).filter((cell) => /\d/.test(cell.textContent))) {
        const [mean, interval] = [cell.firstChild.data, cell.querySelector(".soft")?.textContent];
        const words = [rows.length > 1 ? row.cells[0].textContent : "", heads[cell.cellIndex].textContent, interval ? `${mean} (${interval})` : mean];
        if (!said.some((text) => words.every((word) => text.includes(word)))) found("value", `${words.join(", ")} is not said in "${name}"`);
      }
    }
    const svg = plot.querySelector("svg");
    const box = svg.getBoundingClientRect();
    const scale = box.width / svg.viewBox.baseVal.width;
    const at = (circle) => ["cx", "cy"].map((end) => Number(circle.getAttribute(end)));
    for (const circle of svg.querySelectorAll("circle:not(.ring)")) {
      const [x, y] = at(circle);
      const said = touch(plot, svg, box.left + x * scale, box.top + y * scale);
      const ring = svg.querySelector(".ring");
      const shown = said?.getBoundingClientRect();
      if (!said || !ring || Math.hypot(at(ring)[0] - x, at(ring)[1] - y) > 1) found("value", `a finger at ${x}, ${y} finds another point in "${name}"`);
      else if (shown.left < box.left - 1 || shown.right > box.right + 1 || shown.top < box.top - 1) found("value", `"${around(said.textContent, 0)}" leaves "${name}"`);
    }
    if (touch(plot, doc.body)) found("value", `"${name}" does not stop saying a value`);
  }
}

function told(doc, found) {
  const failed = [...doc.querySelectorAll(".claims tr.fails[id]")].map((row) => `#${row.id}`);
  const reasons = [...doc.querySelectorAll("#failed li")].filter((item) => item.querySelector(".cause")?.textContent.trim());
  const explained = reasons.map((item) => item.querySelector("a").getAttribute("href"));
  for (const claim of failed.filter((claim) => !explained.includes(claim))) found("told", `${claim} fails and does not say why`);
  for (const claim of explained.filter((claim) => !failed.includes(claim))) found("told", `${claim} says why it fails and does not`);
  for (const figure of doc.querySelectorAll("#figures figure")) {
    // What is said of several stands above the first of them.
    let beside = figure.parentElement.matches(".figures") ? figure : figure.parentElement;
    while (beside && !beside.querySelector(".see")) beside = beside.previousElementSibling;
    if (!beside) found("told", `nothing says what to see in "${figure.querySelector("figcaption").textContent}"`);
  }
}

const RULES = [cells, overflow, shares, zeros, numbers, labels, pointValues, told];

/** What is wrong on all pages, and how much was looked at. */
function judge(frames) {
  const lines = [];
  const seen = { pages: 0, tables: 0, plots: 0 };
  for (const frame of frames) {
    const doc = frame.contentDocument;
    for (const folded of doc.querySelectorAll("details")) folded.open = true;
    const found = (rule, what) => lines.push([frame.title, frame.width, rule, what].join("\t"));
    for (const rule of RULES) rule(doc, found);
    seen.pages += 1;
    seen.tables += doc.querySelectorAll("table").length;
    seen.plots += doc.querySelectorAll(".plot").length;
  }
  lines.push(`looked at\t${seen.pages} pages\t${seen.tables} tables\t${seen.plots} plots`);
  return lines;
}

addEventListener("load", () => {
  const text = document.createElement("pre");
  try {
    text.textContent = judge(document.querySelectorAll("iframe")).join("\n");
  } catch (error) {
    text.textContent = `broken\t${error.stack}`;
  }
  document.body.replaceChildren(text);
});
