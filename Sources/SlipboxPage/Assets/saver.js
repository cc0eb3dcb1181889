// Writes, one after another; what could not be written is kept in the browser and tried again.

import { post } from "./api.js";
import { state, emit, on } from "./store.js";
import { say } from "./messages.js";

const TAB = "slip-tab";
const tab = sessionStorage.getItem(TAB) ?? Math.random().toString(36).slice(2, 10);
sessionStorage.setItem(TAB, tab);

const jobs = [];
const texts = new Map();      // ref -> {ref, etag, body, title}: text that is typed and not asked to be saved yet
let running = null;
let wait = 500;
const lastEtag = new Map();   // a version that was read, and the one that our change made of it

const keyOf = (owner, ref) => `slip-draft:${state.box.path}:${owner}:${ref}`;

/** Everything about one note that is not written yet, as it lies in the browser. */
function keep(ref) {
  const waiting = jobs.filter((job) => job.ref === ref);
  const text = texts.get(ref) ?? null;
  try {
    if (!waiting.length && !text) localStorage.removeItem(keyOf(tab, ref));
    else localStorage.setItem(keyOf(tab, ref), JSON.stringify({ ref, text, jobs: waiting.map(({ etag, changes, body, title }) => ({ etag, changes, body, title })) }));
  } catch { /* a browser without room keeps the text in the page alone */ }
}

export function saveState() {
  const conflict = jobs.find((job) => job.state === "conflict");
  const failed = jobs.find((job) => job.state === "failed");
  if (conflict) return { word: "conflict", text: "Not saved: changed elsewhere too", ref: conflict.ref };
  if (failed) return { word: "failed", text: `Not saved: ${failed.error.message}`, ref: failed.ref };
  if (jobs.length) return { word: "saving", text: "Saving…" };
  if (texts.size) return { word: "typed", text: "Not saved yet" };
  return { word: "saved", text: "Saved" };
}

/** The form shows this version now: it is no longer an older one of ours. */
export const seen = (ref, etag) => lastEtag.delete(`${ref} ${etag}`);

export const jobOf = (ref) => jobs.find((job) => job.ref === ref && (job.state === "conflict" || job.state === "failed"));
export const typedOf = (ref) => texts.get(ref);
export const unsaved = () => jobs.length > 0 || texts.size > 0;

/** Holds what was typed into a body until it is saved. */
export function hold(ref, text) {
  if (text) texts.set(ref, { ref, ...text });
  else texts.delete(ref);
  keep(ref);
  emit("saving");
}

/** Asks for a change of one note to be written. Resolves with the answer, or with null where the user gave it up. */
export function save({ ref, etag, changes = [], body, title }) {
  return new Promise((done) => {
    jobs.push({ ref, etag, changes, body, title, state: "waiting", done });
    keep(ref);
    emit("saving");
    run();
  });
}

function finish(job, answer) {
  jobs.splice(jobs.indexOf(job), 1);
  keep(job.ref);
  running = null;
  emit("saving");
  job.done(answer);
}

/** The field that a change is about, as a text or as an object. */
const fieldOfChange = (change) => (typeof change === "object" ? change.field : /^([^:]*):/.exec(change)?.[1] ?? "tags");

/** Later changes of the same note were made on what this one wrote, but for what came in from elsewhere. */
function follow(job, note, merged) {
  const foreign = new Set((merged ?? []).filter((one) => one.ref === job.ref).map((one) => one.field));
  for (const other of jobs) {
    if (other === job || other.ref !== job.ref || other.etag !== job.etag) continue;
    const fields = [...other.changes.map(fieldOfChange), ...(other.body === undefined ? [] : ["body"])];
    if (!fields.some((field) => foreign.has(field))) other.etag = note.etag;
  }
  const text = texts.get(job.ref);
  if (text && text.etag === job.etag && !foreign.has("body")) { text.etag = note.etag; keep(job.ref); }
  // A value that is put back gives an older version again: the newest one leads nowhere.
  if (job.etag !== note.etag) lastEtag.set(`${job.ref} ${job.etag}`, foreign.size ? null : note.etag);
  lastEtag.delete(`${job.ref} ${note.etag}`);
}

async function run() {
  if (running) return;
  const job = jobs.find((one) => one.state === "waiting");
  if (!job) return;
  running = job;
  job.state = "saving";
  // The etag of a form that has not heard of its own last change yet.
  for (let next; (next = lastEtag.get(`${job.ref} ${job.etag}`));) job.etag = next;
  try {
    const request = { notes: [{ ref: job.ref, etag: job.etag }], changes: job.changes };
    if (job.body !== undefined) request.body = job.body;
    if (job.keep) request.keep = job.keep;
    // A page that is closed has its last change sent all the same; browsers send 64 kB so.
    const keepalive = document.visibilityState === "hidden" && (job.body ?? "").length < 20000;
    const answer = await post("change", request, { keepalive });
    const note = answer.notes[0];
    if (note) follow(job, note, answer.merged);
    wait = 500;
    finish(job, answer);
    if (answer.merged?.length) say(`Merged with what was changed elsewhere: ${answer.merged.map((one) => one.field).join(", ")}`);
    else if (answer.hints?.length) say(answer.hints[0]);
    emit("written", { ref: job.ref, note, answer, body: job.body });
  } catch (error) {
    job.error = error;
    running = null;
    if (error.status === 409 && error.conflicts.length) { job.state = "conflict"; job.conflicts = error.conflicts; }
    else if (error.passing) { job.state = "failed"; setTimeout(again, wait); wait = Math.min(wait * 1.6, 5000); }
    else if (error.code === "not-found") { job.state = "failed"; emit("changed"); }
    else { job.state = "failed"; job.refused = true; say(`Not saved. ${error.advice}`, { error: true }); }
    keep(job.ref);
    emit("saving");
    emit("refused", job);
    if (job.refused && job.body === undefined) finish(job, null);
  }
  run();
}

/** Tries again what failed for want of a server. */
export function again() {
  for (const job of jobs) if (job.state === "failed" && !job.refused) job.state = "waiting";
  run();
}

/** Settles a change that met another: `mine` writes it over, `theirs` gives it up. */
export function settle(job, side) {
  if (side === "mine") { job.keep = "mine"; job.state = "waiting"; emit("saving"); run(); } else {
    finish(job, null);
    emit("dropped", job);
    run();
  }
}

export function giveUp(job) { finish(job, null); emit("dropped", job); }

/** Takes over what this tab, or tabs that are closed, left behind. */
export async function recover() {
  if (navigator.locks) navigator.locks.request(`slip-tab-${tab}`, () => new Promise(() => {}));
  const held = new Set(navigator.locks ? (await navigator.locks.query()).held.map((lock) => lock.name) : []);
  const prefix = `slip-draft:${state.box.path}:`;
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(prefix))) {
    const owner = key.slice(prefix.length).split(":")[0];
    if (owner !== tab && held.has(`slip-tab-${owner}`)) continue;
    const left = JSON.parse(localStorage.getItem(key));
    localStorage.removeItem(key);
    for (const job of left.jobs) save({ ref: left.ref, ...job });
    if (left.text) save({ ref: left.ref, etag: left.text.etag, body: left.text.body, title: left.text.title });
  }
}

on("online", (online) => { if (online) again(); });
