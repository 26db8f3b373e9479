import { expect, test } from "vitest";
import { isNothing, kinds } from "./counts.ts";

const none = Object.fromEntries(kinds.map(([kind]) => [kind, 0])) as Parameters<typeof isNothing>[0];

test("counts are not empty as soon as one kind has any", () => {
  expect(isNothing(none)).toBe(true);
  for (const [kind] of kinds) expect(isNothing({ ...none, [kind]: 1 })).toBe(false);
});
