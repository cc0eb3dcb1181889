// The sidebar: filters, kinds, groups and tags with their numbers; each entry is a query.

import { el, replace } from "./dom.js";
import { state, on } from "./store.js";
import { format } from "./address.js";
import { labelOf, tagTerm, kinds } from "./kinds.js";

function entry({ text, number, query, view = "notes", title, quiet = false }) {
  const place = { view, query: view === "notes" ? query : "", ref: null, at: state.place.at };
  return el("li", {}, el("a", { href: format(place), class: quiet ? "quiet" : undefined, title },
    el("span", { class: "grow", text }), number === undefined || number === null ? null : el("span", { class: "badge", text: String(number) })));
}

const section = (title, entries) => (entries.length ? el("section", {}, el("h2", { text: title }), el("ul", {}, entries)) : null);

/** Nested tags stand below their parents, shown by their last part. */
function tagEntries(tags) {
  const names = new Set(tags.map((tag) => tag.tag));
  return tags.map(({ tag, active, count }) => {
    const cut = tag.lastIndexOf("/");
    const nested = cut > 0 && names.has(tag.slice(0, cut));
    const made = entry({ text: nested ? tag.slice(cut + 1) : tag, number: count, query: tagTerm(tag), title: `${tag}: ${active} active, ${count} in all`, quiet: active === 0 });
    if (nested) made.classList.add(`level-${Math.min(3, tag.split("/").length - 1)}`);
    return made;
  });
}

const filterSection = (box) => section("Filters", box.filters.map((filter) => entry({ text: labelOf(filter.name), number: filter.count, query: filter.query === "" ? "" : `@${filter.name}`, title: filter.query || "every note" })));

function groupsOf(box) {
  return (box.groups ?? []).map((group) => entry({ text: group.title || "Untitled", number: group.count, query: group.query, title: `${group.active} active, ${group.count} in all`, quiet: group.active === 0 }));
}

export class Sidebar {
  constructor() {
    this.node = el("nav", { class: "sidebar", "aria-label": "Filters, kinds and tags" });
    on("box", () => this.draw());
    // Between two places of one day only the mark differs.
    on("place", ({ before, now }) => { if (before.at === now.at) this.mark(); else this.draw(); });
  }

  draw() {
    if (!state.box) return;
    const focus = this.node.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const scroll = this.node.scrollTop;
    replace(this.node, ...(state.box.brief ? [filterSection(state.box)] : this.sections(state.box)));
    this.links = new Map([...this.node.querySelectorAll("a")].map((link) => [link.getAttribute("href"), link]));
    this.mark();
    this.node.scrollTop = scroll;
    if (focus) this.links.get(focus)?.focus({ preventScroll: true });
  }

  /** Marks the entry of the place that is shown. */
  mark() {
    const { view, query, at } = state.place;
    const here = this.links?.get(format({ view, query: view === "notes" ? query : "", ref: null, at }));
    if (here === this.here) return;
    this.here?.removeAttribute("aria-current");
    here?.setAttribute("aria-current", "page");
    this.here = here;
  }

  sections(box) {
    const kindEntries = kinds().filter((kind) => kind.count > 0).map((kind) => entry({ text: labelOf(kind.name), number: kind.count, query: `kind:${kind.name}`, title: `${kind.comment ?? kind.name}: ${kind.activeCount ?? kind.count} active, ${kind.count} in all` }));
    return [
      filterSection(box),
      section("Kinds", kindEntries.length ? kindEntries : kinds().map((kind) => entry({ text: labelOf(kind.name), number: 0, query: `kind:${kind.name}`, title: kind.comment, quiet: true }))),
      section("Groups", groupsOf(box)),
      section("Tags", tagEntries(box.tags)),
      section("Box", [
        box.conflicts ? entry({ text: "Conflicts", number: box.conflicts, query: "is:conflicted" }) : null,
        entry({ text: "Deleted", number: box.deleted, view: "deleted", quiet: !box.deleted }),
        entry({ text: "History", view: "history" }),
      ].filter(Boolean)),
    ];
  }

  focus() { (this.node.querySelector("[aria-current]") ?? this.node.querySelector("a"))?.focus(); }
}
