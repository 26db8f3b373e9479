// Reads every service's queues with its relay role. Also works while the product is not running.

import { schemas } from "@ems/deploy/schemas";
import { withClient } from "@ems/kit/db/client";
import { readQueues } from "@ems/kit/db/queue";
import { listSchemaQueues } from "@ems/kit/events/outbox-queue";
import type { Command } from "commander";
import { type Cli, printResult } from "./cli.ts";
import { Failure } from "./failure.ts";
import { relayDatabases } from "./operator.ts";
import { table } from "./table.ts";

const timeoutMs = 20_000;

/** Returns the state of each queue in a schema. */
export function queueStates(relay: { readonly schema: string; readonly url: string }) {
  const queues = schemas.filter(({ name }) => name === relay.schema).flatMap(listSchemaQueues);
  return withClient(
    relay.url,
    (client) =>
      readQueues(queues, async (statements) => {
        const results = [];
        for (const { text, values } of statements) results.push(await client.query(text, [...values]));
        return results;
      }),
    timeoutMs,
  );
}

export async function listQueues(cli: Cli, command: Command): Promise<void> {
  const relays = await relayDatabases(cli);
  if (relays.length === 0) throw new Failure("Database missing: set RELAY_DATABASE_URL, or DATA_DIR.");
  const queues = (await Promise.all(relays.map(queueStates))).flat();
  const right = (title: string) => ({ title, alignRight: true });
  const heads = ["Queue", right("Due"), right("Leased"), right("Lag (s)"), right("Attempts")];
  const rows = queues.map((queue) => [
    queue.name,
    queue.due,
    queue.leased,
    Math.round(queue.lagSeconds),
    queue.attempts,
  ]);
  printResult(cli, command, { queues }, () => table(heads, rows));
}
