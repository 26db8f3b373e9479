// `prepare`: as an administrator of a PostgreSQL server, makes the database, the roles with the passwords that it is given,
// and the schemas. Repeatable: what is right already stays, and a password that changed becomes the new one, unless the roles
// are those of an installation in another database of the server.

import { ensureDatabase, provisionDatabase } from "@ems/kit/db/provision";
import { prepareConfig } from "../config.ts";
import { refuseOtherInstallation } from "../other-installation.ts";
import { schemas } from "../schemas.ts";

try {
  const { adminUrl, passwords } = prepareConfig(process.env);
  await refuseOtherInstallation(adminUrl, passwords, { mayRotate: true });
  if (await ensureDatabase(adminUrl)) process.stderr.write("Created the database.\n");
  await provisionDatabase(adminUrl, schemas, passwords);
  process.stderr.write("The database is prepared.\n");
} catch (error) {
  process.stderr.write(`Cannot prepare: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
