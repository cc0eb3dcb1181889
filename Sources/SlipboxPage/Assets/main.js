// @ts-check
// Starts the page: the key, the first list, then the panes.

import { el, button } from "./dom.js";
import { state, readOnly } from "./store.js";
import { get, useToken } from "./api.js";
import { startAddress } from "./address.js";
import { format } from "./place.js";
import { takeToken, askToken, handOn } from "./token.js";
import { openEvents } from "./events.js";
import { startFound } from "./found.js";
import { holdKeys } from "./held.js";
import { WINDOW } from "./list.js";
import { App } from "./app.js";
import { say, sayError } from "./messages.js";
import { startBars } from "./bars.js";
import { startTaps } from "./overlays.js";
import { startTheme } from "./theme.js";
import "./recent.js";

/** A picture that is dropped is attached to the open note; no file takes the place of the page. */
function takeFiles(app) {
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (holdsFiles(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    if (readOnly() || !app.isShown() || !state.note || state.gone)
      say("Open a note to attach a picture to it", { error: true });
    else app.detail.body.pictures.attach([...event.dataTransfer.files]);
  });
}

/** An address of a day on which there is no box is that of now: why is said; null where the day is one. */
async function leaveNoDay() {
  if (!state.place.at) return null;
  try {
    await get("box", { brief: true });
    return null;
  } catch (error) {
    if (!error.status || error.status === 401) return null;
    state.place.at = null;
    history.replaceState(history.state, "", format(state.place));
    return error;
  }
}

/** Keys that were pressed before the page was there are pressed now. */
const release = () => holdKeys(null, () => true);

/** A page without its panes: why there are none. */
function showAlone(text, ...buttons) {
  release();
  const title = el("h1", { text: "Slipbox" });
  document.body.replaceChildren(el("main", { class: "empty alone" }, title, el("p", { text }), buttons));
}

async function begin() {
  startTheme();
  startTaps();
  const token = takeToken() ?? (await askToken());
  useToken(token);
  startAddress();
  startBars();
  openEvents();
  if (!token)
    return showAlone(
      "This address has no access token. Run slip page in your box to open the page with its token.",
    );
  const refused = await leaveNoDay();
  const { query, view } = state.place;
  const early =
    view === "notes" ? { query, view, answer: get("list", { q: query, from: 0, limit: WINDOW }) } : null;
  early?.answer.catch(() => {});
  try {
    state.box = await get("box", { brief: true });
  } catch (error) {
    const gone =
      error.status === 401
        ? "The access token of this page is no longer valid. Run slip page again."
        : error.advice;
    return showAlone(
      gone,
      button("Try again", () => location.reload(), { class: "primary" }),
    );
  }
  handOn();
  const app = new App();
  app.list.early = early;
  app.build();
  startFound(app.detail.body.view);
  takeFiles(app);
  const started = app.start();
  holdKeys(app.listing, () => true, { isPatient: true, late: "The page was not there yet" });
  await started;
  if (refused) sayError(refused);
  if (location.hash === "") history.replaceState(history.state, "", format(state.place));
}

begin().catch((error) => {
  release();
  throw error;
});
