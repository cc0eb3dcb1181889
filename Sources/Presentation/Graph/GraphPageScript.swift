/// The script of the page that shows a graph, in its parts: data, layout, drawing, what the reader does.
///
/// All that notes say is put into the page as text (`textContent`, `fillText`), never as markup.
enum GraphPageScript {
  static let javaScript = """
    "use strict";
    (() => {
    \(data)
    \(layout)
    \(drawing)
    \(panel)
    \(reader)
    })();
    """
}

extension GraphPageScript {
  /// Nodes and edges in typed arrays.
  static let data = """
    const byId = (id) => document.getElementById(id);
    const data = JSON.parse(byId("data").textContent);
    const { nodes, edges, ways } = data;
    const count = nodes.length;
    const x = new Float64Array(count), y = new Float64Array(count);
    const vx = new Float64Array(count), vy = new Float64Array(count);
    const held = new Int8Array(count);
    const degree = new Float64Array(count);
    const out = nodes.map(() => []), into = nodes.map(() => []);
    for (const edge of edges) {
      const [source, target, way] = edge;
      degree[source] += 1;
      degree[target] += 1;
      out[source].push([target, way]);
      into[target].push([source, way]);
    }
    const radius = Float64Array.from(degree, (links) => 3 + 1.3 * Math.sqrt(links));
    // Letters without accents and case, as the reader types them.
    const folded = (text) => text.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase();
    const names = nodes.map((node) => folded([node.title, ...(node.aliases || [])].join("\\n")));

    // Notes that hang together begin side by side on a spiral, the largest group in the middle.
    const start = () => {
      const seen = new Uint8Array(count);
      const byDegree = nodes.map((_, index) => index).sort((a, b) => degree[b] - degree[a] || a - b);
      const groups = [];
      for (const first of byDegree) {
        if (seen[first]) continue;
        seen[first] = 1;
        const group = [first];
        for (let next = 0; next < group.length; next += 1) {
          for (const [other] of out[group[next]].concat(into[group[next]])) {
            if (!seen[other]) { seen[other] = 1; group.push(other); }
          }
        }
        groups.push(group);
      }
      groups.sort((a, b) => b.length - a.length);
      groups.flat().forEach((index, place) => {
        const distance = 9 * Math.sqrt(place + 0.5), angle = place * Math.PI * (3 - Math.sqrt(5));
        x[index] = distance * Math.cos(angle);
        y[index] = distance * Math.sin(angle);
      });
    };
    start();
    """
}

extension GraphPageScript {
  /// Pointer, wheel and keys.
  static let reader = """
    const resize = () => {
      view.ratio = Math.min(2, devicePixelRatio || 1);
      view.width = canvas.clientWidth;
      view.height = canvas.clientHeight;
      canvas.width = Math.round(view.width * view.ratio);
      canvas.height = Math.round(view.height * view.ratio);
      isStale = true;
      if (isFitting) fit();
    };
    const nodeAt = (px, py) => {
      let best = -1, least = Infinity;
      for (let i = 0; i < count; i += 1) {
        if (!isVisible(i)) continue;
        const dx = x[i] * view.scale + view.x - px, dy = y[i] * view.scale + view.y - py;
        const reach = Math.max(6, sizeOf(i) + 3);
        const distance = dx * dx + dy * dy;
        if (distance < reach * reach && distance < least) { best = i; least = distance; }
      }
      return best;
    };
    const zoom = (factor, px, py) => {
      const scale = Math.min(12, Math.max(0.02, view.scale * factor));
      view.x = px - (px - view.x) * scale / view.scale;
      view.y = py - (py - view.y) * scale / view.scale;
      view.scale = scale;
      isFitting = false;
      touch();
    };

    const fingers = new Map();
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
      drag = { node: fingers.size === 1 ? nodeAt(event.offsetX, event.offsetY) : -1, isMoved: false };
      canvas.classList.add("dragging");
    });
    canvas.addEventListener("pointermove", (event) => {
      const [px, py] = [event.offsetX, event.offsetY];
      const last = fingers.get(event.pointerId);
      if (!last) {
        const hovered = nodeAt(px, py);
        if (hovered !== shown.hovered) { shown.hovered = hovered; isStale = true; }
        canvas.style.cursor = hovered < 0 ? "" : "pointer";
        return;
      }
      if (Math.abs(px - last[0]) + Math.abs(py - last[1]) < (drag.isMoved ? 0 : 4)) return;
      drag.isMoved = true;
      if (fingers.size === 2) {
        const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
        const before = Math.hypot(last[0] - other[0], last[1] - other[1]);
        zoom(Math.hypot(px - other[0], py - other[1]) / Math.max(1, before), (px + other[0]) / 2, (py + other[1]) / 2);
      } else if (drag.node >= 0) {
        held[drag.node] = 1;
        x[drag.node] = (px - view.x) / view.scale;
        y[drag.node] = (py - view.y) / view.scale;
        heat = Math.max(heat, 0.25);
        isFitting = false;
      } else {
        view.x += px - last[0];
        view.y += py - last[1];
        isFitting = false;
      }
      fingers.set(event.pointerId, [px, py]);
      touch();
    });
    const release = (event) => {
      if (!fingers.delete(event.pointerId) || !drag) return;
      if (drag.node >= 0) held[drag.node] = 0;
      if (!drag.isMoved && event.type === "pointerup") choose(drag.node, false);
      canvas.classList.remove("dragging");
      if (fingers.size === 0) drag = null;
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => { if (shown.hovered >= 0) { shown.hovered = -1; isStale = true; } });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), event.offsetX, event.offsetY);
    }, { passive: false });

    search.addEventListener("input", look);
    search.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") { mark(marked + 1); event.preventDefault(); }
      if (event.key === "ArrowUp") { mark(marked - 1); event.preventDefault(); }
      if (event.key === "Enter" && marked >= 0) choose(hits[marked], true);
      if (event.key === "Escape") { search.value = ""; look(); search.blur(); event.stopPropagation(); }
    });
    byId("tag").addEventListener("change", (event) => { filter(event.target.value); look(); });
    byId("close").addEventListener("click", () => choose(-1));
    byId("nearer").addEventListener("click", () => zoom(1.4, view.width / 2, view.height / 2));
    byId("farther").addEventListener("click", () => zoom(1 / 1.4, view.width / 2, view.height / 2));
    byId("whole").addEventListener("click", () => { isFitting = true; fit(); });
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
      const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
      if (event.key === "/") { search.focus(); search.select(); event.preventDefault(); }
      if (event.key === "Escape") choose(-1);
      if (event.key === "+" || event.key === "=") zoom(1.25, view.width / 2, view.height / 2);
      if (event.key === "-") zoom(0.8, view.width / 2, view.height / 2);
      if (event.key === "0") { isFitting = true; fit(); }
      if (steps[event.key] && event.target === document.body) {
        view.x += steps[event.key][0];
        view.y += steps[event.key][1];
        isFitting = false;
        touch();
      }
    });
    addEventListener("resize", resize);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readColours);
    readColours();
    fillTools();
    resize();
    requestAnimationFrame(frame);
    """
}

extension GraphPageScript {
  /// The tools, and the panel beside the graph.
  static let panel = """
    const element = (name, text) => {
      const made = document.createElement(name);
      if (text !== undefined) made.textContent = text;
      return made;
    };
    const listNotes = (list, found) => {
      list.replaceChildren(...found.map(([index, way]) => {
        const item = element("li"), button = element("button", nodes[index].title);
        if (way > 0) button.append(" ", element("small", ways[way]));
        button.type = "button";
        button.addEventListener("click", () => choose(index, true));
        item.append(button);
        return item;
      }));
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
      byId("about").textContent = [node.kind === "note" ? "" : node.kind, node.created].filter(Boolean).join(" \\u00b7 ");
      byId("tags").replaceChildren(...node.tags.map((tag) => {
        const button = element("button", "#" + tag);
        button.type = "button";
        button.addEventListener("click", () => filter(tag));
        return button;
      }));
      const link = byId("file");
      link.textContent = node.path;
      if (node.url) link.href = node.url; else link.removeAttribute("href");
      for (const [name, found] of [["links", out[index]], ["backlinks", into[index]]]) {
        byId(name + "-head").textContent = (name === "links" ? "Links to " : "Linked from ") + found.length;
        listNotes(byId(name), found);
      }
      panel.scrollTop = 0;
      if (isCentred) {
        isFitting = false;
        view.scale = Math.max(view.scale, 0.9);
        view.x = view.width / 2 - x[index] * view.scale;
        view.y = view.height / 2 - y[index] * view.scale;
      }
    };

    const say = () => {
      const visible = shown.tag === "" ? count : nodes.filter((_, index) => isVisible(index)).length;
      const notes = (number) => number === 1 ? "1 note" : number.toLocaleString("en") + " notes";
      byId("count").textContent = (visible === count ? "" : notes(visible) + " of ") + notes(count) + ", "
        + edges.length.toLocaleString("en") + (edges.length === 1 ? " connection" : " connections");
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
      const tags = [...uses].sort((a, b) => a[0] < b[0] ? -1 : 1);
      byId("tag").append(...tags.map(([tag, number]) => {
        const option = element("option", "#" + tag + " (" + number + ")");
        option.value = tag;
        return option;
      }));
      byId("by-tag").hidden = tags.length === 0;
      byId("ways").append(...ways.map((name, way) => {
        const item = element("li"), label = element("label"), tick = element("input"), sample = element("i");
        tick.type = "checkbox";
        tick.checked = true;
        tick.addEventListener("change", () => { shown.ways[way] = tick.checked; isStale = true; });
        sample.style.background = way === 0 ? "var(--link)" : wayColour(way);
        label.append(tick, sample, element("span", way === 0 ? "links" : name));
        item.append(label);
        return item;
      }));
      byId("ways").hidden = ways.length < 2;
      say();
    };

    const search = byId("search"), found = byId("found");
    const MOST_FOUND = 50;
    let hits = [], marked = -1;
    const mark = (place) => {
      marked = hits.length === 0 ? -1 : (place + hits.length) % hits.length;
      [...found.querySelectorAll("button")].forEach((button, index) => {
        button.setAttribute("aria-selected", String(index === marked));
        if (index === marked) button.scrollIntoView({ block: "nearest" });
      });
    };
    const look = () => {
      const words = folded(search.value).split(/\\s+/u).filter(Boolean);
      const all = words.length === 0 ? []
        : byImportance.filter((index) => isVisible(index) && words.every((word) => names[index].includes(word)));
      shown.found = words.length === 0 ? null : new Set(all);
      hits = all.slice(0, MOST_FOUND);
      listNotes(found, hits.map((index) => [index, 0]));
      found.hidden = words.length === 0;
      if (words.length > 0 && hits.length === 0) found.replaceChildren(element("li", "nothing found"));
      mark(hits.length > 0 ? 0 : -1);
      isStale = true;
    };
    """
}
