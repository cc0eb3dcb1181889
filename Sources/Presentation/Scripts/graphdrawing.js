// The drawing of the graph on its canvas.

const canvas = byId("graph"),
  pen = canvas.getContext("2d");
const view = { x: 0, y: 0, scale: 1, width: 0, height: 0, ratio: 1 };
const shown = { chosen: -1, hovered: -1, tag: "", found: null, ways: ways.map(() => true) };
let isStale = true,
  isFitting = true,
  ink = {};

const readColours = () => {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["page", "ink", "faint", "node", "record", "chosen", "link"]) {
    ink[name] = style.getPropertyValue("--" + name).trim();
  }
  isStale = true;
};
const sizeOf = (index) => Math.max(1.4, radius[index] * Math.min(1.8, Math.pow(view.scale, 0.6)));
const PALETTE = ["#c9820f", "#2f9e77", "#b3478f", "#5a7fd6", "#b0562b", "#6f9a21", "#8562c9", "#1b98a8"];
const wayColour = (way) => (way === 0 ? ink.link : PALETTE[(way - 1) % PALETTE.length]);

const isVisible = (index) =>
  shown.tag === "" || nodes[index].tags.some((tag) => tag === shown.tag || tag.startsWith(shown.tag + "/"));
const isBright = (index) => {
  if (shown.found) return shown.found.has(index);
  const centre = shown.chosen >= 0 ? shown.chosen : shown.hovered;
  return centre < 0 || centre === index || near.has(index);
};
let near = new Set(),
  nearOf = -1;
const findNear = () => {
  const centre = shown.chosen >= 0 ? shown.chosen : shown.hovered;
  if (centre === nearOf) return;
  nearOf = centre;
  near = new Set(centre < 0 ? [] : out[centre].concat(into[centre]).map(([other]) => other));
};

const NARROW = 600;
/** The part of a narrow window that tools and panel leave free; a wide one has room beside them. */
const freeRoom = () => {
  if (view.width > NARROW) return { top: 0, height: view.height };
  const top = byId("tools").offsetHeight,
    panel = byId("panel");
  const below = panel.hidden ? byId("zoom").offsetHeight + 24 : view.height - panel.offsetTop;
  return { top, height: Math.max(120, view.height - top - below) };
};
const fit = () => {
  if (count === 0) return;
  let left = Infinity,
    top = Infinity,
    right = -Infinity,
    bottom = -Infinity;
  for (let i = 0; i < count; i += 1) {
    if (!isVisible(i)) continue;
    left = Math.min(left, x[i]);
    right = Math.max(right, x[i]);
    top = Math.min(top, y[i]);
    bottom = Math.max(bottom, y[i]);
  }
  if (left > right) return;
  const room = freeRoom();
  view.scale = Math.min(
    2.5,
    0.92 * Math.min(view.width / (right - left + 40), room.height / (bottom - top + 40)),
  );
  view.x = view.width / 2 - ((left + right) / 2) * view.scale;
  view.y = room.top + room.height / 2 - ((top + bottom) / 2) * view.scale;
  isStale = true;
};

const drawEdges = () => {
  const right = view.width,
    bottom = view.height;
  for (let way = 0; way < ways.length; way += 1) {
    if (!shown.ways[way]) continue;
    for (const bright of [false, true]) {
      pen.strokeStyle = wayColour(way);
      const isCalm = nearOf < 0 && !shown.found;
      pen.globalAlpha = bright ? (isCalm ? 0.4 : 0.9) : 0.08;
      pen.lineWidth = bright && !isCalm ? 1.6 : 1;
      let segments = 0;
      pen.beginPath();
      for (const [source, target, kind] of edges) {
        if (kind !== way || !isVisible(source) || !isVisible(target)) continue;
        const isOfCentre =
          nearOf < 0 ? isBright(source) && isBright(target) : source === nearOf || target === nearOf;
        if (isOfCentre !== bright) continue;
        const ax = x[source] * view.scale + view.x,
          ay = y[source] * view.scale + view.y;
        const bx = x[target] * view.scale + view.x,
          by = y[target] * view.scale + view.y;
        if (
          (ax < 0 && bx < 0) ||
          (ay < 0 && by < 0) ||
          (ax > right && bx > right) ||
          (ay > bottom && by > bottom)
        ) {
          continue;
        }
        pen.moveTo(ax, ay);
        pen.lineTo(bx, by);
        // Many short paths are drawn sooner than a long one.
        segments += 1;
        if (segments === 48) {
          pen.stroke();
          pen.beginPath();
          segments = 0;
        }
      }
      if (segments > 0) pen.stroke();
    }
  }
  pen.globalAlpha = 1;
};

const drawNodes = () => {
  for (const bright of [false, true]) {
    pen.globalAlpha = bright ? 1 : 0.18;
    for (const isRecord of [false, true]) {
      pen.fillStyle = isRecord ? ink.record : ink.node;
      pen.beginPath();
      for (let i = 0; i < count; i += 1) {
        if (!isVisible(i) || isBright(i) !== bright || (nodes[i].kind !== "note") !== isRecord) continue;
        const px = x[i] * view.scale + view.x,
          py = y[i] * view.scale + view.y;
        const size = sizeOf(i);
        if (px < -size || py < -size || px > view.width + size || py > view.height + size) continue;
        if (size < 1.8) {
          pen.rect(px - size, py - size, 2 * size, 2 * size);
          continue;
        }
        pen.moveTo(px + size, py);
        pen.arc(px, py, size, 0, 2 * Math.PI);
      }
      pen.fill();
    }
  }
  pen.globalAlpha = 1;
  for (const i of [shown.hovered, shown.chosen]) {
    if (i < 0) continue;
    pen.fillStyle = ink.chosen;
    pen.beginPath();
    const size = 2 + sizeOf(i);
    pen.arc(x[i] * view.scale + view.x, y[i] * view.scale + view.y, size, 0, 2 * Math.PI);
    pen.fill();
  }
};

const byImportance = nodes.map((_, index) => index).sort((a, b) => degree[b] - degree[a] || a - b);
const MOST_LABELS = 90;
/** The width of a letter, roughly, and the most letters of a label. */
const LETTER = 7,
  LONGEST = 40;
const drawLabels = () => {
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 3;
  const taken = [];
  const label = (i, isForced) => {
    const px = x[i] * view.scale + view.x,
      py = y[i] * view.scale + view.y;
    if (px < 0 || py < 0 || px > view.width || py > view.height) return;
    const gap = 4 + sizeOf(i);
    const { title } = nodes[i];
    // A label that would leave the window is on the side with more room, and is cut to its room.
    const isLeft = px + gap + Math.min(LONGEST, title.length) * LETTER > view.width && px > view.width / 2;
    const room = isLeft ? px - gap : view.width - px - gap;
    const letters = Math.max(4, Math.min(LONGEST, Math.floor(room / LETTER)));
    const text = title.length > letters ? title.slice(0, letters - 1) + "\u2026" : title;
    const at = isLeft ? px - gap - pen.measureText(text).width : px + gap,
      end = isLeft ? px - gap : at + text.length * LETTER;
    const isFree = taken.every(
      ([left, right, middle]) => end < left || at > right || Math.abs(py - middle) > 15,
    );
    if (!isFree && !isForced) return;
    taken.push([at, end, py]);
    pen.strokeStyle = ink.page;
    pen.strokeText(text, at, py);
    pen.fillStyle = i === shown.chosen || i === shown.hovered ? ink.chosen : ink.ink;
    pen.fillText(text, at, py);
  };
  for (const i of [shown.chosen, shown.hovered]) if (i >= 0 && isVisible(i)) label(i, true);
  const most = heat > 0.2 && count > 1000 ? 12 : MOST_LABELS;
  let looked = 0;
  for (const i of byImportance) {
    if (taken.length >= most || looked > 2000) break;
    looked += 1;
    if (i === shown.chosen || i === shown.hovered || !isVisible(i) || !isBright(i)) continue;
    label(i, false);
  }
};

const draw = () => {
  findNear();
  pen.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
  pen.clearRect(0, 0, view.width, view.height);
  drawEdges();
  drawNodes();
  drawLabels();
};

// Nobody waits for each step of a large graph that settles; whoever drags or zooms waits for every frame.
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const LARGE = 2000;
let lastTouch = -Infinity,
  skipped = 0;
const touch = () => {
  lastTouch = performance.now();
  isStale = true;
};
const frame = () => {
  const now = performance.now(),
    isTouched = now - lastTouch < 400;
  const isMoving = advance(now + (isTouched ? 4 : count > LARGE ? 11 : 7));
  if (isMoving) {
    if (isFitting) fit();
    isStale = true;
  }
  skipped += 1;
  const isDue = isTouched || !isMoving || (isStill.matches ? heat <= COLD : count <= LARGE || skipped >= 4);
  if (isStale && isDue) {
    isStale = false;
    skipped = 0;
    draw();
  }
  requestAnimationFrame(frame);
};
