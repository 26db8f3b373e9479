import { expect, test } from "vitest";
import { SharedTransactions } from "./shared-transactions.ts";

/** Starts transactions that end on request. */
function held() {
  const batches: { items: readonly string[]; end: (error?: Error) => void }[] = [];
  const shared = new SharedTransactions<string>((items) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    batches.push({ items, end: (error) => (error === undefined ? resolve() : reject(error)) });
    return promise;
  });
  const ended: string[] = [];
  const add = (key: string, item: string) =>
    shared.add(key, item).then(
      () => void ended.push(item),
      (error: Error) => void ended.push(`${item}: ${error.message}`),
    );
  return { add, batches, ended };
}

test("the first item does not wait, later ones share a transaction, and none is acknowledged before its commit", async () => {
  const { add, batches, ended } = held();
  const all = ["a", "b", "c"].map((item) => add("one", item));
  expect(batches.map(({ items }) => items)).toEqual([["a"]]);
  batches[0]?.end();
  await all[0];
  expect([batches.at(-1)?.items, ended]).toEqual([["b", "c"], ["a"]]);
  batches[1]?.end();
  await Promise.all(all);
  expect(ended).toEqual(["a", "b", "c"]);
  const last = add("one", "d");
  expect(batches.at(-1)?.items).toEqual(["d"]);
  batches.at(-1)?.end();
  await last;
});

test("keys do not wait for each other", () => {
  const { add, batches } = held();
  void add("one", "a");
  void add("two", "b");
  expect(batches.map(({ items }) => items)).toEqual([["a"], ["b"]]);
});

test("an item that fails does not fail the others", async () => {
  const shared = new SharedTransactions<string>(async (items) => {
    if (items.includes("bad")) throw new Error("refused");
  });
  const results = await Promise.allSettled(["a", "b", "bad", "c"].map((item) => shared.add("one", item)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
});
