// Everything that can be looked at with the settings that are there, one after the other.

import { statfs } from "node:fs/promises";
import { ownerRole } from "@ems/kit/db/schema";
import {
  connectionOptions,
  type NatsSettings,
  natsAccess,
  reasonOf as natsReasonOf,
} from "@ems/kit/events/nats/access";
import { connect } from "nats";
import type { Cli } from "../cli.ts";
import { findDatabase, operatorConfig, relayDatabases } from "../operator.ts";
import { type ApiFacts, apiChecks } from "./api.ts";
import { type Check, type Finding, failure, fine, warning } from "./check.ts";
import { ownerChecks, relayChecks } from "./database.ts";

const [freeWarn, freeFail] = [2 ** 30, 100 * 2 ** 20];

export interface NamedFinding extends Finding {
  readonly name: string;
}

/** What was found, in the order in which it should be put right. */
export async function examine(cli: Cli, api: ApiFacts): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const { name, run } of await checks(cli, api)) {
    const found = await run().catch((error: unknown) => failure(reasonOf(error), adviceOn(error)));
    findings.push(...[found].flat().map((finding) => ({ name, ...finding })));
  }
  return findings;
}

async function checks(cli: Cli, api: ApiFacts): Promise<Check[]> {
  const [owner, relays] = [await findDatabase(cli, ownerRole), await relayDatabases(cli)];
  const unseen: Check = {
    name: "database",
    run: async () => warning("not checked", "Set OWNER_DATABASE_URL and RELAY_DATABASE_URL, or DATA_DIR."),
  };
  return [
    ...apiChecks(api),
    ...(owner === undefined ? [] : ownerChecks(owner)),
    ...(relays.length === 0 ? [] : relayChecks(relays)),
    ...(owner === undefined && relays.length === 0 ? [unseen] : []),
    { name: "NATS", run: () => nats({ ...cli.env, NATS_URL: operatorConfig(cli).NATS_URL }) },
    { name: "disk", run: () => disk(operatorConfig(cli).DATA_DIR) },
  ];
}

async function nats(settings: NatsSettings): Promise<Finding> {
  const access = natsAccess(settings, "ems-doctor");
  if (access === undefined) return warning("not checked", "Set NATS_URL, if events go over a NATS server of yours.");
  const options = await connectionOptions(access);
  const connection = await connect({ ...options, reconnect: false, ignoreAuthErrorAbort: false }).catch(
    (error: unknown) => {
      throw new Error(natsReasonOf(error, access));
    },
  );
  try {
    // As the server says of itself: the user of a process may ask for nothing else.
    const { version = "", jetstream } = connection.info ?? {};
    if (jetstream !== true)
      return failure(`nats-server ${version} without JetStream`, "Start nats-server with JetStream (-js).");
    return fine(`nats-server ${version} with JetStream`);
  } finally {
    await connection.close();
  }
}

async function disk(dataDir: string): Promise<Finding> {
  const stats = await statfs(dataDir).catch(() => undefined);
  if (stats === undefined) return fine("no data are kept on this machine");
  const free = stats.bavail * stats.bsize;
  const detail = `${(free / 2 ** 30).toFixed(1)} GiB are free where the data lie`;
  const advice = "Make room: PostgreSQL stops when its disk is full.";
  if (free < freeFail) return failure(detail, advice);
  return free < freeWarn ? warning(detail, advice) : fine(detail);
}

/** Without what an error of a driver may say of a URL with its password. */
function reasonOf(error: unknown): string {
  // fetch tells its reason as a cause.
  const told = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = told instanceof Error ? told.message || codeOf(told) : String(told);
  return text.replaceAll(/\/\/[^@\s]*@/g, "//");
}

/** What the errors of PostgreSQL, NATS and the resolver mean to whoever wrote the settings. */
const advices: Readonly<Record<string, string>> = {
  "28P01": "Correct user and password in the URL.",
  "28000": "Correct user and password in the URL, and what pg_hba.conf lets in.",
  "3D000": "Correct the database's name in the URL.",
  "42501": "Let the URL name the role that it is for: ems_owner, ems_<service>_relay.",
  "42P01": "Run ems migrate.",
  "3F000": "Run ems migrate.",
  AUTHORIZATION_VIOLATION: "Correct user and password in NATS_URL, or NATS_CREDENTIALS_FILE.",
  ENOTFOUND: "Correct the host's name.",
};

function adviceOn(error: unknown): string {
  return advices[codeOf(error)] ?? "See that it runs and is reachable.";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
