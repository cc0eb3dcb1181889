// Changes of one note or many: many are shown as a patch first.

import { el, add } from "./dom.js";
import { post } from "./api.js";
import { state, emit, refOf } from "./store.js";
import { save } from "./saver.js";
import { ask, say, sayError } from "./messages.js";
import { choose } from "./chooser.js";
import { get } from "./api.js";
import { undo } from "./past.js";
import { labelOf } from "./kinds.js";

const named = (notes) => notes.map((note) => ({ ref: refOf(note), etag: note.etag }));

/** The notes that a request means: everything that the query finds, or those that are named. */
function request(notes, total) {
  return notes === "all" ? { where: state.place.query, expect: total } : { notes: named(notes) };
}

export function patchView(patch) {
  const node = el("pre", { class: "patch", tabIndex: 0, "aria-label": "The patch" });
  const lines = patch.split("\n");
  for (const line of lines.slice(0, 2000)) {
    const kind = /^(diff |index |--- |\+\+\+ |new file|deleted file)/.test(line) ? "head" : line.startsWith("@@") ? "place" : line.startsWith("+") ? "more" : line.startsWith("-") ? "less" : "";
    add(node, el("span", { class: `patch-line ${kind}`, text: `${line}\n` }));
  }
  if (lines.length > 2000) add(node, el("span", { class: "patch-line head", text: `and ${lines.length - 2000} lines more` }));
  return node;
}

async function write(name, body, { quiet = false } = {}) {
  try {
    const answer = await post(name, body);
    say(answer.operation === null ? answer.subject || "It is so already" : answer.subject, answer.operation && !quiet ? { action: "Undo", run: () => undo() } : {});
    emit("changed");
    return answer;
  } catch (error) {
    sayError(error);
    if (error.status === 409) emit("changed");
    return null;
  }
}

/** Shows what would be written, and writes it where that is agreed to. */
async function seenFirst(name, body, title, { yes = "Apply", danger = false } = {}) {
  let preview;
  try { preview = await post(name, { ...body, preview: true }); } catch (error) { sayError(error); return null; }
  if (!preview.patch) { say("It is so already"); return null; }
  const agreed = await ask(`${title}: ${preview.count} ${preview.count === 1 ? "note" : "notes"}`, patchView(preview.patch), { yes: `${yes} (${preview.count})`, danger });
  if (!agreed) return null;
  const answer = await write(name, body);
  if (answer) { state.selected.clear(); state.allSelected = false; emit("selection"); }
  return answer;
}

const changeText = (change) => (typeof change === "string" ? change : `${change.field}:${change.add !== undefined ? `+${change.add}` : change.remove !== undefined ? `-${change.remove}` : change.value ?? ""}`);

const many = (notes) => notes === "all" || notes.length > 1;

export async function change(notes, changes, total) {
  if (many(notes)) return seenFirst("change", { ...request(notes, total), changes }, `Change ${changes.map(changeText).join(" ")}`);
  const [note] = notes;
  const answer = await save({ ref: refOf(note), etag: note.etag, changes, title: note.title });
  if (answer?.operation) say(answer.subject, { action: "Undo", run: () => undo() });
  if (answer) emit("changed");
  return answer;
}

export function act(action, notes, total) {
  const body = { ...request(notes, total), action, changes: [] };
  return many(notes) ? seenFirst("do", body, labelOf(action)) : write("do", body);
}

export async function remove(notes, total) {
  const body = request(notes, total);
  if (many(notes)) return seenFirst("rm", body, "Delete", { yes: "Delete", danger: true });
  return write("rm", body);
}

/** Changes as the command takes them, typed for the whole selection. */
export function typeChanges(notes, total) {
  const items = async (text) => {
    const start = text.lastIndexOf(" ") + 1;
    const answer = await get("complete", { q: text.slice(start), cursor: text.length - start }).catch(() => ({ items: [] }));
    const typed = text && /^[+-].|:/.test(text.slice(start)) ? [{ text, detail: "show the patch", run: () => change(notes, split(text), total) }] : [];
    return [...typed, ...answer.items.filter((item) => /^[+-]|:/.test(item.text) && !/^(is|has|kind|links|linked-by|sort|limit|path):/.test(item.text)).map((item) => {
      const whole = text.slice(0, start) + item.text;
      return { text: whole, detail: item.detail, run: () => (whole.endsWith(":") ? typeChangesFrom(notes, total, whole) : change(notes, split(whole), total)) };
    })];
  };
  return choose({ title: "Change", placeholder: "status:closed +tag -tag due:friday", items });
}

function typeChangesFrom(notes, total, typed) {
  return choose({ title: "Change", typed, items: async (text) => (text ? [{ text, detail: "show the patch", run: () => change(notes, split(text), total) }] : []) });
}

/** Words are changes; one in quotes may hold blanks. */
export const split = (text) => [...text.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map((match) => match[0].replace(/"/g, ""));
