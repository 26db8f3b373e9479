import { expect, test } from "vitest";
import { Reading } from "./read-conventions.ts";

test("the cost of reading a name with many parts is linear in its length", () => {
  const startMs = performance.now();
  const name = "a.".repeat(200_000);
  expect(new Reading({ [name]: "x" }).metadata()).toEqual({ [name]: "x" });
  expect(performance.now() - startMs).toBeLessThan(1_000);
}, 60_000);
