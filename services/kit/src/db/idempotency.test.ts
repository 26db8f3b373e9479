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

/** Any service's schema has the table; the answers here are texts. */
const schema: Schema = { name: "catalog", entities: [], migrations: [] };
const server = await testDatabase(inject("postgres"));
const source = serviceDataSource({ url: server.urlOf(schema), poolMax: 8, schema, log: createLog("test", "silent") });
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
const callWith = (key: string, request = "request"): Call => ({
  tenant,
  caller: "test",
  requestId: newId(),
  deadlineMs: monotonicMs() + 5_000,
  signal: new AbortController().signal,
  idempotency: {
    key,
    rpc: "test/Work",
    fingerprint: Buffer.from(request),
    encode: (answer) => Buffer.from(`encoded ${answer}`),
    decode: (stored) => stored.toString().replace("encoded ", ""),
    markReplayed: () => {
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

test("the work is done once, and its answer is kept and given again", async () => {
  const key = newId();
  const answers = [await database.change(callWith(key), work), await database.change(callWith(key), work)];
  expect([answers, worked, replayed]).toEqual([["answer 1", "answer 1"], 1, 1]);
  expect(await stored(key)).toEqual(["encoded answer 1"]);
});

test("another request under the same key is refused", async () => {
  const key = newId();
  await database.change(callWith(key), work);
  const other = database.change(callWith(key, "another"), work);
  await expect(other).rejects.toMatchObject({ code: Code.FailedPrecondition });
  expect([worked, replayed]).toEqual([1, 0]);
});

test("an answer that can be given once is kept nowhere, and a repeat is told so", async () => {
  const key = newId();
  expect(await database.change(callWith(key), work, notReplayable)).toBe("answer 1");
  const repeat = database.change(callWith(key), work, notReplayable);
  await expect(repeat).rejects.toMatchObject({ code: Code.AlreadyExists });
  expect([worked, await stored(key)]).toEqual([1, [undefined]]);
});

test("a repeat is answered afresh from the note that was kept in place of the answer", async () => {
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

test("without a note nothing is kept, and the repeat may find that its answer is gone", async () => {
  const key = newId();
  const replay = async () => {
    throw answerNotStored();
  };
  await database.change(callWith(key), work, { replay });
  await expect(database.change(callWith(key), work, { replay })).rejects.toMatchObject({ code: Code.AlreadyExists });
  expect([worked, await stored(key)]).toEqual([1, [undefined]]);
});

test("without a key every call does its work, whatever is said of repeats", async () => {
  const { idempotency: _, ...call } = callWith("");
  await database.change(call, work, notReplayable);
  expect(await database.change(call, work, notReplayable)).toBe("answer 2");
});

test("a used key is answered as such, whatever a check before the change says by now", async () => {
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
