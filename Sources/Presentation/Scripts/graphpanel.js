// The tools of the graph, and the panel beside it.

const element = (name, text) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
};
const listNotes = (list, found) => {
  list.replaceChildren(
    ...found.map(([index, way]) => {
      const item = element("li"),
        button = element("button", nodes[index].title);
      if (way > 0) button.append(" ", element("small", ways[way]));
      button.type = "button";
      button.addEventListener("click", () => choose(index, true));
      item.append(button);
      return item;
    }),
  );
};
const choose = (index, isCentred) => {
  shown.chosen = index;
  if (index >= 0) shown.found = null;
  isStale = true;
  const panel = byId("panel");
  panel.hidden = index < 0;
  if (index < 0) return;
  const node = nodes[index];
  byId("title").textContent = node.title;
  byId("about").textContent = [node.kind === "note" ? "" : node.kind, node.created]
    .filter(Boolean)
    .join(" \u00b7 ");
  byId("tags").replaceChildren(
    ...node.tags.map((tag) => {
      const button = element("button", "#" + tag);
      button.type = "button";
      button.addEventListener("click", () => filter(tag));
      return button;
    }),
  );
  const link = byId("file");
  link.textContent = node.path;
  if (node.url) link.href = node.url;
  else link.removeAttribute("href");
  for (const [name, found] of [
    ["links", out[index]],
    ["backlinks", into[index]],
  ]) {
    byId(name + "-head").textContent = (name === "links" ? "Links to " : "Linked from ") + found.length;
    listNotes(byId(name), found);
  }
  panel.scrollTop = 0;
  if (isCentred) {
    isFitting = false;
    view.scale = Math.max(view.scale, 0.9);
    view.x = view.width / 2 - x[index] * view.scale;
    const room = freeRoom();
    view.y = room.top + room.height / 2 - y[index] * view.scale;
  }
};

const say = () => {
  const visible = shown.tag === "" ? count : nodes.filter((_, index) => isVisible(index)).length;
  const notes = (number) => (number === 1 ? "1 note" : number.toLocaleString("en") + " notes");
  byId("count").textContent =
    (visible === count ? "" : notes(visible) + " of ") +
    notes(count) +
    ", " +
    edges.length.toLocaleString("en") +
    (edges.length === 1 ? " connection" : " connections");
};
const filter = (tag) => {
  shown.tag = tag;
  byId("tag").value = tag;
  isStale = true;
  say();
  if (heat <= COLD || tag !== "") fit();
};

const fillTools = () => {
  const uses = new Map();
  for (const node of nodes) for (const tag of node.tags) uses.set(tag, (uses.get(tag) || 0) + 1);
  const tags = [...uses].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  byId("tag").append(
    ...tags.map(([tag, number]) => {
      const option = element("option", "#" + tag + " (" + number + ")");
      option.value = tag;
      return option;
    }),
  );
  byId("by-tag").hidden = tags.length === 0;
  byId("ways").append(
    ...ways.map((name, way) => {
      const item = element("li"),
        label = element("label"),
        tick = element("input"),
        sample = element("i");
      tick.type = "checkbox";
      tick.checked = true;
      tick.addEventListener("change", () => {
        shown.ways[way] = tick.checked;
        isStale = true;
      });
      sample.style.background = way === 0 ? "var(--link)" : wayColour(way);
      label.append(tick, sample, element("span", way === 0 ? "links" : name));
      item.append(label);
      return item;
    }),
  );
  byId("ways").hidden = ways.length < 2;
  say();
};

const search = byId("search"),
  found = byId("found");
const MOST_FOUND = 50;
let hits = [],
  marked = -1;
const mark = (place) => {
  marked = hits.length === 0 ? -1 : (place + hits.length) % hits.length;
  [...found.querySelectorAll("button")].forEach((button, index) => {
    button.setAttribute("aria-selected", String(index === marked));
    if (index === marked) button.scrollIntoView({ block: "nearest" });
  });
};
const look = () => {
  const words = folded(search.value).split(/\s+/u).filter(Boolean);
  const all =
    words.length === 0
      ? []
      : byImportance.filter(
          (index) => isVisible(index) && words.every((word) => names[index].includes(word)),
        );
  shown.found = words.length === 0 ? null : new Set(all);
  hits = all.slice(0, MOST_FOUND);
  listNotes(
    found,
    hits.map((index) => [index, 0]),
  );
  found.hidden = words.length === 0;
  if (words.length > 0 && hits.length === 0) found.replaceChildren(element("li", "nothing found"));
  mark(hits.length > 0 ? 0 : -1);
  isStale = true;
};
