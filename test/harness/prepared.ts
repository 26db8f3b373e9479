// Global set-up: a data directory with secrets, a cluster and a migrated database, created once per test run.
// data-dir.ts copies it for each product that starts empty: initdb and migrations take 2 s of CPU, a copy 0.1 s.

import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { deployConfig } from "@ems/dev/config";
import { openInstallation } from "@ems/dev/installation";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { installationIn, preparedVariable } from "./data-dir.ts";

/** The first project's set-up makes it for all of them. */
export default async function setup(): Promise<void> {
  if (process.env[preparedVariable] !== undefined) return;
  const dir = await temporaryDir("ems-test-prepared-");
  process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
  await mkdir(installationIn(dir));
  const installation = await openInstallation(deployConfig({ DATA_DIR: installationIn(dir) }), () => undefined);
  await installation.close();
  process.env[preparedVariable] = dir;
}
