import { LRUCache } from "lru-cache";
import { expect, test } from "vitest";
import { entriesAtMost } from "./cache-entries.ts";

test("the least recently used entries are evicted", () => {
  const cache = new LRUCache<string, number>(entriesAtMost(2));
  cache.set("a", 1).set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  expect([...cache.keys()]).toEqual(["c", "a"]);
});

test("each fetched value counts as one entry", async () => {
  const cache = new LRUCache<string, string>({
    ...entriesAtMost(2),
    ttl: 60_000,
    fetchMethod: async (key) => key.toUpperCase(),
  });
  for (const key of ["a", "b", "c"]) expect(await cache.forceFetch(key)).toBe(key.toUpperCase());
  expect(cache.size).toBe(2);
  expect(cache.calculatedSize).toBe(2);
});

test("a cache without entries allocates no memory for them", () => {
  const cache = new LRUCache<string, number>({ ...entriesAtMost(50_000), ttl: 60_000 });
  const { keyList, next, starts } = LRUCache.unsafeExposeInternals(cache);
  expect([keyList.length, next.length, starts?.length]).toEqual([0, 0, 0]);
});
