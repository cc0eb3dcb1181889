// @ts-check
// One stream of events for all tabs of the browser: the tab that holds the lock reads it and tells the
// others.

import { request, setOnline } from "./api.js";
import { emit } from "./store.js";

const SILENCE = 40000;
let channel = null;
let last = null;
let isStarted = false;
let isLeading = false;

function heard(message) {
  // Before the page has its first list, the last word is remembered and compared with that of the list.
  if (!isStarted) {
    last = message.state ?? last;
    return;
  }
  if (message.online === false) return setOnline(false);
  setOnline(true);
  if (message.state && message.state !== last) {
    last = message.state;
    emit("changed");
  }
}

/** Every word to the other tabs carries the state: one that has missed a change hears of it by the next. */
const tell = (message) => channel.postMessage({ ...message, state: message.state ?? last });

async function lines() {
  const stop = new AbortController();
  let watch = setTimeout(() => stop.abort(), SILENCE);
  const answer = await request("/api/events", { signal: stop.signal });
  if (!answer.ok) throw new Error("no events");
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    clearTimeout(watch);
    watch = setTimeout(() => stop.abort(), SILENCE);
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const line of parts.filter(Boolean)) {
      const message = JSON.parse(line);
      heard(message);
      tell(message);
    }
  }
  clearTimeout(watch);
}

async function lead() {
  isLeading = true;
  for (let wait = 250; ; ) {
    const began = performance.now();
    try {
      await lines();
    } catch {
      /* tried again below */
    }
    if (performance.now() - began > 5000) wait = 250;
    heard({ online: false });
    channel.postMessage({ online: false });
    last = null;
    await new Promise((done) => setTimeout(done, wait));
    wait = Math.min(wait * 1.5, 2000);
  }
}

/** Listens to the tab that reads the stream; to be called before the first list is asked for. */
export function openEvents() {
  channel = new BroadcastChannel("slip-events");
  channel.onmessage = ({ data }) => {
    if (!data.question) heard(data);
    else if (isLeading && last) tell({});
  };
}

/** `state`: the word for the box as it was read last; its own event says nothing new. */
export function startEvents(state = null) {
  const missed = last;
  isStarted = true;
  last = state;
  if (missed && missed !== last) heard({ state: missed });
  channel.postMessage({ question: true });
  if (navigator.locks) navigator.locks.request("slip-events", lead);
  else lead();
}
