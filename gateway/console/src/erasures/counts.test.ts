import { expect, test } from "vitest";
import { isNothing, kinds, typable } from "./counts.ts";
import { userMax, userSearch } from "./erasure-requests.ts";

const none = Object.fromEntries(kinds.map(([kind]) => [kind, 0])) as Parameters<typeof isNothing>[0];

test("there is something as soon as one kind has any", () => {
  expect(isNothing(none)).toBe(true);
  for (const [kind] of kinds) expect(isNothing({ ...none, [kind]: 1 })).toBe(false);
});

test.each([
  ["an address", "ann@example.com", true],
  ["letters of any script, and spaces within", "Åse 李 Ünal", true],
  ["a space at the end, which nobody sees", "ann ", false],
  ["a line break", "a\nb", false],
  ["letters that turn others around", "\u202Enna", false],
  ["more than anybody types", "a".repeat(101), false],
])("%s", (_, user, isTypable) => {
  expect(typable(user)).toBe(isTypable ? user : undefined);
});

test("a user that is too long for a filter is none, and never another one whose name is its beginning", () => {
  expect(userSearch({ user: "a".repeat(userMax) }).user).toHaveLength(userMax);
  expect(userSearch({ user: "a".repeat(userMax + 1) }).user).toBeUndefined();
  expect(userSearch({}).user).toBeUndefined();
});
