// The table of reasons is true: of the code, of REST's statuses, and in the page that people read.

import { readFileSync } from "node:fs";
import { codeOfReason, type Reason } from "@ems/kit/error-reasons";
import { failure } from "@ems/kit/errors";
import { expect, test } from "vitest";
import { statusOf } from "../rest/errors.ts";
import { documentedReasons, reasonTable, withReasons } from "./reasons.ts";

test("every reason has the status over REST that its comment names", () => {
  const documented = documentedReasons().map(({ name, status }) => [name, status]);
  const reasons = Object.keys(codeOfReason) as Reason[];
  expect(reasons.map((reason) => [reason, statusOf(failure(reason, ""))])).toEqual(documented);
});

test("the page of reasons has the table", () => {
  // Cells without padding.
  const page = readFileSync(new URL("../../../proto/google/ERRORS.md", import.meta.url), "utf8");
  const cells = (text: string) =>
    text.split("\n").flatMap((line) => (/^\| `/.test(line) ? [line.split("|").map((cell) => cell.trim())] : []));
  expect(cells(page)).toEqual(cells(reasonTable()));
});

test("a reason in a comment is a status for users of REST, and a code with the reason for those of gRPC", () => {
  const comment = '{RESOURCE_NOT_FOUND} "Topic not found", {REQUEST_TOO_LARGE}; {id}.';
  expect(withReasons(comment, "rest")).toBe('404 "Topic not found", 413; {id}.');
  expect(withReasons(comment, "grpc")).toBe(
    'NOT_FOUND (RESOURCE_NOT_FOUND) "Topic not found", RESOURCE_EXHAUSTED (REQUEST_TOO_LARGE); {id}.',
  );
  expect(() => withReasons("{NO_SUCH_REASON}", "rest")).toThrow("no reason of errors is named NO_SUCH_REASON");
});
