import { expect, test } from "vitest";
import { definitionVersionsNote, joinNotes, judgeVersionsNote } from "./judge-versions-note.ts";

const rows = (...versions: (string | null)[]) => versions.map((judgeVersion) => ({ judgeVersion }));

test.each([
  [rows("output-match/1"), rows("output-match/1", null), undefined],
  [
    rows("output-match/1"),
    rows("output-match/2"),
    /^Different judges: output-match\/1 before, output-match\/2 after; /,
  ],
  [rows("custom/1", "custom/2"), rows("custom/2", "custom/1"), /custom\/1 and custom\/2 before/],
  [rows(null), rows("output-match/2"), undefined],
  [rows(), rows("output-match/2"), undefined],
])("%j and %j give the note %s", (baseline, variant, note) => {
  const found = judgeVersionsNote(baseline, variant);
  if (note === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(note);
});

test("a comparison counts the definitions whose judges differ", () => {
  const same = { baseline: rows("custom/1"), variant: rows("custom/1") };
  const other = { baseline: rows("output-match/1"), variant: rows("output-match/2") };
  expect(definitionVersionsNote([same, other])).toBe("Different versions of judges: 1 of 2 definitions.");
  expect(definitionVersionsNote([same])).toBeUndefined();
  expect(joinNotes(undefined, "a.", "b.")).toBe("a. b.");
  expect(joinNotes(undefined)).toBeUndefined();
});
