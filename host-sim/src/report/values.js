// Says the values of the points of a plot: of the one nearest to the mouse or to a finger, and of one after the other by the arrow keys.
"use strict";
for (const plot of document.querySelectorAll(".plot.lines")) {
  const series = JSON.parse(plot.querySelector("script").textContent);
  const svg = plot.querySelector("svg");
  const { width, height } = svg.viewBox.baseVal;
  const axes = [".axis.below", ".axis:not(.below)"].map((axis) => plot.closest("figure").querySelector(axis).textContent.trim());
  // Where series lie upon each other, a place has the points of all of them.
  const NEAR = 5;
  const said = document.createElement("div");
  said.className = "said";
  said.setAttribute("role", "status");
  const ring = document.createElementNS(svg.namespaceURI, "circle");
  ring.setAttribute("class", "ring");
  let at = null;

  const line = (...parts) => {
    const line = document.createElement("div");
    line.append(...parts);
    return line;
  };
  const strong = (text) => Object.assign(document.createElement("b"), { textContent: text });
  const points = series.flatMap(([name, all], row) => all.map(([x, y, place, value], column) => ({ name, x, y, place, value, row, column })));
  const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

  const show = (point) => {
    at = point;
    const here = points.filter((other) => other.place === point.place && distance(other, point) <= NEAR);
    const ordered = [point, ...here.filter((other) => other !== point)];
    said.replaceChildren(line(axes[0], " ", strong(point.place)), line(axes[1]), ...ordered.map(({ name, value }) => line(name && `${name}: `, strong(value))));
    ring.setAttribute("cx", point.x);
    ring.setAttribute("cy", point.y);
    ring.setAttribute("r", 9);
    svg.append(ring);
    plot.append(said);
    // Beside the point, on the side where there is room, and never out of the plot.
    const scale = svg.clientWidth / width;
    const room = svg.clientWidth - said.offsetWidth;
    const left = point.x < width / 2 ? point.x * scale + 14 : point.x * scale - 14 - said.offsetWidth;
    said.style.left = `${Math.max(0, Math.min(room, left))}px`;
    said.style.top = `${Math.max(0, Math.min(height * scale - said.offsetHeight, point.y * scale - said.offsetHeight - 14))}px`;
  };
  const hide = () => {
    at = null;
    said.remove();
    ring.remove();
  };
  const nearest = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = width / box.width;
    const here = { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
    return points.reduce((best, point) => (distance(point, here) < distance(best, here) ? point : best));
  };
  const nearby = (event) => show(nearest(event));

  plot.tabIndex = 0;
  plot.setAttribute("aria-label", `${plot.getAttribute("aria-label")}. Arrow keys show the values of its points.`);
  plot.addEventListener("pointerdown", nearby);
  plot.addEventListener("pointermove", (event) => event.pointerType === "mouse" && nearby(event));
  // A finger that is lifted leaves, too, and what it has shown stays until it touches something else.
  plot.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  document.addEventListener("pointerdown", (event) => plot.contains(event.target) || hide());
  plot.addEventListener("blur", hide);
  plot.addEventListener("focus", () => plot.matches(":focus-visible") && show(at ?? points[0]));
  plot.addEventListener("keydown", (event) => {
    const [rows, columns] = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key] ?? [0, 0];
    if (event.key === "Escape") hide();
    if (!rows && !columns) return;
    event.preventDefault();
    // Of the lines that have points the next one, where it is nearest.
    const far = (point) => Math.abs(point.row - at.row) * width + Math.abs(point.x - at.x);
    const ahead = points.filter((point) => (rows ? at && Math.sign(point.row - at.row) === rows : point.row === at?.row && point.column === at.column + columns));
    const [beside] = ahead.sort((a, b) => far(a) - far(b));
    show(beside ?? at ?? points[0]);
  });
}
