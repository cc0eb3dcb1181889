// The scripts of the page as modules of Node: it reads a file as one only where a package says so.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "slip-page-assets-"));
cpSync(new URL("../../../Sources/SlipboxPage/Assets/", import.meta.url), folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"type":"module"}');
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A script of the page that needs no browser. */
export const load = (name) => import(pathToFileURL(join(folder, name)));
