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
  // Whoever looks at a past day would read such a word as the present one.
  const away = state.place.at ? null : Math.round((day(text) - day(today())) / DAY);
  if (away === 0) return "today";
  if (away === 1) return "tomorrow";
  if (away === -1) return "yesterday";
  return (text.slice(0, 4) === today().slice(0, 4) ? near : far).format(day(text));
}

const two = (number) => String(number).padStart(2, "0");

/** The day and the time of day of a text, in the browser's time zone if the text names one: `[day, time]`. */
function dayAndTime(text) {
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)\S*?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  if (!zone) return [day ?? text, time ?? ""];
  const at = new Date(text.replace(" ", "T"));
  if (Number.isNaN(at.getTime())) return [day, time];
  return [
    `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    `${two(at.getHours())}:${two(at.getMinutes())}`,
  ];
}

/** A day in words, and the time of day that it has or that a field beside it holds. */
export function timed(text, time = "") {
  if (!isDate(text)) return short(text);
  const [day, own] = dayAndTime(text);
  return [short(day), time || own].filter(Boolean).join(" ");
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
