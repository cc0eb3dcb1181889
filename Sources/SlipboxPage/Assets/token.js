// @ts-check
// The key of this page: out of the address into the tab, and from tab to tab of this browser.

import { on, state } from "./store.js";

const KEY = "slip-token";
const CHANNEL = "slip-key";
/** Milliseconds that other tabs have for an answer: those in the background of a busy machine need some. */
const PATIENCE = 1000;
const isToken = (text) => typeof text === "string" && /^[0-9a-fA-F]{16,128}$/.test(text);

/** Takes the token out of the address before anything else is done. */
export function takeToken() {
  const found = /(?:^#|[#&])token=([0-9a-fA-F]+)/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(KEY, found[1]);
    const rest = location.hash.replace(/[#&]?token=[0-9a-fA-F]+/, "").replace(/^&/, "#");
    history.replaceState(null, "", location.pathname + (rest.startsWith("#/") ? rest : ""));
  }
  return sessionStorage.getItem(KEY);
}

/**
 * Asks the other tabs of this page, where a link was opened in a tab of its own; only pages of this origin
 * hear it.
 */
export function askToken() {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((done) => {
    const end = (token) => {
      clearTimeout(timer);
      channel.close();
      if (token) sessionStorage.setItem(KEY, token);
      done(token);
    };
    const timer = setTimeout(() => end(null), PATIENCE);
    channel.onmessage = ({ data }) => {
      if (isToken(data?.token)) end(data.token);
    };
    channel.postMessage({ question: true });
  });
}

/**
 * Answers such questions, while the key is the right one and the server is there: another program may have
 * its port by then.
 */
export function handOn() {
  const channel = new BroadcastChannel(CHANNEL);
  let isRight = true;
  on("unauthorized", () => {
    isRight = false;
  });
  on("box", () => {
    isRight = true;
  });
  channel.onmessage = ({ data }) => {
    if (isRight && state.online && data?.question)
      channel.postMessage({ token: sessionStorage.getItem(KEY) });
  };
}
