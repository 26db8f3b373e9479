// `bootstrap`: makes an API key for the first application or the one that is named, which is created if it is missing. The
// key's owner is the first user or the one that is named.

import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { newId, secureRandom } from "@ems/kit/id";
import { exitCodeOf, readCommandLine, UsageError } from "./command-line.ts";
import type { OpenOwnerDatabase } from "./owner-database.ts";

const help = `
bootstrap   makes an API key, and prints it

  --organisation NAME   created if it is missing; by default the first one
  --application TITLE   likewise
  --user NAME           the key's owner; likewise
  --email ADDRESS       of that user
  --json                prints JSON

In the database of OWNER_DATABASE_URL, under API_KEY_PEPPERS, else in the installation in DATA_DIR. BOOTSTRAP_API_KEY is the key to
issue, which is not printed; it is issued while the application has none.`;

/** The command's exit code. */
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
    if (values.email !== undefined && values.user === undefined)
      throw new UsageError("--email needs --user NAME beside it");
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
      // A Job's log is read by more people than a Secret.
      const shown = apiKey === undefined ? made : { orgId: made.orgId, applicationId: made.applicationId };
      const sentence = made.apiKey === undefined ? "the application has one already" : "as given in BOOTSTRAP_API_KEY";
      const key = apiKey === undefined ? made.apiKey : sentence;
      const text = `Organisation     ${made.orgId}\nApplication id   ${made.applicationId}\nAPI key          ${key}`;
      process.stdout.write(`${values.json ? JSON.stringify(shown) : text}\n`);
      return 0;
    } finally {
      await close();
    }
  } catch (error) {
    process.stderr.write(`Cannot bootstrap: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodeOf(error);
  }
}
