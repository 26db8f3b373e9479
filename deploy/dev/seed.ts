// `npm run seed`: fills an application with deterministic sample data, the support assistant of a retail bank.

import { getExitCode, readCommandLine, UsageError } from "@ems/deploy/command-line";
import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { ownerRole } from "@ems/kit/db/schema";
import { Code, ConnectError } from "@ems/kit/errors";
import { newId, secureRandom } from "@ems/kit/id";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { deployConfig } from "./config.ts";
import { type Environment, freePorts } from "./environment.ts";
import { type Installation, joinInstallation } from "./installation.ts";
import * as bank from "./seed/bank.ts";
import { fillCatalog } from "./seed/catalog.ts";
import { type Caller, callerFor } from "./seed/clients.ts";
import { fillExperiments } from "./seed/experiments.ts";
import { type Size, sizes, yearUntil } from "./seed/plan.ts";
import { seededIds, seededRandom } from "./seed/random.ts";
import { fillResults } from "./seed/results.ts";
import { fillVariants } from "./seed/variants.ts";
import { openServices } from "./services.ts";

const print = (line: string) => process.stderr.write(`${line}\n`);
const help = `
seed   adds sample data of a retail bank's assistant to an application, once

  --size SIZE           small, demo (default) or load
  --until DATE          last day of the data, such as 2026-10-31; default: today
  --organisation NAME   organization, created if it does not exist; default: the first one
  --application TITLE   application, likewise
  --json                prints JSON`;

try {
  const { values } = readCommandLine(help, {
    options: {
      size: { type: "string", default: "demo" },
      until: { type: "string", default: systemClock.now().toISOString().slice(0, 10) },
      organisation: { type: "string" },
      application: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const size: Size | undefined = Object.entries(sizes).find(([name]) => name === values.size)?.[1];
  if (size === undefined) throw new UsageError(`--size must be one of ${Object.keys(sizes).join(", ")}`);
  const until = new Date(`${values.until}T00:00:00Z`);
  if (Number.isNaN(until.getTime())) throw new UsageError("--until must be a date such as 2026-10-31");
  const installation = await joinInstallation(deployConfig(process.env), print);
  try {
    const { orgId, applicationId } = await bootstrap({
      ownerUrl: installation.urlAs(ownerRole),
      peppers: [installation.secrets.apiKeyPepper],
      clock: systemClock,
      newId,
      random: secureRandom,
      organisation: values.organisation,
      application: values.application,
      always: false,
    });
    const isFilled = await seed(installation, { orgId, applicationId, userId: bank.people[0].id }, size, until);
    if (!isFilled) print(`The application ${applicationId} already has the sample data; nothing was changed.`);
    const text = isFilled ? `Filled the application ${applicationId}.` : `Application ${applicationId}`;
    process.stdout.write(`${values.json ? JSON.stringify({ orgId, applicationId, isFilled }) : text}\n`);
  } finally {
    await installation.close();
  }
} catch (error) {
  print(`Cannot seed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = getExitCode(error);
}

/** Fills the application; returns false if it was already filled. */
async function seed(
  installation: Installation,
  tenant: { orgId: string; applicationId: string; userId: string },
  size: Size,
  until: Date,
) {
  const { clock, ...steps } = yearUntil(until, size);
  const ids = seededIds(tenant.applicationId, clock);
  // Suppress warnings about settings that only long-running services need, such as the mail relay.
  const env: Environment = { ...process.env, LOG_LEVEL: "error" };
  const common = { clock, newId: ids, random: secureRandom };
  const services = await openServices({
    env,
    installation,
    ports: freePorts(),
    logLevel: "error",
    ...common,
  });
  try {
    const caller = callerFor(services.getPeers("gateway"), tenant);
    const tags = await caller.client(TagService).listTags({ search: bank.tags[0].name }, caller.options);
    if (tags.data.length > 0) return false;
    await addPeople(caller);
    const plan = {
      size,
      random: seededRandom("retail bank"),
      clock,
      newId: ids,
      caller,
      ...steps,
      step: progress(),
    };
    const catalog = await fillCatalog(plan);
    await fillExperiments(plan, catalog);
    await fillResults(plan, catalog);
    await fillVariants(plan, catalog);
    return true;
  } finally {
    await services.close();
  }
}

/** Creates the users. They may already exist in the organization because of another application. */
async function addPeople(caller: Caller): Promise<void> {
  const users = caller.client(UserService);
  for (const person of bank.people) {
    await users.createUser(person, caller.options).catch((error: unknown) => {
      if (!(error instanceof ConnectError && error.code === Code.AlreadyExists)) throw error;
    });
  }
}

/** Returns a function that prints progress if stderr is a terminal. */
function progress(): (done: string) => void {
  if (!process.stderr.isTTY) return () => undefined;
  return (done) => process.stderr.write(`\r${done.padEnd(40)}${/^(\d+) of \1 /.test(done) ? "\n" : ""}`);
}
