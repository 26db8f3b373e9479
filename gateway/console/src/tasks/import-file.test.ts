import { expect, test } from "vitest";
import { describeCheck, findFormat } from "./import-file.ts";

test.each([
  ["tasks.csv", "CSV"],
  ["TASKS.CSV", "CSV"],
  ["tasks.csv.jsonl", "JSONL"],
  ["tasks.ndjson", "JSONL"],
  ["csv", "JSONL"],
])("%s is read as %s", (name, format) => expect(findFormat({ name })).toBe(format));

const checked = { errors: [], issuesOmitted: 0, replacedCharacters: 0, rows: 2 };
const fault = { row: 1, field: "title", message: "Required" };

test.each([
  ["2 tasks can be imported: all of them, or none.", {}],
  ["2 tasks can be imported: all of them, or none. 1 unstorable character replaced.", { replacedCharacters: 1 }],
  ["Nothing is imported: 1 error in 2 rows.", { errors: [fault] }],
  ["Nothing is imported: 4 errors in 2 rows.", { errors: [fault], issuesOmitted: 3 }],
])("%s", (text, change) => expect(describeCheck({ ...checked, ...change })).toBe(text));
