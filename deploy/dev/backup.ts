// `ems backup`: from the database of BACKUP_DATABASE_URL, else from this installation's.

import { runBackup } from "@ems/deploy/backup/command";
import { configuredBackupDatabase } from "@ems/deploy/owner-database";
import { backupRole } from "@ems/kit/db/backup-role";
import { deployConfig } from "./config.ts";
import { joinInstallation } from "./installation.ts";

const { env } = process;
const print = (line: string) => process.stderr.write(`${line}\n`);
process.exitCode = await runBackup(env.BACKUP_DATABASE_URL ? configuredBackupDatabase(env, print) : installedDatabase);

async function installedDatabase() {
  const { urlAs, close } = await joinInstallation(deployConfig(env), print, { migrates: false });
  return { url: urlAs(backupRole), close };
}
