// @ts-check
// Views without a browser: the days of a calendar, the columns and the order of a table, moves between
// columns.

const DAY = 86400000;
const numberOf = (day) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY);
const dayOf = (number) => new Date(number * DAY).toISOString().slice(0, 10);

export const addDays = (day, count) => dayOf(numberOf(day) + count);

/** The parts of a line with at most so many letters before the first hit, cut between words. */
export function leadCut(parts, most) {
  const [first, ...rest] = parts;
  if (!first || first.hit || first.text.length <= most) return parts;
  const end = first.text.slice(-most);
  return [{ ...first, text: `…${end.slice(end.search(/\s/) + 1)}` }, ...rest];
}

/** The Monday of the week of a day. */
export const mondayOf = (day) => addDays(day, -((numberOf(day) + 3) % 7));

/** A day of the month some months later; the last one if that month is shorter. */
export function addMonths(day, count) {
  const [year, month, number] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(number, last))).toISOString().slice(0, 10);
}

/** The days of the weeks that a month lies in, or of the week of a day. */
export function daysShown(day, isWeek) {
  const first = mondayOf(isWeek ? day : `${day.slice(0, 8)}01`);
  if (isWeek) return Array.from({ length: 7 }, (_, index) => addDays(first, index));
  const end = numberOf(mondayOf(addDays(addMonths(`${day.slice(0, 8)}01`, 1), -1))) + 7;
  return Array.from({ length: end - numberOf(first) }, (_, index) => addDays(first, index));
}

/** What takes a card to another column of a board: `{action}` or `{changes}`; null if nothing does. */
export function moveOf(board, { from, to, kind, isList }) {
  if (!board.movable || from.value === to.value) return null;
  const { field } = board;
  if (isList)
    return {
      changes: [
        (from.value ?? null) !== null && { field, remove: from.value },
        (to.value ?? null) !== null && { field, add: to.value },
      ].filter(Boolean),
    };
  const action = to.actions?.[kind];
  return action ? { action } : { changes: [{ field, value: to.value ?? "" }] };
}

/** The columns of a table as they are typed, apart at commas outside of brackets. */
export function splitColumns(text) {
  const parts = [];
  let depth = 0,
    part = "";
  for (const character of text) {
    if (character === "," && depth === 0) {
      parts.push(part.trim());
      part = "";
      continue;
    }
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    part += character;
  }
  return [...parts, part.trim()].filter(Boolean);
}

/** The query for the notes that each of several queries finds. */
export const joined = (...queries) =>
  queries
    .filter(Boolean)
    .map((query) => (/(^|\s)OR\s/.test(query) ? `(${query})` : query))
    .join(" ");

/** The place of a row in the rows of a later answer: by its note, or by the query of its group; else -1. */
export function followed(row, rows) {
  const nameOf = ({ note, query }) => note?.[0].ref ?? note?.[0].id ?? note?.[0].path ?? query;
  const name = row && nameOf(row);
  return name === undefined ? -1 : rows.findIndex((one) => nameOf(one) === name);
}

/** The changes that empty a field of a note; none if it is empty. */
export function emptied({ name, list }, value) {
  const values = [value ?? ""].flat().filter((one) => one !== "");
  if (list) return values.map((one) => ({ field: name, remove: one }));
  return values.length ? [{ field: name, value: "" }] : [];
}

/** The direction in which a table is sorted by a column: 1, -1 or 0. */
export const directionOf = (sort, name) => (sort === name ? 1 : sort === `-${name}` ? -1 : 0);

/** The order after a click on the head of a column: up, then down. */
export const nextSort = (sort, name) => (directionOf(sort, name) === 1 ? `-${name}` : name);
