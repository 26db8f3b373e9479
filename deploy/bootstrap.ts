// `npm run bootstrap`: a new API key, for the first application there is or for one that is named, made if need be. Its
// owner is the first person there is, or the one that is named.

import { parseArgs } from "node:util";
import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { ownerRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { deployConfig } from "./config.ts";
import { joinInstallation } from "./installation.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    organisation: { type: "string" },
    application: { type: "string" },
    user: { type: "string" },
    email: { type: "string" },
  },
});

try {
  if (values.email !== undefined && values.user === undefined) throw new Error("--email needs --user NAME beside it");
  const installation = await joinInstallation(deployConfig(process.env), (sentence) =>
    process.stderr.write(`${sentence}\n`),
  );
  try {
    const made = await bootstrap({
      ownerUrl: installation.urlAs(ownerRole),
      peppers: [(process.env.API_KEY_PEPPERS ?? installation.secrets.apiKeyPepper).split(",")[0] ?? ""],
      clock: systemClock,
      newId,
      random: secureRandom,
      organisation: values.organisation,
      application: values.application,
      user: values.user === undefined ? undefined : { name: values.user, email: values.email },
      always: true,
    });
    const text = `Organisation     ${made.orgId}\nApplication id   ${made.applicationId}\nAPI key          ${made.apiKey}`;
    process.stdout.write(`${values.json ? JSON.stringify(made) : text}\n`);
  } finally {
    await installation.close();
  }
} catch (error) {
  process.stderr.write(`Cannot bootstrap: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
