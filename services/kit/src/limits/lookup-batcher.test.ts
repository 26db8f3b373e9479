import { expect, test } from "vitest";
import { LookupBatcher } from "./lookup-batcher.ts";

function setUp() {
  const calls: { keys: readonly string[]; answer: PromiseWithResolvers<string[]> }[] = [];
  const batcher = new LookupBatcher<string, string>({
    callsMax: 2,
    keysMax: 3,
    call: (keys) => {
      const answer = Promise.withResolvers<string[]>();
      calls.push({ keys, answer });
      return answer.promise;
    },
  });
  const answerAll = () => {
    for (const { keys, answer } of calls) answer.resolve(keys.map((key) => key.toUpperCase()));
  };
  return { calls, batcher, answerAll };
}

test("lookups start at once up to the maximum number of calls; later ones share the next calls", async () => {
  const { calls, batcher, answerAll } = setUp();
  const loads = ["a", "b", "c", "d", "e", "f"].map((key) => batcher.load(key));
  expect(calls.map(({ keys }) => keys)).toEqual([["a"], ["b"]]);
  answerAll();
  await expect.poll(() => calls.length).toBe(4);
  expect(calls.slice(2).map(({ keys }) => keys)).toEqual([["c", "d", "e"], ["f"]]);
  answerAll();
  expect(await Promise.all(loads)).toEqual(["A", "B", "C", "D", "E", "F"]);
});

test("a failed call rejects its lookups only", async () => {
  const { calls, batcher, answerAll } = setUp();
  const [first, , ...shared] = ["a", "b", "c", "d"].map((key) => batcher.load(key));
  answerAll();
  await expect.poll(() => calls.length).toBe(3);
  const [third, later] = [Promise.allSettled(shared), batcher.load("e")];
  calls[2]?.answer.reject(new Error("down"));
  expect((await third).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  answerAll();
  expect([await first, await later]).toEqual(["A", "E"]);
});
