import { chunkLengthMax } from "@ems/proto/limits";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitChunks } from "./chunks.ts";

const chunks = (content: string) => splitChunks({ title: "Fees", content });
const long = (text: string, count: number) => Array.from({ length: count }, () => text).join("");

test("small paragraphs of a section are one chunk, and a heading begins another", () => {
  expect(
    chunks("Intro.\n\nMore.\n\n# Cards\n\nFree.\r\n\r\n## Lost cards ##\nCall.\n\n```\n# no heading\n```"),
  ).toEqual([
    { title: "Fees", content: "Intro.\n\nMore." },
    { title: "Cards", content: "# Cards\n\nFree." },
    { title: "Lost cards", content: "## Lost cards ##\nCall.\n\n```\n# no heading\n```" },
  ]);
});

test.each([
  ["lines", `${"x".repeat(40)}\n`],
  ["sentences", "An account costs nothing. "],
  ["words", "account "],
  ["characters", "x"],
  ["surrogate pairs", "💶"],
])("a long paragraph is split between %s", (_, unit) => {
  const made = chunks(long(unit, 9_000 / unit.length));
  expect(made.length).toBeGreaterThan(4);
  for (const { content } of made) {
    expect(content.length).toBeLessThanOrEqual(chunkLengthMax);
    expect(content.length % unit.length).toBe(unit.trim().length % unit.length);
    expect(content.isWellFormed()).toBe(true);
  }
});

test("a text without any words has one empty chunk", () => {
  expect(chunks(" \n\n\t")).toEqual([{ title: "Fees", content: "" }]);
});

test("chunks have every word of the text in order, and none is too long", () => {
  const text = fc.array(
    fc.constantFrom("a", "# b", "\n", "\n\n", " ", ". ", "```\n", "c".repeat(700), "💶".repeat(600)),
  );
  fc.assert(
    fc.property(text, (parts) => {
      const content = parts.join("");
      const made = chunks(content);
      expect(made.every((chunk) => chunk.content.length <= chunkLengthMax)).toBe(true);
      expect(
        made
          .map((chunk) => chunk.content)
          .join("")
          .replaceAll(/\s/g, ""),
      ).toBe(content.replaceAll(/\s/g, ""));
    }),
  );
});

test.each([
  ["# Fees # ##  ", "Fees #"],
  ["## Fees\t## \t", "Fees"],
  ["# #", "#"],
  ["# ###", "#"],
  ["#   ", " "],
  ["# ", "Title"],
  ["#Fees", "Title"],
  ["####### Fees", "Title"],
  ["# a\u2028b", "Title"],
])("the line %j makes the title %j", (line, title) => {
  expect(splitChunks({ title: "Title", content: `${line}\nText` }).at(-1)?.title).toBe(title);
});

test.each([
  ["blanks", `# x${" ".repeat(990)}x\n`],
  ["signs", `# x${"#".repeat(990)}x\n`],
  ["blanks and signs", `# x${" #".repeat(490)} x\n`],
])(
  "headings with many %s are divided in linear time",
  (_name, line) => {
    const startMs = performance.now();
    expect(splitChunks({ title: "Title", content: line.repeat(900) })).toHaveLength(900);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  },
  60_000,
);
