// The table of error reasons matches the code, REST's statuses and the published page.

import { readFileSync } from "node:fs";
import { codeOfReason, type Reason } from "@ems/kit/error-reasons";
import { failure } from "@ems/kit/errors";
import { expect, test } from "vitest";
import { getStatus } from "../rest/errors.ts";
import { documentedReasons, reasonTable, withReasons } from "./reasons.ts";

test("every reason has the REST status that its comment names", () => {
  const documented = documentedReasons().map(({ name, status }) => [name, status]);
  const reasons = Object.keys(codeOfReason) as Reason[];
  expect(reasons.map((reason) => [reason, getStatus(failure(reason, ""))])).toEqual(documented);
});

test("the page of reasons contains the table", () => {
  // Compare the cells without their padding.
  const page = readFileSync(new URL("../../../proto/google/ERRORS.md", import.meta.url), "utf8");
  const cells = (text: string) =>
    text.split("\n").flatMap((line) => (/^\| `/.test(line) ? [line.split("|").map((cell) => cell.trim())] : []));
  expect(cells(page)).toEqual(cells(reasonTable()));
});

test("a reason in a comment becomes a status for REST users, and a code with the reason for gRPC users", () => {
  const comment = '{RESOURCE_NOT_FOUND} "Topic not found", {REQUEST_TOO_LARGE}; {id}.';
  expect(withReasons(comment, "rest")).toBe('404 "Topic not found", 413; {id}.');
  expect(withReasons(comment, "grpc")).toBe(
    'NOT_FOUND (RESOURCE_NOT_FOUND) "Topic not found", RESOURCE_EXHAUSTED (REQUEST_TOO_LARGE); {id}.',
  );
  expect(() => withReasons("{NO_SUCH_REASON}", "rest")).toThrow("NO_SUCH_REASON: unknown error reason");
});
