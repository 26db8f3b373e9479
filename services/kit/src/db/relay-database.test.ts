import { testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { createLog } from "../log.ts";
import { RelayDatabase } from "./relay-database.ts";

const server = await testDatabase(inject("postgres"));
const log = createLog("test", "silent");
afterAll(() => server.drop());
const open = () =>
  server.sql("SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ems-relay'");
const relayDatabaseAt = (url: string) => new RelayDatabase({ schema: { name: "catalog" }, url, poolMax: 2, log });

test("it connects at the first statement, and close ends its connections", async () => {
  const relayDatabase = relayDatabaseAt(server.getRelayUrl({ name: "catalog" }));
  expect(await open()).toHaveLength(0);
  expect(await relayDatabase.query({ text: "SELECT 1 AS one" })).toEqual([{ one: 1 }]);
  expect(await open()).not.toHaveLength(0);
  await relayDatabase.close();
  // The pool alone would close idle connections much later.
  await expect.poll(open, { timeout: 5_000 }).toHaveLength(0);
});

test("it closes even if it never connected or connecting failed", async () => {
  await relayDatabaseAt(server.getRelayUrl({ name: "catalog" })).close();
  const refused = relayDatabaseAt(server.getRelayUrl({ name: "catalog" }).replace(/:[^:@/]+@/, ":wrong@"));
  await expect(refused.query({ text: "SELECT" })).rejects.toThrow();
  await refused.close();
});
