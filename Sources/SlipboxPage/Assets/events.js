// One stream of events for all tabs of the browser: the tab that holds the lock reads it and tells the others.

import { request, setOnline } from "./api.js";
import { emit } from "./store.js";

const SILENCE = 40000;
let last = null;

function heard(message) {
  if (message.online === false) return setOnline(false);
  setOnline(true);
  if (message.state && message.state !== last) {
    last = message.state;
    emit("changed");
  }
}

async function lines(channel) {
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
      channel.postMessage(message);
    }
  }
  clearTimeout(watch);
}

async function lead(channel) {
  for (let wait = 250; ;) {
    const began = performance.now();
    try { await lines(channel); } catch { /* tried again below */ }
    if (performance.now() - began > 5000) wait = 250;
    heard({ online: false });
    channel.postMessage({ online: false });
    last = null;
    await new Promise((done) => setTimeout(done, wait));
    wait = Math.min(wait * 1.5, 2000);
  }
}

/** `state`: the word for the box as it was read last; its own event says nothing new. */
export function startEvents(state = null) {
  last = state;
  const channel = new BroadcastChannel("slip-events");
  channel.onmessage = (event) => heard(event.data);
  if (navigator.locks) navigator.locks.request("slip-events", () => lead(channel));
  else lead(channel);
}
