// @ts-check
// History by days: changes of one note by one person that follow each other are one sitting.

/** Milliseconds between two changes of one sitting. */
const PAUSE = 30 * 60 * 1000;

/** The one note that an entry is about; null if there are several or none. */
function noteOf(entry) {
  const notes = new Set(entry.changes.map((change) => change.note).filter(Boolean));
  return notes.size === 1 ? [...notes][0] : null;
}

const isSame = (entry, other) =>
  noteOf(entry) !== null &&
  noteOf(entry) === noteOf(other) &&
  entry.author === other.author &&
  entry.device === other.device &&
  Math.abs(Date.parse(entry.time) - Date.parse(other.time)) <= PAUSE;

/** The days of entries that are in order, each with its sittings: `[{day, sittings: [[entry]]}]`. */
export function daysOf(entries) {
  const days = [];
  for (const entry of entries) {
    const day = entry.time.slice(0, 10);
    if (days.at(-1)?.day !== day) days.push({ day, sittings: [] });
    const { sittings } = days.at(-1);
    const last = sittings.at(-1);
    if (last && isSame(last.at(-1), entry)) last.push(entry);
    else sittings.push([entry]);
  }
  return days;
}
