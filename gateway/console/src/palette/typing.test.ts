import { expect, test } from "vitest";
import { nothingTyped, typedAhead } from "./typing.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false };
const typed = (keys: readonly string[]) =>
  keys.reduce((typing, key) => typedAhead(typing, { ...plain, key }) ?? typing, nothingTyped);

test.each([
  [["r", "u", "n"], "run", false],
  [["a", " ", "B", "ü", "Backspace"], "a B", false],
  [["🙂", "Backspace", "Backspace"], "", false],
  [["r", "Shift", "ArrowDown", "Enter"], "r", true],
  [["r", "Enter", "u"], "ru", false],
  [["Enter"], "", false],
] as const)("keys %j give the text %j, entered: %j", (keys, text, isEntered) => {
  expect(typed(keys)).toEqual({ text, isEntered });
});

test("shortcuts and composed characters are ignored", () => {
  for (const held of ["ctrlKey", "metaKey", "altKey", "isComposing"])
    expect(typedAhead(nothingTyped, { ...plain, key: "a", [held]: true })).toBeUndefined();
});
