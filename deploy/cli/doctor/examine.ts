// Runs every check whose settings are present, one after the other.

import { statfs } from "node:fs/promises";
import { ownerRole } from "@ems/kit/db/schema";
import {
  connectionOptions,
  describeConnectionFailure,
  type NatsSettings,
  natsAccess,
} from "@ems/kit/events/nats/access";
import { connect } from "nats";
import type { Cli } from "../cli.ts";
import { findDatabase, findPooler, operatorConfig, relayDatabases } from "../operator.ts";
import { type ApiFacts, apiChecks } from "./api.ts";
import { archiveChecks } from "./archive.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";
import { ownerChecks, relayChecks } from "./database.ts";
import { poolerChecks } from "./pooler.ts";

const [freeWarn, freeFail] = [2 ** 30, 100 * 2 ** 20];

export interface NamedFinding extends Finding {
  readonly name: string;
}

/** Returns the findings in the order in which to fix them. */
export async function examine(cli: Cli, api: ApiFacts): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const { name, run } of await checks(cli, api)) {
    const found = await run().catch((error: unknown) => failure(formatReason(error), adviceOn(error)));
    findings.push({ name, ...found });
  }
  return findings;
}

async function checks(cli: Cli, api: ApiFacts): Promise<Check[]> {
  const [owner, relays] = [await findDatabase(cli, ownerRole), await relayDatabases(cli)];
  const pooler = findPooler(cli);
  const skipped: Check = {
    name: "database",
    run: async () => warning("not checked", "Set OWNER_DATABASE_URL and RELAY_DATABASE_URL, or DATA_DIR."),
  };
  return [
    ...apiChecks(api),
    ...(owner === undefined ? [] : ownerChecks(owner)),
    ...(relays.length === 0 ? [] : relayChecks(relays, cli.stopped)),
    ...(owner === undefined && relays.length === 0 ? [skipped] : []),
    ...(pooler === undefined ? [] : poolerChecks(pooler)),
    ...archiveChecks(cli),
    { name: "NATS", run: () => nats({ ...cli.env, NATS_URL: operatorConfig(cli).NATS_URL }) },
    { name: "disk", run: () => disk(operatorConfig(cli).DATA_DIR) },
  ];
}

async function nats(settings: NatsSettings): Promise<Finding> {
  const access = natsAccess(settings, "ems-doctor");
  if (access === undefined) return warning("not checked", "Set NATS_URL, if events go over your own NATS server.");
  const options = await connectionOptions(access);
  const connection = await connect({ ...options, reconnect: false, ignoreAuthErrorAbort: false }).catch(
    (error: unknown) => {
      throw new Error(describeConnectionFailure(error, access));
    },
  );
  try {
    // Read the server's INFO message, because the NATS user of a process may not query JetStream.
    const { version = "", jetstream } = connection.info ?? {};
    if (jetstream !== true)
      return failure(`nats-server ${version} without JetStream`, "Start nats-server with JetStream (-js).");
    return ok(`nats-server ${version} with JetStream`);
  } finally {
    await connection.close();
  }
}

async function disk(dataDir: string): Promise<Finding> {
  const stats = await statfs(dataDir).catch(() => undefined);
  if (stats === undefined) return ok("no data directory on this machine");
  const free = stats.bavail * stats.bsize;
  const detail = `${(free / 2 ** 30).toFixed(1)} GiB are free in the data directory`;
  const advice = "Free disk space: PostgreSQL stops when its disk is full.";
  if (free < freeFail) return failure(detail, advice);
  return free < freeWarn ? warning(detail, advice) : ok(detail);
}

/** Returns the error's message without the credentials in URLs. */
function formatReason(error: unknown): string {
  // An error of fetch has the actual reason in `cause`.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message || findCode(cause) : String(cause);
  return text.replaceAll(/\/\/[^@\s]*@/g, "//");
}

/** Advice for error codes of PostgreSQL, NATS and DNS. */
const adviceByCode: Readonly<Record<string, string>> = {
  "28P01": "Correct user and password in the URL.",
  "28000": "Correct user and password in the URL, and pg_hba.conf.",
  "3D000": "Correct the database name in the URL.",
  "42501": "Use the role that the URL is for: ems_owner, ems_<service>_relay.",
  "42P01": "Run ems migrate.",
  "3F000": "Run ems migrate.",
  AUTHORIZATION_VIOLATION: "Correct user and password in NATS_URL, or NATS_CREDENTIALS_FILE.",
  ENOTFOUND: "Correct the host name.",
};

function adviceOn(error: unknown): string {
  return adviceByCode[findCode(error)] ?? "Check that it runs and is reachable.";
}

function findCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
