// `backup`: backs up the database in BACKUP_DATABASE_URL.

import { runBackup } from "../backup/command.ts";
import { configuredBackupDatabase } from "../owner-database.ts";

const print = (line: string) => process.stderr.write(`${line}\n`);
process.exitCode = await runBackup(configuredBackupDatabase(process.env, print));
