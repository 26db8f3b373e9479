// `bootstrap`: creates an API key for the named application, by default the first one, and creates the application if
// it does not exist. The key's owner is the named user, by default the first one.

import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { newId, secureRandom } from "@ems/kit/id";
import { getExitCode, readCommandLine, UsageError } from "./command-line.ts";
import type { OpenOwnerDatabase } from "./owner-database.ts";

const help = `
bootstrap   creates and prints an API key

  --organisation NAME   organization, created if it does not exist; default: the first one
  --application TITLE   application, likewise
  --user NAME           owner of the key, likewise
  --email ADDRESS       e-mail address of that user
  --json                prints JSON

Uses the database of OWNER_DATABASE_URL with API_KEY_PEPPERS, or the installation in DATA_DIR. BOOTSTRAP_API_KEY sets the key to
issue. It is issued only if the application has none, and it is not printed.`;

/** Runs the command and returns its exit code. */
export async function runBootstrap(open: OpenOwnerDatabase): Promise<number> {
  try {
    const { values } = readCommandLine(help, {
      options: {
        json: { type: "boolean", default: false },
        organisation: { type: "string" },
        application: { type: "string" },
        user: { type: "string" },
        email: { type: "string" },
      },
    });
    if (values.email !== undefined && values.user === undefined) throw new UsageError("--email requires --user NAME");
    const { ownerUrl, peppers, apiKey, close } = await open();
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
        apiKey,
      });
      // Omit an API key that was generated beforehand: more people can read a Job's log than a Secret.
      const printed = apiKey === undefined ? made : { orgId: made.orgId, applicationId: made.applicationId };
      const sentence = made.apiKey === undefined ? "the application has one already" : "as given in BOOTSTRAP_API_KEY";
      const key = apiKey === undefined ? made.apiKey : sentence;
      const text = `Organization     ${made.orgId}\nApplication id   ${made.applicationId}\nAPI key          ${key}`;
      process.stdout.write(`${values.json ? JSON.stringify(printed) : text}\n`);
      return 0;
    } finally {
      await close();
    }
  } catch (error) {
    process.stderr.write(`Cannot bootstrap: ${error instanceof Error ? error.message : String(error)}\n`);
    return getExitCode(error);
  }
}
