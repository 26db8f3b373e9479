// `ems backup`: backs up the database in BACKUP_DATABASE_URL, else this installation's database.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { runBackup } from "@ems/deploy/backup/command";
import { UsageError } from "@ems/deploy/command-line";
import { configuredBackupDatabase } from "@ems/deploy/owner-database";
import { backupRole } from "@ems/kit/db/backup-role";
import { deployConfig } from "./config.ts";
import { joinInstallation } from "./installation.ts";

const { env } = process;
const print = (line: string) => process.stderr.write(`${line}\n`);
process.exitCode = await runBackup(env.BACKUP_DATABASE_URL ? configuredBackupDatabase(env, print) : installedDatabase);

async function installedDatabase() {
  const config = deployConfig(env);
  // Check first, because joinInstallation would create a missing installation.
  if (!existsSync(join(config.DATA_DIR, "secrets.json")))
    throw new UsageError(`there is no installation in DATA_DIR ${config.DATA_DIR}`);
  const { urlAs, close } = await joinInstallation(config, print, { migrates: false });
  return { url: urlAs(backupRole), close };
}
