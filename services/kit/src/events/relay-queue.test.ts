import { testDatabase } from "@ems/test-support";
import { queueSuite } from "@ems/test-support/queue-suite";
import { afterAll, inject } from "vitest";
import { RelayDatabase } from "../db/relay-database.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import { type ClaimedEvent, claimDue } from "./relay.ts";

const schema = { name: "catalog" };
const server = await testDatabase(inject("postgres"));
const open = () =>
  new RelayDatabase({ schema, url: server.getRelayUrl(schema), poolMax: 2, log: createLog("test", "silent") });
const relays = [open(), open()] as const;
afterAll(async () => {
  await Promise.all(relays.map((relay) => relay.close()));
  await server.drop();
});

queueSuite<ClaimedEvent>("the outbox", {
  // A late result still finishes the job: the event is published, and bus and inbox drop duplicates.
  late: "finish",
  clear: () => server.sql("TRUNCATE catalog.outbox"),
  async add() {
    const id = newId();
    await server.sql(
      `INSERT INTO catalog.outbox (application_id, id, org_id, type, subject, message, occurred_at)
       VALUES (gen_random_uuid(), $1, 'org', 'topic.created', 's', 'event', now())`,
      [id],
    );
    return id;
  },
  claim: (worker) => claimDue(relays[worker], schema.name),
  finish: (worker, event) => claimDue(relays[worker], schema.name, [{ ...event, error: null }]),
  release: (worker, event) => claimDue(relays[worker], schema.name, [{ ...event, error: "no way" }]),
  row: async (id) => (await server.sql("SELECT published_at, locked_until FROM catalog.outbox WHERE id = $1", [id]))[0],
  expire: (id) =>
    server.sql("UPDATE catalog.outbox SET locked_until = now() - interval '1 second' WHERE id = $1", [id]),
  lock: (id) => server.lock("SELECT FROM catalog.outbox WHERE id = $1 FOR UPDATE", [id]),
});
