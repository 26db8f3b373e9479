import { testDatabase, testTenant } from "@ems/test-support";
import { afterAll, beforeEach, expect, inject, test } from "vitest";
import { monotonicMs } from "../clock.ts";
import { Code, notFound } from "../errors.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import type { Call } from "../rpc/call.ts";
import { serviceDataSource } from "./data-source.ts";
import { Database } from "./database.ts";
import { answerNotStored, notReplayable, type ReplayPolicy } from "./idempotency.ts";
import type { Schema } from "./schema.ts";

/** Stands in for a service: every service's schema has the table. The responses in this test are texts. */
const schema: Schema = { name: "catalog", entities: [], migrations: [] };
const server = await testDatabase(inject("postgres"));
const source = serviceDataSource({ url: server.getUrl(schema), poolMax: 8, schema, log: createLog("test", "silent") });
await source.initialize();
const database = new Database(source);
afterAll(async () => {
  await source.destroy();
  await server.drop();
});

let worked = 0;
let replayed = 0;
beforeEach(() => {
  [worked, replayed] = [0, 0];
});
const work = async () => `answer ${++worked}`;

const tenant = testTenant();
const callWith = (key: string, request = "request", { rpc = "test/Work", caller = tenant } = {}): Call => ({
  tenant: caller,
  caller: "test",
  requestId: newId(),
  deadlineMs: monotonicMs() + 5_000,
  signal: new AbortController().signal,
  idempotency: {
    key,
    rpc,
    fingerprint: Buffer.from(request),
    encode: (answer) => Buffer.from(`encoded ${answer}`),
    decode: (stored) => stored.toString().replace("encoded ", ""),
    etag: () => `"${key}"`,
    markReplayed: (etag) => {
      expect(etag).toBe(`"${key}"`);
      replayed++;
    },
  },
});
const stored = async (key: string) => {
  const rows = await server.sql<{ answer: Buffer | null }>("SELECT answer FROM catalog.idempotency WHERE key = $1", [
    key,
  ]);
  return rows.map(({ answer }) => answer?.toString());
};

test("the work runs once, and its response is stored and replayed", async () => {
  const key = newId();
  const answers = [await database.change(callWith(key), work), await database.change(callWith(key), work)];
  expect([answers, worked, replayed]).toEqual([["answer 1", "answer 1"], 1, 1]);
  expect(await stored(key)).toEqual(["encoded answer 1"]);
});

test("another request with the same key is refused", async () => {
  const key = newId();
  await database.change(callWith(key), work);
  const other = database.change(callWith(key, "another"), work);
  await expect(other).rejects.toMatchObject({ code: Code.FailedPrecondition });
  expect([worked, replayed]).toEqual([1, 0]);
});

test("a response that may be returned only once is not stored, and a replay is an error", async () => {
  const key = newId();
  expect(await database.change(callWith(key), work, notReplayable)).toBe("answer 1");
  const repeat = database.change(callWith(key), work, notReplayable);
  await expect(repeat).rejects.toMatchObject({ code: Code.AlreadyExists });
  expect([worked, await stored(key)]).toEqual([1, [undefined]]);
});

test("a replay builds the response from the stored reference", async () => {
  const key = newId();
  const repeat: ReplayPolicy<string> = {
    reference: (answer) => `note of ${answer}`,
    replay: async (tx, note) => {
      const [row] = await tx.query<{ seen: string }>("SELECT current_setting('ems.application_id') AS seen");
      return `${note}, seen by ${row?.seen}`;
    },
  };
  expect(await database.change(callWith(key), work, repeat)).toBe("answer 1");
  expect(await database.change(callWith(key), work, repeat)).toBe(`note of answer 1, seen by ${tenant.applicationId}`);
  expect([worked, replayed, await stored(key)]).toEqual([1, 1, ["note of answer 1"]]);
});

test("without a reference nothing is stored, and the replay may fail", async () => {
  const key = newId();
  const replay = async () => {
    throw answerNotStored();
  };
  await database.change(callWith(key), work, { replay });
  await expect(database.change(callWith(key), work, { replay })).rejects.toMatchObject({ code: Code.AlreadyExists });
  expect([worked, await stored(key)]).toEqual([1, [undefined]]);
});

test("without a key every call runs its work, whatever the replay policy", async () => {
  const { idempotency: _, ...call } = callWith("");
  await database.change(call, work, notReplayable);
  expect(await database.change(call, work, notReplayable)).toBe("answer 2");
});

test("a used key is replayed even if the check before the change fails by then", async () => {
  const key = newId();
  const missing = () => Promise.reject(notFound("Task"));
  await expect(database.changeAfter(callWith(key), missing, work)).rejects.toMatchObject({ code: Code.NotFound });
  const found = async () => "checked";
  const change = (request: string, check: () => Promise<string>) =>
    database.changeAfter(callWith(key, request), check, async (_tx, text) => `${text}, ${await work()}`);
  expect(await change("request", found)).toBe("checked, answer 1");
  expect(await change("request", missing)).toBe("checked, answer 1");
  await expect(change("another", missing)).rejects.toMatchObject({ code: Code.FailedPrecondition });
  const withoutKey = { ...callWith(key), idempotency: undefined };
  await expect(database.changeAfter(withoutKey, missing, work)).rejects.toMatchObject({ code: Code.NotFound });
  expect(worked).toBe(1);
});

test("a request whose key is in use is refused without effect; afterwards it is replayed", async () => {
  const key = newId();
  const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = database.change(callWith(key), async () => {
    started.resolve();
    await finish.promise;
    return work();
  });
  await started.promise;
  try {
    await expect(database.change(callWith(key), work)).rejects.toMatchObject({ code: Code.Aborted });
    expect(await database.change(callWith(newId()), work)).toBe("answer 1");
  } finally {
    finish.resolve();
  }
  expect([await first, await database.change(callWith(key), work)]).toEqual(["answer 2", "answer 2"]);
  expect([worked, replayed]).toEqual([2, 1]);
});

test("a key belongs to one application and one method", async () => {
  const key = newId();
  await database.change(callWith(key), work);
  expect(await database.change(callWith(key, "request", { rpc: "test/Other" }), work)).toBe("answer 2");
  expect(await database.change(callWith(key, "request", { caller: testTenant() }), work)).toBe("answer 3");
  expect([await database.change(callWith(key), work), replayed]).toEqual(["answer 1", 1]);
});

/** Makes the key older by the interval. */
const age = (key: string, interval: string) =>
  server.sql("UPDATE catalog.idempotency SET created_at = now() - $2::interval WHERE key = $1", [key, interval]);

test("a key expires after 24 hours; then its request is new, with a new response", async () => {
  const key = newId();
  await database.change(callWith(key), work);
  await age(key, "23 hours 59 minutes");
  expect(await database.change(callWith(key), work)).toBe("answer 1");
  await age(key, "24 hours 1 minute");
  // Another request succeeds, too: the key is free.
  expect(await database.change(callWith(key, "another"), work)).toBe("answer 2");
  expect(await database.change(callWith(key, "another"), work)).toBe("answer 2");
  expect([worked, replayed, await stored(key)]).toEqual([2, 2, ["encoded answer 2"]]);
});

test("a new key deletes a few expired keys and no valid ones", async () => {
  const [lasting, ...expired] = Array.from({ length: 13 }, () => newId()) as [string, ...string[]];
  for (const key of [lasting, ...expired]) await database.change(callWith(key), work);
  for (const key of expired) await age(key, "25 hours");
  const left = async () => (await Promise.all(expired.map(stored))).flat().length;
  await database.change(callWith(newId()), work);
  expect(await left()).toBe(2);
  await database.change(callWith(newId()), work);
  expect([await left(), (await stored(lasting)).length]).toEqual([0, 1]);
});
