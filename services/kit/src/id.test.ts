import { expect, test } from "vitest";
import { distinctIds, newId } from "./id.ts";

test("new ids are UUIDs of version 7, and each is greater than the one before", () => {
  const ids = Array.from({ length: 20_000 }, newId);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an id in upper case is the same id", () => {
  const [first, second] = [newId(), newId()];
  expect(distinctIds([first.toUpperCase(), second, first])).toEqual([first, second]);
});
