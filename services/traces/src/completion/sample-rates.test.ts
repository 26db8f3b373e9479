import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { isWithin } from "./sample-rates.ts";

test("a rate samples about its share of traces, and a higher rate includes the traces of a lower one", () => {
  const ids = Array.from({ length: 20_000 }, () => newId());
  const share = (rate: number) => ids.filter((id) => isWithin(id, rate));
  expect(share(0)).toEqual([]);
  expect(share(1)).toEqual(ids);
  const tenth = share(0.1);
  expect(Math.abs(tenth.length - 2_000)).toBeLessThan(250);
  const fifth = new Set(share(0.2));
  expect(tenth.every((id) => fifth.has(id))).toBe(true);
});
