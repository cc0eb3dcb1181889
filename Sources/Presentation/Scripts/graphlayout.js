// The layout of the graph: springs along edges, repulsion by a tree of squares (Barnes and Hut, 1986), and a
// pull to the middle.

const springs = edges.map(([source, target]) => ({
  source,
  target,
  strength: 1 / Math.min(degree[source], degree[target]),
  share: degree[source] / (degree[source] + degree[target]),
}));
const LENGTH = 40,
  CHARGE = -150,
  PULL = 0.03,
  WIDE = 0.81,
  COOLING = 0.0228,
  COLD = 0.002;
let heat = 1;
let tree = { child: new Int32Array(0) };
const chained = new Int32Array(count);

const makeTree = () => {
  const capacity = 4 * count + 64;
  if (tree.child.length < 4 * capacity) {
    tree = {
      child: new Int32Array(4 * capacity),
      mass: new Float64Array(capacity),
      x: new Float64Array(capacity),
      y: new Float64Array(capacity),
      side: new Float64Array(capacity),
      capacity,
    };
  }
  let left = Infinity,
    top = Infinity,
    right = -Infinity,
    bottom = -Infinity;
  for (let i = 0; i < count; i += 1) {
    if (x[i] < left) left = x[i];
    if (x[i] > right) right = x[i];
    if (y[i] < top) top = y[i];
    if (y[i] > bottom) bottom = y[i];
  }
  const side = Math.max(right - left, bottom - top, 1) * 1.001;
  const { child } = tree;
  let cells = 1;
  child.fill(0, 0, 4);
  tree.side[0] = side;
  // A child is 0 for none, a cell, or -1 - i for the node i and those that stand on the same spot.
  for (let i = 0; i < count; i += 1) {
    let cell = 0,
      half = side / 2,
      middleX = left + half,
      middleY = top + half;
    for (let depth = 0; ; depth += 1) {
      const quarter = (x[i] >= middleX ? 1 : 0) + (y[i] >= middleY ? 2 : 0);
      const slot = 4 * cell + quarter,
        there = child[slot];
      if (there === 0) {
        child[slot] = -1 - i;
        chained[i] = -1;
        break;
      }
      if (there < 0 && (depth > 40 || cells >= tree.capacity)) {
        child[slot] = -1 - i;
        chained[i] = -1 - there;
        break;
      }
      half /= 2;
      middleX += quarter & 1 ? half : -half;
      middleY += quarter & 2 ? half : -half;
      if (there > 0) {
        cell = there;
        continue;
      }
      const other = -1 - there;
      child.fill(0, 4 * cells, 4 * cells + 4);
      tree.side[cells] = 2 * half;
      child[slot] = cells;
      child[4 * cells + (x[other] >= middleX ? 1 : 0) + (y[other] >= middleY ? 2 : 0)] = there;
      cell = cells;
      cells += 1;
    }
  }
  // A cell stands after the one that it is in.
  for (let cell = cells - 1; cell >= 0; cell -= 1) {
    let mass = 0,
      sumX = 0,
      sumY = 0;
    for (let slot = 4 * cell; slot < 4 * cell + 4; slot += 1) {
      const there = child[slot];
      if (there > 0) {
        mass += tree.mass[there];
        sumX += tree.x[there] * tree.mass[there];
        sumY += tree.y[there] * tree.mass[there];
      } else if (there < 0) {
        for (let i = -1 - there; i >= 0; i = chained[i]) {
          mass += 1;
          sumX += x[i];
          sumY += y[i];
        }
      }
    }
    tree.mass[cell] = mass;
    tree.x[cell] = mass ? sumX / mass : 0;
    tree.y[cell] = mass ? sumY / mass : 0;
  }
};

const stack = new Int32Array(512);
const repel = (i) => {
  const { child, mass, side } = tree;
  let height = 1,
    forceX = 0,
    forceY = 0;
  stack[0] = 0;
  while (height > 0) {
    const cell = stack[--height];
    const dx = tree.x[cell] - x[i],
      dy = tree.y[cell] - y[i];
    const distance = dx * dx + dy * dy;
    if (side[cell] * side[cell] < WIDE * distance) {
      const force = (CHARGE * heat * mass[cell]) / Math.max(distance, 4);
      forceX += dx * force;
      forceY += dy * force;
      continue;
    }
    for (let slot = 4 * cell; slot < 4 * cell + 4; slot += 1) {
      const there = child[slot];
      if (there > 0) {
        if (height < 512) stack[height++] = there;
        continue;
      }
      if (there === 0) continue;
      for (let other = -1 - there; other >= 0; other = chained[other]) {
        if (other === i) continue;
        let ox = x[other] - x[i],
          oy = y[other] - y[i];
        if (ox === 0 && oy === 0) {
          ox = (i - other) * 1e-3;
          oy = 1e-3;
        }
        const force = (CHARGE * heat) / Math.max(ox * ox + oy * oy, 4);
        forceX += ox * force;
        forceY += oy * force;
      }
    }
  }
  vx[i] += forceX - x[i] * PULL * heat;
  vy[i] += forceY - y[i] * PULL * heat;
};

// A step is done in slices, so that a frame never waits for all of it.
let done = 0;
const SLICE = 128;
const advance = (until) => {
  let isMoved = false;
  while (heat > COLD && performance.now() < until) {
    if (done === 0) makeTree();
    const end = Math.min(count, done + SLICE);
    for (; done < end; done += 1) repel(done);
    if (done < count) continue;
    done = 0;
    for (const { source, target, strength, share } of springs) {
      let dx = x[target] + vx[target] - x[source] - vx[source];
      let dy = y[target] + vy[target] - y[source] - vy[source];
      const distance = Math.sqrt(dx * dx + dy * dy) || 1;
      const force = ((distance - LENGTH) / distance) * heat * strength;
      dx *= force;
      dy *= force;
      vx[target] -= dx * share;
      vy[target] -= dy * share;
      vx[source] += dx * (1 - share);
      vy[source] += dy * (1 - share);
    }
    for (let i = 0; i < count; i += 1) {
      if (held[i]) {
        vx[i] = 0;
        vy[i] = 0;
        continue;
      }
      vx[i] *= 0.6;
      vy[i] *= 0.6;
      x[i] += vx[i];
      y[i] += vy[i];
    }
    heat += (0 - heat) * COOLING;
    isMoved = true;
  }
  return isMoved;
};
