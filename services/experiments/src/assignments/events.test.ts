import { newId } from "@ems/kit/id";
import { AssignmentStage } from "@ems/proto/experiments/v1/quickstart_service";
import { expect, test } from "vitest";
import { type ChangedAssignment, toldInParts } from "./events.ts";

const some = (count: number, assignedTo: string): ChangedAssignment[] =>
  Array.from({ length: count }, () => ({ id: newId(), stage: "KB_REVIEW", topicId: newId(), assignedTo }));

test.each([
  ["nothing", some(0, "ada"), 0],
  ["one", some(1, "ada"), 1],
  ["as many as fit", some(500, "ada"), 1],
  ["the most that a call may have", some(1000, "ada"), 2],
  ["long ids", some(1000, "x".repeat(255)), 4],
  ["ids that JSON escapes", some(600, "\u0001".repeat(255)), 9],
])("%s is told in as few events as hold it", (_, changed, events) => {
  const parts = toldInParts("q", changed);
  expect(parts).toHaveLength(events);
  expect(parts.flatMap(({ assignments }) => assignments)).toEqual(
    changed.map((one) => ({ ...one, stage: AssignmentStage.KB_REVIEW })),
  );
  for (const { assignments } of parts) {
    expect(Buffer.byteLength(JSON.stringify(assignments))).toBeLessThan(121 * 1024);
  }
});
