import { expect, test } from "vitest";
import { table } from "./table.ts";
import { escapeControls, oneLine } from "./terminal.ts";

const hostile = [
  ["a colour", "\u001b[31mred\u001b[0m", "\\u001b[31mred\\u001b[0m"],
  ["a title for the window", "\u001b]0;root\u0007", "\\u001b]0;root\\u0007"],
  ["a link", "\u001b]8;;https://evil.example\u001b\\here", "\\u001b]8;;https://evil.example\\u001b\\here"],
  ["C1, which needs no escape", "\u009b2J\u009d52;c;cm0=\u009c", "\\u009b2J\\u009d52;c;cm0=\\u009c"],
  ["backspaces and DEL", "no\u0008\u0008yes\u007f", "no\\u0008\\u0008yes\\u007f"],
  ["the line's beginning", "evil\rfine", "evil\\u000dfine"],
  ["another direction", "\u202egpj.exe\u2066x\u2069", "\\u202egpj.exe\\u2066x\\u2069"],
  ["half a character", "a\ud83d", "a\ufffd"],
] as const;

test.each(hostile)("%s is printed escaped and has no effect", (_, text, printed) => {
  expect(escapeControls(text)).toBe(printed);
  expect(escapeControls(printed)).toBe(printed);
});

test("text without control characters is unchanged", () => {
  const text = "Überschrift\t日本語 👩‍👩‍👧 שלום \\u001b\nline two";
  expect(escapeControls(text)).toBe(text);
});

test.each(hostile)("JSON with %s is the same JSON", (_, text) => {
  const value = { [text]: [`\\${text}`, text] };
  // JSON.stringify itself already escapes an unpaired surrogate.
  expect(JSON.parse(escapeControls(JSON.stringify(value)))).toEqual(value);
});

test("one line stays one line with any line break", () => {
  expect(oneLine("a\nb\r\nc\u2028d\u0085e\tf\u000bg")).toBe("a b c d e f g");
  expect(oneLine("\n2026-01-01  topic.deleted")).toBe(" 2026-01-01  topic.deleted");
});

test("columns have the displayed width, with wide characters and escaped characters", () => {
  const rows = [
    ["日本語", "x"],
    ["\u001b[1m", "x"],
    ["👩‍👩‍👧", "x"],
    ["e\u0301", "x"],
  ];
  expect(table([{ title: "Title" }, { title: "Next" }], rows).split("\n")).toEqual([
    "Title      Next",
    "日本語     x",
    "\\u001b[1m  x",
    "👩‍👩‍👧         x",
    "e\u0301          x",
  ]);
});

test("a long cell is truncated at its width, not within a character", () => {
  const [, cell = ""] = table([{ title: "T" }], [["日".repeat(40)]]).split("\n");
  expect(cell).toBe(`${"日".repeat(29)}…`);
});
