import { expect, test } from "vitest";
import { missingCharacters, toCritique } from "./critique.ts";

test.each([
  ["", 20],
  [`${" ".repeat(20)}wrong`, 15],
  ["a".repeat(20), 0],
  ["a".repeat(30), 0],
])("%j lacks %i characters", (critique, missing) => expect(missingCharacters(critique)).toBe(missing));

test("a critique is sent unless it is blank", () => {
  expect(toCritique(" \n")).toBeNull();
  expect(toCritique(" too long ")).toBe(" too long ");
});
