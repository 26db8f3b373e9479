import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import type { ChangedAssignment } from "./events.ts";
import { reviewsAssigned } from "./people-assigned.ts";

const quickstart = { id: newId(), title: "Accounts" };
const some = (count: number, assignedTo: (at: number) => string, stage: ChangedAssignment["stage"] = "KB_REVIEW") =>
  Array.from({ length: count }, (_, at) => ({ id: newId(), stage, topicId: newId(), assignedTo: assignedTo(at) }));
const told = (changed: ChangedAssignment[]) =>
  reviewsAssigned(quickstart, changed).map(({ value }) => value as { people: { userId: string }[] });

test("a person's reviews are counted by stage, with the first few topics", () => {
  const topicId = newId();
  const both = (["KB_REVIEW", "TASKS_TOPICS_REVIEW"] as const).map((stage) => {
    return { id: newId(), stage, topicId, assignedTo: "ada" };
  });
  const more = some(10, () => "ada");
  expect(told([...both, ...more])).toEqual([
    {
      quickstart,
      people: [
        {
          userId: "ada",
          kbReviewCount: 11,
          tasksTopicsReviewCount: 1,
          topicIds: [topicId, ...more.slice(0, 4).map((one) => one.topicId)],
        },
      ],
    },
  ]);
});

test("nothing changed, nobody is told", () => {
  expect(told([])).toEqual([]);
});

test.each([
  ["a thousand for one person", some(1000, () => "ada"), 1, 1],
  ["a thousand people", some(1000, (at) => `user-${at}`), 1000, 1],
  ["people with long ids", some(1000, (at) => "\u0001".repeat(250) + at), 1000, 14],
])("%s: each in exactly one event, and every event fits", (_, changed, people, events) => {
  const parts = told(changed);
  expect(parts).toHaveLength(events);
  const ids = parts.flatMap((part) => part.people.map(({ userId }) => userId));
  expect([ids.length, new Set(ids).size]).toEqual([people, people]);
  for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(121 * 1024);
});
