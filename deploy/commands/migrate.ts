import { runMigrate } from "../migrate.ts";
import { migratedDatabase } from "../owner-database.ts";

await runMigrate(migratedDatabase(process.env));
