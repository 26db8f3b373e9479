import { expect, test } from "vitest";
import { ReadBudget, UnreadableText } from "./budget.ts";
import { decodeText } from "./decode-text.ts";

const budget = () => new ReadBudget({ values: 0, columns: 0, depth: 0, bytes: 1_000 });
const bytes = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))));

test.for([
  ["UTF-8", bytes("é😀")],
  ["UTF-8 with its mark", bytes("\ufeffé😀")],
  ["UTF-16, low byte first", bytes(0xff, 0xfe, 0xe9, 0, 0x3d, 0xd8, 0, 0xde)],
  ["UTF-16, high byte first", bytes(0xfe, 0xff, 0, 0xe9, 0xd8, 0x3d, 0xde, 0)],
] as const)("%s", ([, file]) => {
  expect(decodeText(file, budget())).toBe("é😀");
});

test.for([
  ["at the beginning", bytes(0xe9), 1, 0],
  ["after valid text", bytes("ab\ncé", 0xff, "\n"), 2, 6],
  ["at the end of a line", bytes("a\nb", 0xe9, "\nc"), 2, 3],
  ["an incomplete sequence", bytes("é", 0xf0, 0x9f, 0x98, "x"), 1, 2],
  ["an incomplete sequence at the end of the file", bytes("a\n\nb", 0xf0, 0x9f, 0x98), 3, 4],
  ["a surrogate", bytes("ab", 0xed, 0xa0, 0x80), 1, 2],
  ["a continuation byte alone", bytes("ab\n", 0x80, 0x80, 0x80, 0x80, 0x80), 2, 3],
] as const)("bytes that are not UTF-8 are reported %s", ([, file, row, byte]) => {
  const error = catchError(() => decodeText(file, budget()));
  expect(error.position).toEqual({ row, byte });
  expect(error.message).toBe(`The file is not UTF-8: save it as UTF-8 (row ${row}, byte ${byte})`);
});

test("UTF-16 that ends within a character is an error, and lone surrogates are replaced and counted", () => {
  const error = catchError(() => decodeText(bytes(0xff, 0xfe, 0x61, 0, 0x62), budget()));
  expect(error.position).toEqual({ byte: 4 });
  const counted = budget();
  expect(decodeText(bytes(0xff, 0xfe, 0, 0xd8, 0, 0), counted)).toBe("\ufffd\ufffd");
  expect(counted.replacedCharacters).toBe(2);
});

function catchError(work: () => unknown): UnreadableText {
  try {
    work();
  } catch (error) {
    if (error instanceof UnreadableText) return error;
  }
  throw new Error("expected an UnreadableText");
}
