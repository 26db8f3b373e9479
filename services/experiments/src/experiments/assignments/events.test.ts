import { newId } from "@ems/kit/id";
import { AssignmentStage } from "@ems/proto/experiments/v1/quickstart_service";
import { expect, test } from "vitest";
import { assignmentsCreated, type ChangedAssignment, reviewsAssigned } from "./events.ts";

const assigned = (count: number, assignedTo: string): ChangedAssignment[] =>
  Array.from({ length: count }, () => ({ id: newId(), stage: "KB_REVIEW", topicId: newId(), assignedTo }));

test.each([
  ["nothing", assigned(0, "ada"), 0],
  ["one", assigned(1, "ada"), 1],
  ["as many as fit", assigned(500, "ada"), 1],
  ["the most that a call may have", assigned(1000, "ada"), 2],
  ["long ids", assigned(1000, "x".repeat(255)), 4],
  ["ids that JSON escapes", assigned(600, "\u0001".repeat(255)), 9],
])("%s: the assignments take as few events as possible", (_, changed, events) => {
  const created = assignmentsCreated("q", changed).map(({ value }) => value as { assignments: object[] });
  expect(created).toHaveLength(events);
  expect(created.flatMap(({ assignments }) => assignments)).toEqual(
    changed.map((assignment) => ({ ...assignment, stage: AssignmentStage.KB_REVIEW })),
  );
  for (const { assignments } of created) {
    expect(Buffer.byteLength(JSON.stringify(assignments))).toBeLessThan(121 * 1024);
  }
});

const quickstart = { id: newId(), title: "Accounts" };
const reviews = (count: number, assignedTo: (at: number) => string, stage: ChangedAssignment["stage"] = "KB_REVIEW") =>
  Array.from({ length: count }, (_, at) => ({ id: newId(), stage, topicId: newId(), assignedTo: assignedTo(at) }));
const listPeople = (changed: ChangedAssignment[]) =>
  reviewsAssigned(quickstart, changed).map(({ value }) => value as { people: { userId: string }[] });

test("a person's reviews are counted by stage, with the first few topics", () => {
  const topicId = newId();
  const both = (["KB_REVIEW", "TASKS_TOPICS_REVIEW"] as const).map((stage) => {
    return { id: newId(), stage, topicId, assignedTo: "ada" };
  });
  const more = reviews(10, () => "ada");
  expect(listPeople([...both, ...more])).toEqual([
    {
      quickstart,
      people: [
        {
          userId: "ada",
          kbReviewCount: 11,
          tasksTopicsReviewCount: 1,
          topicIds: [topicId, ...more.slice(0, 4).map((assignment) => assignment.topicId)],
        },
      ],
    },
  ]);
});

test("no event when nothing changed", () => {
  expect(listPeople([])).toEqual([]);
});

test.each([
  ["a thousand for one person", reviews(1000, () => "ada"), 1, 1],
  ["a thousand people", reviews(1000, (at) => `user-${at}`), 1000, 1],
  ["people with long ids", reviews(1000, (at) => "\u0001".repeat(250) + at), 1000, 14],
])("%s: each in exactly one event, and every event fits", (_, changed, people, events) => {
  const facts = listPeople(changed);
  expect(facts).toHaveLength(events);
  const ids = facts.flatMap((event) => event.people.map(({ userId }) => userId));
  expect([ids.length, new Set(ids).size]).toEqual([people, people]);
  for (const event of facts) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(121 * 1024);
});
