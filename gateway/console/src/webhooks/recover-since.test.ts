import { expect, test } from "vitest";
import { toLocalInput, validateSince } from "./recover-since.ts";

test("the input of a time is read as the same minute", () => {
  const at = new Date("2026-03-29T12:34:56Z");
  const local = toLocalInput(at);
  expect(local).toMatch(/^2026-03-\d\dT\d\d:\d\d$/);
  expect(new Date(local).toISOString()).toBe("2026-03-29T12:34:00.000Z");
  expect(validateSince({ since: local })).toEqual({});
});

test.each(["", "yesterday"])("%j is refused as a time", (since) => {
  expect(validateSince({ since })).toEqual({ since: "Enter a date and a time" });
});
