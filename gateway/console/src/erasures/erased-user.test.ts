import { expect, test } from "vitest";
import { confirmation, typable, validateUser } from "./erased-user.ts";
import { userMax, userSearch } from "./erasure-requests.ts";

test.each([
  ["an address can be typed", "ann@example.com", true],
  ["letters of any script and inner spaces can be typed", "Åse 李 Ünal", true],
  ["a trailing space, which is invisible, cannot be typed", "ann ", false],
  ["a line break cannot be typed", "a\nb", false],
  ["a character that reverses the text cannot be typed", "\u202Enna", false],
  ["a text of more than 100 characters cannot be typed", "a".repeat(101), false],
])("%s", (_, user, isTypable) => {
  expect(typable(user)).toBe(isTypable ? user : undefined);
});

test.each([
  ["ann@example.com", " ann@example.com ", {}],
  ["ann@example.com", "ann", { typed: "The text does not match" }],
  ["ann ", "erase", {}],
  ["ann ", "ann", { typed: "The text does not match" }],
])("the erasure of %j is confirmed by typing its word: %j", (user, typed, errors) => {
  expect(confirmation(user).validate({ typed })).toEqual(errors);
});

test("a user is entered, and fits into a URL", () => {
  expect(validateUser({ user: "" })).toEqual({ user: "Enter an end user" });
  expect(validateUser({ user: "a".repeat(userMax) })).toEqual({});
  expect(validateUser({ user: "a".repeat(userMax + 1) }).user).toContain("Longer than 1000 characters");
});

test("a user that is too long for a filter is dropped, not truncated to the name of another user", () => {
  expect(userSearch({ user: "a".repeat(userMax) }).user).toHaveLength(userMax);
  expect(userSearch({ user: "a".repeat(userMax + 1) }).user).toBeUndefined();
  expect(userSearch({}).user).toBeUndefined();
});
