import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { AssignmentOrder, AssignmentStage, QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import { outboxEvents, testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness, user } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, database, clock, missing, referenceChecks, peopleAssigned } = harness;
const quickstarts = harness.client(QuickstartService);
const { KB_REVIEW, TASKS_TOPICS_REVIEW } = AssignmentStage;

async function newQuickstart(): Promise<string> {
  return (await quickstarts.createQuickstart({ title: "Bank" }, testCall(tenant))).data?.id ?? "";
}
type New = { stage: AssignmentStage; topicId: string; assignedTo: string };
const assign = (id: string, assignments: New[]) => quickstarts.createAssignments({ id, assignments }, testCall(tenant));
const list = (id: string, more: { stage?: AssignmentStage[]; assignedTo?: string; orderBy?: AssignmentOrder } = {}) =>
  quickstarts.listAssignments({ id, ...more }, testCall(tenant));
const published = async (id: string) =>
  (await outboxEvents(database, "experiments", { type: "assignment.created", text: id })).map(
    ({ payload }) => JSON.parse(payload).data,
  );

test("an assignment is created for each stage and topic and published with the quickstart's id", async () => {
  const id = await newQuickstart();
  const topicId = newId();
  const { count } = await assign(id, [
    { stage: KB_REVIEW, topicId, assignedTo: "ada" },
    { stage: TASKS_TOPICS_REVIEW, topicId, assignedTo: "ben" },
  ]);
  expect(count).toBe(2n);
  const { data, pagination } = await list(id, { orderBy: AssignmentOrder.STAGE });
  expect(pagination?.total).toBe(2n);
  expect(data).toMatchObject([
    { stage: TASKS_TOPICS_REVIEW, topicId, assignedTo: "ben", quickstartId: id },
    { stage: KB_REVIEW, topicId, assignedTo: "ada", assignedUser: user },
  ]);
  expect(data[0]?.assignedUser).toBeUndefined();
  const [event, ...more] = await published(id);
  expect(more).toEqual([]);
  expect(event.quickstartId).toBe(id);
  expect(event.assignments).toHaveLength(2);
  expect(event.assignments).toContainEqual({ id: data[1]?.id, stage: "KB_REVIEW", topicId, assignedTo: "ada" });
});

test("the call is idempotent: unchanged assignments are neither written nor published", async () => {
  const id = await newQuickstart();
  const assignments = [{ stage: KB_REVIEW, topicId: newId(), assignedTo: "ada" }];
  await assign(id, assignments);
  const before = await list(id);
  clock.advance(1_000);
  expect((await assign(id, assignments)).count).toBe(1n);
  expect(await list(id)).toEqual(before);
  expect(await published(id)).toHaveLength(1);
});

test("assigning an existing stage and topic changes its assignedTo", async () => {
  const id = await newQuickstart();
  const topicId = newId();
  await assign(id, [{ stage: KB_REVIEW, topicId, assignedTo: "ada" }]);
  const before = (await list(id)).data[0];
  clock.advance(1_000);
  await assign(id, [{ stage: KB_REVIEW, topicId, assignedTo: "ben" }]);
  const { data } = await list(id);
  expect(data).toMatchObject([{ id: before?.id, assignedTo: "ben", createdAt: before?.createdAt }]);
  expect(data[0]?.modifiedAt).not.toEqual(before?.modifiedAt);
});

test("the last of two assignments for the same stage and topic in one call counts", async () => {
  const id = await newQuickstart();
  const topicId = newId();
  const { count } = await assign(id, [
    { stage: KB_REVIEW, topicId, assignedTo: "ada" },
    { stage: KB_REVIEW, topicId: topicId.toUpperCase(), assignedTo: "ben" },
  ]);
  expect(count).toBe(1n);
  expect((await list(id)).data).toMatchObject([{ assignedTo: "ben", topicId }]);
});

test("a topic of another application is not found, and nothing is assigned", async () => {
  const id = await newQuickstart();
  const unknown = newId();
  missing.add(unknown);
  const assignments = [newId(), unknown].map((topicId) => ({ stage: KB_REVIEW, topicId, assignedTo: "ada" }));
  await expect(assign(id, assignments)).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Topic not found" });
  expect((await list(id)).data).toEqual([]);
  expect(await published(id)).toEqual([]);
});

test("1000 are assigned at once, looked up in one call and published in events that fit; 0 and 1001 are refused", async () => {
  const id = await newQuickstart();
  const build = (count: number) =>
    Array.from({ length: count }, () => ({ stage: KB_REVIEW, topicId: newId(), assignedTo: "ada" }));
  referenceChecks.length = 0;
  expect((await assign(id, build(1000))).count).toBe(1000n);
  expect(referenceChecks).toHaveLength(1);
  const events = await published(id);
  expect(events).toHaveLength(2);
  expect(events.flatMap(({ assignments }) => assignments)).toHaveLength(1000);
  for (const count of [0, 1001]) {
    await expect(assign(id, build(count))).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
});

test("people.assigned lists each person with a changed assignment once per call", async () => {
  const id = await newQuickstart();
  const topicIds = Array.from({ length: 6 }, newId);
  const by = (assignedTo: string, stage: AssignmentStage = KB_REVIEW) =>
    topicIds.map((topicId) => ({ stage, topicId, assignedTo }));
  await assign(id, [...by("ada"), ...by("ben", TASKS_TOPICS_REVIEW)]);
  const [event, ...more] = await peopleAssigned(id);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ quickstart: { id, title: "Bank" }, contradictionId: null, experiment: null });
  const counts = event.people.map(({ userId, kbReviewCount, tasksTopicsReviewCount, topicIds }: never) => {
    return [userId, kbReviewCount, tasksTopicsReviewCount, (topicIds as string[]).length];
  });
  expect(counts.sort()).toEqual([
    ["ada", 6, 0, 5],
    ["ben", 0, 6, 5],
  ]);
  await assign(id, [...by("ada"), ...by("cy", TASKS_TOPICS_REVIEW).slice(0, 1)]);
  const [, second, ...rest] = await peopleAssigned(id);
  expect(rest).toEqual([]);
  expect(second.people).toMatchObject([{ userId: "cy", kbReviewCount: 0, tasksTopicsReviewCount: 1 }]);
});

test("calls for the same topics in different orders do not deadlock", async () => {
  const id = await newQuickstart();
  const topics = Array.from({ length: 200 }, newId);
  const by = (assignedTo: string) => topics.map((topicId) => ({ stage: KB_REVIEW, topicId, assignedTo }));
  await Promise.all([assign(id, by("ada")), assign(id, by("ben").reverse()), assign(id, by("cy"))]);
  expect((await list(id)).pagination?.total).toBe(200n);
});

test("stage and assignedTo filter the list", async () => {
  const id = await newQuickstart();
  const topicId = newId();
  await assign(id, [
    { stage: KB_REVIEW, topicId, assignedTo: "ada" },
    { stage: TASKS_TOPICS_REVIEW, topicId, assignedTo: "ada" },
    { stage: KB_REVIEW, topicId: newId(), assignedTo: "ben" },
  ]);
  for (const [filter, total] of [
    [{ stage: [KB_REVIEW] }, 2n],
    [{ stage: [KB_REVIEW, TASKS_TOPICS_REVIEW] }, 3n],
    [{ assignedTo: "ada" }, 2n],
    [{ stage: [TASKS_TOPICS_REVIEW], assignedTo: "ben" }, 0n],
  ] as const) {
    const { stage, ...same } = { stage: [], ...filter };
    expect((await list(id, { stage: [...stage], ...same })).pagination?.total).toBe(total);
  }
});

test("assignments are reassigned; unchanged ones are neither written nor published", async () => {
  const id = await newQuickstart();
  await assign(
    id,
    [newId(), newId()].map((topicId) => ({ stage: KB_REVIEW, topicId, assignedTo: "ada" })),
  );
  const [first, second] = (await list(id)).data.map((row) => row.id);
  const ids = [first ?? "", second ?? ""];
  clock.advance(1_000);
  const reassign = () =>
    quickstarts.reassignAssignments(
      { id, ids: [...ids, ids[0]?.toUpperCase() ?? ""], assignedTo: "ben" },
      testCall(tenant),
    );
  expect((await reassign()).count).toBe(2n);
  const after = await list(id);
  expect(after.data).toMatchObject([{ assignedTo: "ben" }, { assignedTo: "ben" }]);
  const events = await published(id);
  expect(events).toHaveLength(2);
  expect(events[1].assignments).toHaveLength(2);
  const people = (await peopleAssigned(id)).at(-1).people;
  expect(people).toMatchObject([{ userId: "ben", kbReviewCount: 2, tasksTopicsReviewCount: 0 }]);
  clock.advance(1_000);
  expect((await reassign()).count).toBe(2n);
  expect(await list(id)).toEqual(after);
  expect(await published(id)).toHaveLength(2);
});

test("an assignment of another quickstart is not found, and nothing is changed", async () => {
  const [id, other] = [await newQuickstart(), await newQuickstart()];
  await assign(id, [{ stage: KB_REVIEW, topicId: newId(), assignedTo: "ada" }]);
  await assign(other, [{ stage: KB_REVIEW, topicId: newId(), assignedTo: "ada" }]);
  const own = (await list(id)).data[0]?.id ?? "";
  for (const unknown of [newId(), (await list(other)).data[0]?.id ?? ""]) {
    const request = { id, ids: [own, unknown], assignedTo: "ben" };
    await expect(quickstarts.reassignAssignments(request, testCall(tenant))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Assignment not found",
    });
  }
  expect((await list(id)).data).toMatchObject([{ assignedTo: "ada" }]);
});
