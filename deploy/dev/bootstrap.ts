// `npm run bootstrap`: uses the database in OWNER_DATABASE_URL with API_KEY_PEPPERS, else this installation's database.

import { runBootstrap } from "@ems/deploy/bootstrap";
import { bootstrappedDatabase } from "@ems/deploy/owner-database";
import { ownerRole } from "@ems/kit/db/schema";
import { deployConfig } from "./config.ts";
import { joinInstallation } from "./installation.ts";

process.exitCode = await runBootstrap(
  process.env.OWNER_DATABASE_URL ? bootstrappedDatabase(process.env) : installedDatabase,
);

async function installedDatabase() {
  const { env } = process;
  const print = (line: string) => process.stderr.write(`${line}\n`);
  const { secrets, urlAs, close } = await joinInstallation(deployConfig(env), print);
  const [pepper = ""] = (env.API_KEY_PEPPERS ?? secrets.apiKeyPepper).split(",");
  return { ownerUrl: urlAs(ownerRole), peppers: [pepper], close };
}
