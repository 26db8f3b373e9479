// `npm run migrate`: migrates the database in OWNER_DATABASE_URL, else this installation's, prepared like `npm start`.

import { runMigrate } from "@ems/deploy/migrate";
import { migratedDatabase } from "@ems/deploy/owner-database";
import { ownerRole } from "@ems/kit/db/schema";
import { deployConfig } from "./config.ts";
import { joinInstallation } from "./installation.ts";

const print = (line: string) => process.stderr.write(`${line}\n`);
process.exit(
  await runMigrate(process.env.OWNER_DATABASE_URL ? migratedDatabase(process.env, print) : installedDatabase),
);

async function installedDatabase() {
  const { urlAs, close } = await joinInstallation(deployConfig(process.env), print, {
    migrates: false,
    prepares: true,
  });
  return { ownerUrl: urlAs(ownerRole), peppers: [], close };
}
