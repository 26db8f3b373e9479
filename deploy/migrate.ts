// `npm run migrate`: brings the database up to date. With OWNER_DATABASE_URL it only runs migrations, as that role
// (a cluster's Job); otherwise it prepares this installation's database as `npm start` does.

import { migrate } from "@ems/kit/db/migrate";
import { deployConfig } from "./config.ts";
import { openInstallation } from "./installation.ts";
import { schemas } from "./schemas.ts";

const tell = (sentence: string) => process.stderr.write(`${sentence}\n`);

try {
  const ownerUrl = process.env.OWNER_DATABASE_URL;
  if (ownerUrl) {
    const ran = await migrate(ownerUrl, schemas);
    tell(ran.length > 0 ? `Migrated: ${ran.join(", ")}.` : "The database is up to date.");
  } else {
    const installation = await openInstallation(deployConfig(process.env), tell);
    await installation.close();
    tell("The database is up to date.");
  }
} catch (error) {
  tell(`Cannot migrate: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
