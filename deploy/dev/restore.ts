// `ems restore`: restores into the database in OWNER_DATABASE_URL, else this installation's, prepared like `npm start`.

import { runRestore } from "@ems/deploy/backup/command";
import { configuredRestoreDatabase } from "@ems/deploy/owner-database";
import { ownerRole } from "@ems/kit/db/schema";
import { deployConfig } from "./config.ts";
import { joinInstallation } from "./installation.ts";

const { env } = process;
const print = (line: string) => process.stderr.write(`${line}\n`);
process.exitCode = await runRestore(env.OWNER_DATABASE_URL ? configuredRestoreDatabase(env, print) : installedDatabase);

async function installedDatabase() {
  const { urlAs, close } = await joinInstallation(deployConfig(env), print, { migrates: false });
  return { url: urlAs(ownerRole), close };
}
