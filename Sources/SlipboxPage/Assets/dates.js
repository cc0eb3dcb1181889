// @ts-check
// Dates as people read them: short in rows, whole in titles.

import { state } from "./store.js";

const DAY = 86400000;
/** Midnight of a day, in milliseconds. */
const day = (text) => Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
const format = (options) => new Intl.DateTimeFormat(undefined, { timeZone: "UTC", ...options });
const near = format({ day: "numeric", month: "short" });
const far = format({ day: "numeric", month: "short", year: "numeric" });
const full = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

export const today = () =>
  (state.place.at && /^\d{4}-\d\d-\d\d$/.test(state.place.at) ? state.place.at : state.box?.today) ??
  new Date().toISOString().slice(0, 10);
export const isDate = (text) => typeof text === "string" && /^\d{4}-\d\d-\d\d/.test(text);

export function short(text) {
  if (!isDate(text)) return String(text ?? "");
  const away = Math.round((day(text) - day(today())) / DAY);
  if (away === 0) return "today";
  if (away === 1) return "tomorrow";
  if (away === -1) return "yesterday";
  return (text.slice(0, 4) === today().slice(0, 4) ? near : far).format(day(text));
}

/** The first and the last day of some as one text. */
export const span = (first, last) => far.formatRange(day(first), day(last));

/** A day without words such as today. */
export const plain = (text) =>
  (text.slice(0, 4) === today().slice(0, 4) ? near : far).format(day(text));

export const long = (text) => (isDate(text) ? full.format(day(text)) : String(text ?? ""));

/** A moment: the day, and the hour where it is near. */
export function moment(text) {
  if (!isDate(text)) return String(text ?? "");
  const at = new Date(text);
  return Math.abs(Date.now() - at.getTime()) < 7 * DAY ? `${short(text)}, ${clock.format(at)}` : short(text);
}

export const toNumber = (text) => Math.round(day(text) / DAY);
export const fromNumber = (number) => new Date(number * DAY).toISOString().slice(0, 10);
