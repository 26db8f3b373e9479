import { fixedClock, testDatabase } from "@ems/test-support";
import { afterAll, beforeEach, expect, inject, test } from "vitest";
import { RelayDatabase } from "../db/relay-database.ts";
import { createLog } from "../log.ts";
import { Retention } from "./retention.ts";

const schema = { name: "experiments" };
const log = createLog("test", "silent");
const server = await testDatabase(inject("postgres"));
const relayDatabase = new RelayDatabase({ schema, url: server.getRelayUrl(schema), poolMax: 6, log });
afterAll(async () => {
  await relayDatabase.close();
  await server.drop();
});
beforeEach(() => server.sql("TRUNCATE experiments.retention"));

const dayMs = 86_400_000;
const clock = fixedClock("2026-03-01T10:00:00.000Z");
const midnight = (daysAgo: number) => new Date(Date.UTC(2026, 2, 1 - daysAgo));

/** Creates a process whose deletion of a kind runs until it is released. */
function worker(days: number, time = clock) {
  const befores: Date[] = [];
  const [started, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const kinds = [
    {
      kind: "traces" as const,
      days,
      clear: async (before: Date, onDeleted: (rows: number) => Promise<void>) => {
        befores.push(before);
        started.resolve();
        await go.promise;
        await onDeleted(2);
      },
    },
  ];
  const retention = new Retention({ schema: schema.name, kinds }, { relayDatabase, clock: time, log });
  return { retention, befores, started: started.promise, go: () => go.resolve(), run: () => retention.run() };
}
const stored = async () =>
  (
    await server.sql<{ leased: boolean; deleted: string; began_before: Date; cleared_before: unknown }>(
      "SELECT leased_until > now() AS leased, deleted, began_before, cleared_before FROM experiments.retention",
    )
  )[0];
const expire = () => server.sql("UPDATE experiments.retention SET leased_until = now() - interval '1 ms'");

test("one process at a time deletes a kind; another one takes over from a dead process", async () => {
  const [first, second, third] = [worker(30), worker(30), worker(30)];
  const running = first.run();
  await first.started;
  await second.run();
  expect([first.befores, second.befores]).toEqual([[midnight(30)], []]);
  expect(await stored()).toMatchObject({ leased: true, deleted: "0" });
  await expire();
  third.go();
  await third.run();
  expect(third.befores).toEqual([midnight(30)]);
  expect(await stored()).toMatchObject({ leased: false, deleted: "2", cleared_before: midnight(30) });
  // The first process continues late: its rows stay deleted, and nothing is deleted twice.
  first.go();
  await running;
  expect(await stored()).toMatchObject({ leased: false, deleted: "4", cleared_before: midnight(30) });
  await second.run();
  expect(second.befores).toEqual([]);
});

test("the start of the retention period never moves back, with more days or a clock that was ahead", async () => {
  const short = worker(10);
  short.go();
  await short.run();
  expect(short.retention.since("traces")).toEqual(midnight(10));
  expect(short.retention.isCleared("traces")).toBe(true);
  const long = worker(30);
  long.go();
  await long.run();
  expect(long.befores).toEqual([]);
  expect(long.retention.since("traces")).toEqual(midnight(10));
  const later = worker(10, fixedClock(new Date(clock.now().getTime() + 2 * dayMs).toISOString()));
  later.go();
  await later.run();
  expect(later.befores).toEqual([midnight(8)]);
  await short.run();
  expect(short.befores).toEqual([midnight(10)]);
  expect(await stored()).toMatchObject({ began_before: midnight(8), cleared_before: midnight(8) });
});

test("an unfinished deletion does not count as cleared, and continues with the same limit", async () => {
  const broken = worker(30);
  broken.go();
  const { retention } = broken;
  const failing = new Retention(
    {
      schema: schema.name,
      kinds: [{ kind: "traces", days: 20, clear: () => Promise.reject(new Error("no")) }],
    },
    { relayDatabase, clock, log },
  );
  await expect(failing.run()).rejects.toThrow("no");
  expect(failing.isCleared("traces")).toBe(false);
  expect(await stored()).toMatchObject({ leased: false, began_before: midnight(20) });
  // Although the retention is longer now, the deletion that was begun is completed first.
  await broken.run();
  expect(broken.befores).toEqual([midnight(20)]);
  expect([retention.isCleared("traces"), retention.since("traces")]).toEqual([true, midnight(20)]);
});
