import { expect, test } from "vitest";
import { changeMapping, describeCheck } from "./import-file.ts";

const checked = { errors: [], issuesOmitted: 0, replacedCharacters: 0, rows: 2 };
const fault = { row: 1, field: "title", message: "Required" };

test.each([
  ["2 tasks can be imported: all of them, or none.", {}],
  ["2 tasks can be imported: all of them, or none. 1 unstorable character replaced.", { replacedCharacters: 1 }],
  [
    "2 tasks can be imported: all of them, or none. 0 new, 1 changed, 0 unchanged. 1 task edited here and kept. 3 blank rows ignored.",
    { updated: 1, conflicts: 1, blankRows: 3 },
  ],
  ["Nothing is imported: 1 error in 2 rows.", { errors: [fault] }],
  ["Nothing is imported: 4 errors in 2 rows.", { errors: [fault], issuesOmitted: 3 }],
])("%s", (text, change) => expect(describeCheck({ ...checked, ...change })).toBe(text));

const columns = [
  { name: "question", becomes: "prompt" },
  { name: "answer", becomes: "expected" },
  { name: "region", becomes: "" },
];

test("the first change of a mapping keeps the recognized columns", () => {
  const first = changeMapping({}, { columns }, "region", "metadata");
  expect(first).toEqual({ question: "prompt", answer: "expected", region: "metadata" });
  expect(changeMapping(first, { columns }, "answer", null)).toEqual({ question: "prompt", region: "metadata" });
});
