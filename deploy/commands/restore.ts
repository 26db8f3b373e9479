// `restore`: restores a backup into the database in OWNER_DATABASE_URL.

import { runRestore } from "../backup/command.ts";
import { configuredRestoreDatabase } from "../owner-database.ts";

const print = (line: string) => process.stderr.write(`${line}\n`);
process.exitCode = await runRestore(configuredRestoreDatabase(process.env, print));
