// @ts-check
// What can't be saved: every change that waits for a decision, of whatever note, with what can be done about
// it.

import { el, button, replace } from "./dom.js";
import { on } from "./store.js";
import { go } from "./address.js";
import { stuckJobs } from "./saver.js";
import { stuck } from "./conflicts.js";
import { openDialog } from "./messages.js";

export function openUnsaved() {
  if (!stuckJobs().length) return;
  const list = el("div", { class: "dialog-body" });
  const dialog = openDialog("Not saved", () => list, { wide: true, name: "unsaved" });
  const draw = () => {
    const jobs = stuckJobs();
    if (!jobs.length) return dialog.close();
    return replace(
      list,
      jobs.map((job) =>
        el(
          "section",
          {},
          button(
            job.title || job.ref,
            () => {
              dialog.close();
              go({ view: "notes", ref: job.ref });
            },
            { class: "link" },
          ),
          stuck(job),
        ),
      ),
    );
  };
  draw();
  dialog.addEventListener("close", on("saving", draw));
}
