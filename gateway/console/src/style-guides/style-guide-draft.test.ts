import { expect, test } from "vitest";
import { findDifferences, isClash } from "../edits/fields.ts";
import { newSection, sectionFields } from "./style-guide-draft.ts";

const [tone, length] = ["Tone", "Length"].map((heading) => ({
  ...newSection,
  heading,
  content: `Rules of ${heading}`,
}));
const [shorter, approved] = [
  { ...newSection, heading: "Length", content: "Be brief" },
  { ...newSection, heading: "Tone", content: "Rules of Tone", approved: true },
];
if (tone === undefined || length === undefined) throw new Error("Sections are missing.");
const base = { content: [tone, length] };

test.each([
  ["a changed rule", [tone, shorter], ["Section: Length"]],
  ["an approval", [approved, length], ["Section: Tone"]],
  ["a moved section", [length, tone], ["Sections, in their order"]],
  [
    "a section without a heading",
    [tone, length, newSection],
    ["Section without a heading", "Sections, in their order"],
  ],
])("a conflict shows %s", (_, content, labels) => {
  expect(findDifferences(sectionFields, base, base, { content }).map(({ label }) => label)).toEqual(labels);
  expect(isClash(sectionFields, base, base, { content })).toBe(true);
});

test("a section has its rules and its approval as text", () => {
  expect(findDifferences(sectionFields, base, base, { content: [approved, length] })).toMatchObject([
    { mine: "Rules of Tone\nNot approved", theirs: "Rules of Tone\nApproved" },
  ]);
});
