// The palette and the help: the table of actions, each with its key beside it.

import { el } from "./dom.js";
import { choose, fold, matching } from "./chooser.js";
import { keyText } from "./keys.js";
import { openDialog } from "./messages.js";
import { get } from "./api.js";

/** A note of exactly that title, every action that can be done now, and notes whose title has what is typed. */
export function openPalette(table, open) {
  const order = ["Write", "Go to", "Select", "Move"];
  const rank = (action) => order.indexOf(action.group);
  const now = table().filter((action) => !action.when || action.when()).filter((action) => action.id !== "palette").sort((a, b) => rank(a) - rank(b));
  const items = async (typed) => {
    const actions = matching(now.map((action) => ({
      text: action.title, match: action.verb, also: action.group, detail: action.group, key: keyText(action.keys?.[0]), run: action.run,
    })), typed);
    if (!typed) return actions;
    const answer = await get("titles", { q: typed, limit: 12 }).catch(() => ({ notes: [] }));
    const isExact = (note) => fold(note.title ?? "") === fold(typed);
    const item = (note) => ({ text: note.title || "Untitled", detail: note.kind ?? "", mark: "→", run: () => open(note.ref) });
    const notes = answer.notes;
    return [...notes.filter(isExact).map(item), ...actions, ...notes.filter((note) => !isExact(note)).map(item)];
  };
  return choose({ title: "Run an action, or go to a note", items, name: "chooser palette" });
}

export function openHelp(table) {
  const groups = new Map();
  for (const action of table()) if (action.keys?.length) groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  openDialog("Keys", () => el("div", { class: "dialog-body help", tabIndex: 0, role: "region", "aria-label": "All keys" }, [...groups].map(([name, actions]) => el("section", {}, el("h3", { text: name }),
    el("dl", {}, actions.map((action) => el("div", {}, el("dt", {}, action.keys.slice(0, 2).map((key, index) => [index ? " " : null, el("kbd", { text: keyText(key) })])), el("dd", { text: action.title }))))))), { wide: true });
}
