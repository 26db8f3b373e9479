// `npm run bootstrap`: a new API key, for the first application there is or for one that is named, made if need be. Its
// owner is the first person there is, or the one that is named. With OWNER_DATABASE_URL and API_KEY_PEPPERS in that database
// (containers, a cluster), otherwise in this installation's.

import { parseArgs } from "node:util";
import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { ownerRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { bootstrapConfig, deployConfig } from "./config.ts";
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
  const { ownerUrl, peppers, close } = await wayToDatabase();
  try {
    const made = await bootstrap({
      ownerUrl,
      peppers,
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
    await close();
  }
} catch (error) {
  process.stderr.write(`Cannot bootstrap: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function wayToDatabase() {
  const { env } = process;
  if (env.OWNER_DATABASE_URL) {
    const { OWNER_DATABASE_URL: ownerUrl, API_KEY_PEPPERS: peppers } = bootstrapConfig(env);
    return { ownerUrl, peppers, close: async () => undefined };
  }
  const installation = await joinInstallation(deployConfig(env), (sentence) => process.stderr.write(`${sentence}\n`));
  const peppers = [(env.API_KEY_PEPPERS ?? installation.secrets.apiKeyPepper).split(",")[0] ?? ""];
  return { ownerUrl: installation.urlAs(ownerRole), peppers, close: () => installation.close() };
}
