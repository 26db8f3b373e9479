// `prepare`: as PostgreSQL's administrator, creates the database, the roles with their passwords, and the schemas.
// Idempotent. Updates changed passwords, unless another database on the server uses the roles.

import { ensureDatabase, maintenanceUrl, provisionDatabase } from "@ems/kit/db/provision";
import { getExitCode } from "../command-line.ts";
import { prepareConfig } from "../config.ts";
import { databaseAnswers } from "../database-answers.ts";
import { assertNoOtherInstallation } from "../other-installation.ts";
import { schemas } from "../schemas.ts";

try {
  const { adminUrl, passwords, waitSeconds, rolePrefix } = prepareConfig(process.env);
  const print = (line: string) => process.stderr.write(`${line}\n`);
  await databaseAnswers({ variable: "DATABASE_URL", url: maintenanceUrl(adminUrl), waitSeconds, print });
  await assertNoOtherInstallation(adminUrl, passwords, { mayRotate: true, rolePrefix });
  if (await ensureDatabase(adminUrl)) process.stderr.write("Created the database.\n");
  await provisionDatabase(adminUrl, schemas, passwords, rolePrefix);
  process.stderr.write("The database is prepared.\n");
} catch (error) {
  process.stderr.write(`Cannot prepare: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(getExitCode(error));
}
