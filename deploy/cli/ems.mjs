#!/usr/bin/env node
// `npx ems`, on whatever Node the machine has: with the packages and a Node that is new enough it runs at once, else
// through the launcher, which installs both.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const nodeMajorMin = 26;
const isInstalled = existsSync(fileURLToPath(new URL("../node_modules/commander/package.json", import.meta.url)));
if (isInstalled && Number.parseInt(process.versions.node, 10) >= nodeMajorMin) {
  await import("./main.ts");
} else {
  // The launcher runs in the product's folder; relative paths mean the caller's folder.
  process.env.EMS_CWD = process.cwd();
  process.argv.splice(2, 0, "ems");
  await import("../run.mjs");
}
