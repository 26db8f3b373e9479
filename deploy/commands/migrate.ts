import { runMigrate } from "../migrate.ts";
import { migratedDatabase } from "../owner-database.ts";
import { quitSidecar } from "../sidecar.ts";

const print = (line: string) => process.stderr.write(`${line}\n`);
const code = await runMigrate(migratedDatabase(process.env, print));
await quitSidecar(process.env, print);
process.exit(code);
