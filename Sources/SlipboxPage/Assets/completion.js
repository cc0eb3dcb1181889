// @ts-check
// What can be completed at the caret: a link to a note, a heading or a block, a tag, the day of a check box.

const NOTE = /\[\[([^[\]\n|#]*)$/;
const HEADING = /\[\[([^[\]\n|#]*)#([^[\]\n|#^]*)$/;
const BLOCK = /\[\[([^[\]\n|#]*)#\^([A-Za-z0-9-]*)$/;
const TAG = /(?:^|[\s(])#([\p{L}\p{N}_][\p{L}\p{N}_/-]*)$/u;
const DAY = /(?:(?:^|\s)due:|📅 ?|\[due:: ?|@due\()([\p{L}\p{N}-]*)$/u;
const BOX = /^(?:[ \t]|> ?)*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ /!?*]\][ \t]/;

/**
 * `{form, typed, note}` for the text before the caret; `typed` is what the taken item replaces. Null if
 * nothing is completed.
 */
export function wantedAt(before) {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const heading = HEADING.exec(line);
  if (heading) return { form: "heading", typed: heading[2], note: heading[1].trim() };
  const block = BLOCK.exec(line);
  if (block) return { form: "block", typed: block[2], note: block[1].trim() };
  const note = NOTE.exec(line);
  if (note) return { form: "note", typed: note[1] };
  const tag = TAG.exec(line);
  if (tag) return { form: "tag", typed: tag[1] };
  const day = BOX.test(line) ? DAY.exec(line) : null;
  return day ? { form: "day", typed: day[1] } : null;
}

/**
 * Whether the text before the caret ends in a link that is not closed, or in a tag of which `isWhole(tag)` is
 * false: Escape there ends the completion alone.
 */
export function isUnfinished(before, isWhole) {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (/\[\[(?:(?!\]\]).)*$/.test(line)) return true;
  const tag = /(?:^|[\s(])#([\p{L}\p{N}_/-]*)$/u.exec(line);
  return tag !== null && !isWhole(tag[1]);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The lines of a text outside of fenced code: `{text, line}`; lines count from 1. */
function linesOutsideCode(text) {
  const found = [];
  let open = null;
  text.split("\n").forEach((line, index) => {
    const fence = FENCE.exec(line)?.[1];
    if (fence && open === null) open = fence;
    else if (fence && fence[0] === open[0] && fence.length >= open.length) open = null;
    else if (open === null) found.push({ text: line, line: index + 1 });
  });
  return found;
}

/** The headings of a text: `{text, level, line}`, without those in fenced code; lines count from 1. */
export const headingsOf = (text) =>
  linesOutsideCode(text).flatMap(({ text, line }) => {
    const match = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(text);
    return match?.[2] ? [{ text: match[2], level: match[1].length, line }] : [];
  });

/** The blocks of a text that have a name, such as `^figure` at the end of a line: `{name, text}`. */
export const blocksOf = (text) =>
  linesOutsideCode(text).flatMap(({ text }) => {
    const match = /^(|.*\s)\^([A-Za-z0-9-]+)\s*$/.exec(text);
    return match ? [{ name: match[2], text: match[1].trim() }] : [];
  });

/** The day that a word means from a day on; the week begins on Monday. */
export function dayOf(word, today) {
  const start = Date.parse(`${today}T00:00:00Z`);
  const date = new Date(start);
  const weekday = (date.getUTCDay() + 6) % 7;
  const steps = { today: 0, tomorrow: 1, monday: (7 - weekday) % 7, "next week": 7 - weekday };
  if (word === "next month")
    return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
  return new Date(start + steps[word] * 86400000).toISOString().slice(0, 10);
}

const DAY_NAMES = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** Days by their names from a day on: `{text, day}`. */
export function daysFrom(today) {
  const start = Date.parse(`${today}T00:00:00Z`);
  const after = (count) => new Date(start + count * 86400000);
  const written = (date) => date.toISOString().slice(0, 10);
  const names = [
    ["today", 0],
    ["tomorrow", 1],
    ...Array.from({ length: 6 }, (_, index) => [DAY_NAMES[after(index + 2).getUTCDay()], index + 2]),
    ["in a week", 7],
    ["in two weeks", 14],
  ];
  return names.map(([text, count]) => ({ text, day: written(after(count)) }));
}

/** A heading as addresses name it. */
export const slugOf = (text) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .trim()
    .replace(/[^\p{L}\p{N}\s_-]+/gu, "")
    .replace(/\s+/g, "-");

/** The fields with these names that a word begins, in that order, before the other items. */
export function fieldsFirst(items, names, word) {
  const placeOf = ({ text }) => names.findIndex((name) => text.startsWith(`${name}:`));
  const missing = names
    .filter((name) => name.startsWith(word) && !items.some(({ text }) => text === `${name}:`))
    .map((name) => ({ text: `${name}:` }));
  const own = [...items.filter((item) => placeOf(item) >= 0), ...missing];
  own.sort((one, other) => placeOf(one) - placeOf(other));
  return [...own, ...items.filter((item) => placeOf(item) < 0)];
}
