#!/usr/bin/env node
// Entry point of `npx ems` on any Node version. Runs `ems` directly if packages are installed and Node is new enough,
// otherwise through the launcher, which installs both.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const nodeMajorMin = 26;
const isInstalled = existsSync(fileURLToPath(new URL("../node_modules/commander/package.json", import.meta.url)));
if (isInstalled && Number.parseInt(process.versions.node, 10) >= nodeMajorMin) {
  await import("./main.ts");
} else {
  // The launcher changes to the product's folder. EMS_CWD keeps the caller's folder, for relative paths.
  process.env.EMS_CWD = process.cwd();
  process.argv.splice(2, 0, "ems");
  await import("../run.mjs");
}
