// @ts-check
// A change of many notes in few lines: what each field is changed from and to, read from the patch that will
// be applied.

const KEY = /^(\p{L}[\p{L}\p{N}_-]*):[ \t]*(.*)$/u;
const bare = (text) => text.trim().replace(/^(["'])(.*)\1$/s, "$2");
/** A list as it is written in one line: `[a, b]`. */
const listOf = (text) =>
  /^\[.*\]$/.test(text) ? text.slice(1, -1).split(",").map(bare).filter(Boolean) : null;

/**
 * The files of a patch: `{before, after, isNew, isDeleted, hasText}`, with the fields before and after as
 * lists of lines.
 */
function filesOf(patch) {
  const files = [];
  let file = null,
    isFront = false,
    field = null,
    line = 0;
  const put = (side, name, value) => {
    (file[side][name] ??= []).push(value);
  };
  for (const text of patch.split("\n")) {
    if (text.startsWith("diff --git ")) {
      file = {
        before: Object.create(null),
        after: Object.create(null),
        isNew: false,
        isDeleted: false,
        isPast: false,
        hasText: false,
      };
      files.push(file);
      isFront = false;
      continue;
    }
    if (!file || /^(index |--- |\+\+\+ |\\|similarity |rename )/.test(text)) continue;
    if (text.startsWith("new file")) {
      file.isNew = true;
      continue;
    }
    if (text.startsWith("deleted file")) {
      file.isDeleted = true;
      continue;
    }
    const hunk = /^@@ -(\d+)/.exec(text);
    if (hunk) {
      line = Number(hunk[1]);
      if (line <= 1) isFront = false;
      else if (!file.isPast) isFront = true;
      field = null;
      continue;
    }
    const content = text.slice(1);
    if (content === "---" && (line <= 1 || isFront)) {
      if (line <= 1) isFront = true;
      else {
        isFront = false;
        file.isPast = true;
      }
    } else if (isFront) {
      const key = KEY.exec(content);
      const item = /^[ \t]*- (.*)$/.exec(content)?.[1];
      if (key) field = key[1];
      const value = key ? bare(key[2]) : item === undefined ? content.trim() : bare(item);
      if (field && text[0] === "-") put("before", field, value);
      if (field && text[0] === "+") put("after", field, value);
    } else if (text[0] === "+" || text[0] === "-") file.hasText = true;
    if (text[0] !== "+") line++;
  }
  return files;
}

/** How many notes a patch moves, each with the text that it has; null if it changes something else. */
export function movesOf(patch) {
  const blobs = { deleted: [], new: [] };
  for (const part of patch.split(/^diff --git /m).slice(1)) {
    const kind = /^(deleted|new) file mode/m.exec(part)?.[1];
    const [, from, to] = /^index ([\da-f]+)\.\.([\da-f]+)/m.exec(part) ?? [];
    if (!kind || !from) return null;
    blobs[kind].push(kind === "new" ? to : from);
  }
  const isSame = blobs.new.sort().join() === blobs.deleted.sort().join();
  return isSame && blobs.new.length ? blobs.new.length : null;
}

/** The values of a field as a list: those written one below the other, or in brackets. */
const valuesOf = (lines = []) => lines.flatMap((one) => listOf(one) ?? (one ? [one] : []));

/**
 * `[{field, from, to, count}]`, the most frequent first. `field` is null for notes as a whole: `to` says
 * whether they are `new` or `deleted`; it is `body` for their texts. Of lists only what is added and removed
 * is named.
 */
export function summaryOf(patch) {
  const rows = new Map();
  const count = (field, from, to) => {
    const key = JSON.stringify([field, from, to]);
    const row = rows.get(key) ?? { field, from, to, count: 0 };
    row.count++;
    rows.set(key, row);
  };
  for (const file of filesOf(patch)) {
    if (file.isNew || file.isDeleted) {
      count(null, "", file.isNew ? "new" : "deleted");
      continue;
    }
    for (const field of new Set([...Object.keys(file.before), ...Object.keys(file.after)])) {
      const [from, to] = [valuesOf(file.before[field]), valuesOf(file.after[field])];
      const isList =
        [...(file.before[field] ?? []), ...(file.after[field] ?? [])].some((one) => listOf(one)) ||
        from.length > 1 ||
        to.length > 1;
      if (isList)
        count(
          field,
          from.filter((one) => !to.includes(one)).join(", "),
          to.filter((one) => !from.includes(one)).join(", "),
        );
      else count(field, from[0] ?? "", to[0] ?? "");
    }
    if (file.hasText) count("body", "", "");
  }
  return [...rows.values()].sort((a, b) => b.count - a.count);
}

const PAST = {
  add: "added",
  append: "appended",
  attach: "attached",
  clear: "cleared",
  close: "closed",
  delete: "deleted",
  drop: "dropped",
  finish: "finished",
  merge: "merged",
  move: "moved",
  new: "created",
  promote: "promoted",
  redo: "redone",
  remove: "removed",
  rename: "renamed",
  reopen: "reopened",
  repair: "repaired",
  replace: "replaced",
  resolve: "resolved",
  restore: "restored",
  retitle: "retitled",
  save: "saved",
  set: "set",
  shelve: "shelved",
  split: "split",
  start: "started",
  tick: "ticked",
  undo: "undone",
  untick: "unticked",
};

/** The subject of a commit as a message of what was done: `Delete note: Ann` as `Deleted note: Ann`. */
export function doneText(subject) {
  const end = subject.includes(": ") ? subject.indexOf(": ") : subject.length;
  const head = subject
    .slice(0, end)
    .split(", ")
    .map((part, index) => {
      const word = /^\p{L}+/u.exec(part)?.[0] ?? "";
      const past = Object.hasOwn(PAST, word.toLowerCase()) ? PAST[word.toLowerCase()] : word;
      return (index === 0 && past ? past[0].toUpperCase() + past.slice(1) : past) + part.slice(word.length);
    });
  // The version of a commit is named by its day beside it, and not by its hash.
  return (head.join(", ") + subject.slice(end)).replace(/, as of [\da-f]{7,40}$/, ", an earlier version");
}
