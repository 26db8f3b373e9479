import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { buildSubject, type Subject } from "./subject.ts";

const nothing: Subject = {
  ...({ source: "TEST", type: "BUG", testId: null, traceId: null, evalDefinitionId: null } as const),
  taskId: null,
  topicId: null,
  experimentId: null,
  parentId: null,
};

test("an issue without a test, trace or definition is never merged", () => {
  expect(buildSubject(nothing)).toBeNull();
  expect(buildSubject({ ...nothing, taskId: newId(), topicId: newId(), parentId: newId() })).toBeNull();
});

test("monitoring has one subject per topic", () => {
  const topic = { ...nothing, source: "MONITORING", topicId: newId() } as const;
  expect(buildSubject(topic)).toBe(buildSubject({ ...topic }));
  expect(buildSubject(topic)).not.toBe(buildSubject({ ...topic, topicId: newId() }));
});

test.each(["testId", "traceId", "evalDefinitionId"] as const)(
  "%s identifies the subject together with the other fields",
  (property) => {
    const issue = { ...nothing, [property]: newId() };
    expect(buildSubject(issue)).toBe(buildSubject({ ...issue }));
    for (const other of [
      { source: "API" },
      { type: "USER_SIGNAL" },
      { [property]: newId() },
      { taskId: newId() },
      { parentId: newId() },
    ] as const)
      expect(buildSubject({ ...issue, ...other })).not.toBe(buildSubject(issue));
  },
);
