// @ts-check
// A new note as one line: `Call Ada due:tomorrow +home !!` is a title with changes, as slip new reads them.

const WORDS = /(?:[^\s"]|"[^"]*")+/g;
const TAG = /^[+#]([\p{L}\p{N}_][\p{L}\p{N}_/-]*)$/u;
const FIELD = /^(\p{L}[\p{L}\p{N}_-]*):(.+)$/su;
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const NUMBER = "\\d{1,2}(?:st|nd|rd|th)?";
const TIME = "(?:at )?(?:\\d{1,2}:\\d\\d(?: ?[ap]m)?|\\d{1,2} ?[ap]m)";
const DAY = "(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|today|tomorrow|yesterday";
/** Dates of several words. */
const DATES = [
  `(?:next|last|this) (?:week|month|year|${DAY})(?: ${TIME})?`,
  "in (?:\\d+|an?|one) (?:day|week|month|year)s?",
  "(?:\\d+|an?|one) (?:day|week|month|year)s? ago",
  "(?:the )?day (?:after tomorrow|before yesterday)",
  "(?:the )?end of (?:the |this )?(?:day|week|month|year)",
  `${MONTH} ${NUMBER},?(?: \\d{4})?`,
  `${NUMBER} ${MONTH},?(?: \\d{4})?`,
  `(?:${DAY}|\\d{4}-\\d\\d-\\d\\d) ${TIME}`,
].map((text) => new RegExp(`^(?:${text})$`, "i"));
const MOST_WORDS = 5;
const bare = (word) => word.replace(/"/g, "");

/** How many of the words behind the first one of a date belong to it: those of the longest date. */
export function moreOfDate(first, words) {
  for (let count = Math.min(MOST_WORDS, words.length); count > 0; count--) {
    const text = [first, ...words.slice(0, count)].join(" ");
    if (DATES.some((date) => date.test(text))) return count;
  }
  return 0;
}

/**
 * `{kind, title, changes}` of a typed line. `shape`: `kindNamed(name)`, `fieldOf(kind, name)`, and
 * `rankOf(kind, mark)`, which gives the change that a mark such as `!!` means. A change has `text`, as it was
 * typed. A change in quotes is part of the title, without the quotes; other quotes stay. `isChosen`: `kind`
 * was chosen, so that a first word that names a kind is a word of the title.
 */
export function parseLine(line, kind, { kindNamed, fieldOf, rankOf }, isChosen = false) {
  const words = line.match(WORDS) ?? [];
  const named = words.length > 1 && !isChosen ? kindNamed(words[0]) : undefined;
  if (named) {
    words.shift();
    kind = named;
  }
  const title = [],
    changes = [];
  const isChange = (word) =>
    /^!+$/.test(word) || TAG.test(word) || FIELD.test(word) || (!title.length && kindNamed(word));
  while (words.length) {
    const word = words.shift();
    const rank = /^!+$/.test(word) ? rankOf(kind, word) : undefined;
    const tag = TAG.exec(word);
    const field = FIELD.exec(word);
    const declared = field && fieldOf(kind, field[1]);
    if (rank) changes.push({ ...rank, text: word });
    else if (tag && /\p{L}/u.test(tag[1])) changes.push({ field: "tags", add: tag[1], text: word });
    else if (declared && !["title", "tags", "created"].includes(declared.name)) {
      let value = bare(field[2]);
      if (declared.type === "date")
        value = [value, ...words.splice(0, moreOfDate(value, words))].join(" ");
      changes.push({
        field: declared.name,
        [declared.list ? "add" : "value"]: value,
        text: `${field[1]}:${value}`,
      });
    } else title.push(isChange(bare(word)) ? bare(word) : word);
  }
  return { kind, title: title.join(" "), changes, isNamed: named !== undefined };
}

/**
 * What a line means, as `parseLine` gives it. The kind is `kind` if it was chosen, else the one that the
 * first word names, else that of the fields: it hangs on nothing that was typed before.
 */
export function readLine(line, kind, isChosen, kinds, shape) {
  const parsed = parseLine(line, kind, shape, isChosen);
  if (isChosen || parsed.isNamed) return parsed;
  return parseLine(line, kindOfLine(line, kind, kinds, shape), shape);
}

/** The title that a line gives, where it is another text than the line; null where it is the same. */
export function otherTitle(line, title) {
  return title && title !== line.trim().replace(/\s+/g, " ") ? title : null;
}

/**
 * The kind that a line means if nobody has chosen one: `kind` if it has all fields of the line, else the
 * first of `kinds` that has them; `kind` if none has.
 */
export function kindOfLine(line, kind, kinds, { fieldOf, rankOf }) {
  const words = line.match(WORDS) ?? [];
  const names = words.map((word) => FIELD.exec(word)?.[1]).filter(Boolean);
  const marks = words.filter((word) => /^!+$/.test(word));
  const known = names.filter((name) => kinds.some((one) => fieldOf(one, name)));
  const has = (one) =>
    known.every((name) => fieldOf(one, name)) && marks.every((mark) => rankOf(one, mark) !== undefined);
  return !known.length || has(kind) ? kind : (kinds.find(has) ?? kind);
}

/** The fields of other kinds that a title names: `kind` lacks them, so that they are words of the title. */
export const lackingFields = (title, kind, kinds, { fieldOf }) =>
  (title.match(WORDS) ?? [])
    .map((word) => FIELD.exec(word)?.[1])
    .filter((name) => name && !fieldOf(kind, name) && kinds.some((one) => fieldOf(one, name)));

/** The changes of a new note: of several that set one field, the last. */
export function combined(...lists) {
  const all = lists
    .flat()
    .map(({ field, value, add }) => (add === undefined ? { field, value } : { field, add }));
  return all.filter(
    (one, index) =>
      !all
        .slice(index + 1)
        .some((later) => later.field === one.field && (one.add === undefined || later.add === one.add)),
  );
}

/** The value that a patch writes for a field of a new note; undefined if there is none. */
export const writtenIn = (patch, field) =>
  new RegExp(`^\\+${field.replace(/[^\p{L}\p{N}_-]/gu, "")}: *(.+)$`, "mu").exec(patch)?.[1];

/** The time of day that a patch writes for a date: `due-time` of `due`; empty if there is none. */
export const timeWrittenIn = (patch, field) => writtenIn(patch, `${field}-time`)?.replace(/["']/g, "") ?? "";

/** A change as the server reads it: `+tag`, `-tag`, or a field and a colon without a blank behind it. */
const CHANGE = /^(?:[+-].|\p{L}[\p{L}\p{N}_.-]*:(?!:|\/\/))/su;

/**
 * The changes of a typed line, such as `status:closed +tag due:next week`: a value goes on up to the next
 * change, and quotes keep a change in it. `due: friday` is read too, and `due=friday` if `names` has the
 * field.
 */
export function splitChanges(text, names = []) {
  const changes = [];
  for (const word of text.match(WORDS) ?? []) {
    const [, name, value] = /^([^=:"]+)=(.*)$/s.exec(word) ?? [];
    const isNamed = names.includes(name);
    const last = changes.at(-1);
    if (isNamed || CHANGE.test(word)) changes.push(isNamed ? `${name}:${bare(value)}` : bare(word));
    else if (last === undefined || /^[+-]/.test(last)) changes.push(bare(word));
    else if (bare(word)) changes[changes.length - 1] += (/^[^:]+:$/.test(last) ? "" : " ") + bare(word);
  }
  return changes;
}
