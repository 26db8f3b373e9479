import { fromJson, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { enumName } from "@ems/kit/enum";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { TaskStatus } from "@ems/proto/catalog/v1/task_service";
import {
  type CreateIssueRequestSchema,
  IssuePriority,
  IssueService,
  IssueSource,
  IssueStatus,
  IssueStatusSchema,
  IssueType,
} from "@ems/proto/experiments/v1/issue_service";
import { type NewTestSchema, TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness, user } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { clock } = harness;
const issues = harness.client(IssueService);
const value = (json: JsonValue) => fromJson(ValueSchema, json);

type NewIssue = Omit<MessageInitShape<typeof CreateIssueRequestSchema>, "$typeName" | "$unknown" | "title" | "source">;

/** Creates a new tenant, with functions for its operations. */
function newTenant() {
  const call = testCall(testTenant());
  const all = async () => (await issues.listIssues({}, call)).data;
  const create = async (fields: NewIssue & { title?: string; source?: IssueSource } = {}) => {
    clock.advance(1_000);
    await issues.createIssue({ title: "Wrong fee", source: IssueSource.TEST, ...fields }, call);
    const [newest] = await all();
    if (newest === undefined) throw new Error("no issue");
    return newest;
  };
  const get = async (id: string) => (await issues.getIssue({ id }, call)).data;
  const record = async (tests: MessageInitShape<typeof NewTestSchema>[]) => {
    clock.advance(1_000);
    return (await harness.client(TestService).recordResults({ tests }, call)).testIds;
  };
  return { call, all, create, get, record };
}

test("an update keeps omitted fields, clears null ones, and changes nothing if a reference is unknown", async () => {
  const tenant = newTenant();
  const { id } = await tenant.create({ description: "twice" });
  const parent = await tenant.create({ title: "Fees" });
  const update = (fields: object) => issues.updateIssue({ id, ...fields }, tenant.call).then(({ data }) => data);
  const taskId = newId();
  const fields = { title: "Fee", summary: value("s"), comment: value("c"), impact: value("i"), taskId: value(taskId) };
  const people = { assignedTo: value(user.id), priority: IssuePriority.HIGH, parentId: value(parent.id) };
  const changed = await update({ ...fields, ...people });
  expect(changed).toMatchObject({
    id,
    title: "Fee",
    description: "twice",
    summary: "s",
    comment: "c",
    impact: "i",
    taskId,
    assignedTo: user.id,
    assignedUser: user,
    priority: IssuePriority.HIGH,
    parentId: parent.id,
  });
  expect(await update({})).toEqual(changed);
  const cleared = await update({ description: value(null), assignedTo: value(null), parentId: value(null) });
  expect([cleared?.description, cleared?.assignedTo, cleared?.parentId]).toEqual([undefined, undefined, undefined]);
  expect(cleared).toMatchObject({ title: "Fee", summary: "s", taskId });

  harness.missing.add(parent.id);
  await expect(update({ topicId: value(parent.id), title: "x" })).rejects.toMatchObject({
    rawMessage: "Topic not found",
  });
  await expect(update({ testId: value(newId()) })).rejects.toMatchObject({ rawMessage: "Test not found" });
  expect((await tenant.get(id))?.title).toBe("Fee");
  for (const by of [newTenant().call, tenant.call]) {
    const unknown = { id: by === tenant.call ? newId() : id, title: "x" };
    await expect(issues.updateIssue(unknown, by)).rejects.toMatchObject({ rawMessage: "Issue not found" });
  }
});

test("an issue cannot be part of itself or of its own parts", async () => {
  const tenant = newTenant();
  const whole = await tenant.create();
  const part = await tenant.create({ parentId: whole.id });
  for (const parentId of [whole.id, part.id.toUpperCase()])
    await expect(issues.updateIssue({ id: whole.id, parentId: value(parentId) }, tenant.call)).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
});

test("issues are updated together or not at all; the response has them in the order of the ids", async () => {
  const tenant = newTenant();
  const ids = [(await tenant.create()).id, (await tenant.create()).id];
  const status = IssueStatus.REJECTED;
  const request = { issueIds: [...ids, ids[0]?.toUpperCase() ?? ""], status, assignedTo: value("ada") };
  const { data } = await issues.updateIssues(request, tenant.call);
  expect(data.map(({ id }) => id)).toEqual(ids);
  expect(data).toMatchObject([
    { status, assignedTo: "ada" },
    { status, assignedTo: "ada" },
  ]);
  for (const [foreign, by] of [
    [newId(), tenant.call],
    [ids[0] ?? "", newTenant().call],
  ] as const) {
    const open = { issueIds: [foreign, ids[1] ?? ""], status: IssueStatus.OPEN };
    await expect(issues.updateIssues(open, by)).rejects.toMatchObject({ rawMessage: "Issue not found" });
  }
  expect((await tenant.all()).map((issue) => issue.status)).toEqual([status, status]);
  for (const length of [0, 101]) {
    const issueIds = Array.from({ length }, newId);
    await expect(issues.updateIssues({ issueIds }, tenant.call)).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
});

test("the minimal list has the same filters and order", async () => {
  const tenant = newTenant();
  const topicId = newId();
  const low = await tenant.create({ topicId, priority: IssuePriority.LOW });
  await tenant.create({ priority: IssuePriority.HIGH });
  expect((await issues.listMinimalIssues({ topicId }, tenant.call)).data).toMatchObject([
    { id: low.id, title: "Wrong fee", status: IssueStatus.OPEN, priority: IssuePriority.LOW, type: IssueType.BUG },
  ]);
  const { data, pagination } = await issues.listMinimalIssues({ limit: 1 }, tenant.call);
  expect([data.map(({ priority }) => priority), pagination?.total]).toEqual([[IssuePriority.HIGH], 2n]);
  expect((await issues.listMinimalIssues({}, newTenant().call)).data).toEqual([]);
});

test("an open issue absorbs duplicates: it counts them, adds new text, and takes the higher priority", async () => {
  const tenant = newTenant();
  const [testId = ""] = await tenant.record([{ taskId: newId() }]);
  const first = await tenant.create({ testId, description: "The fee is wrong" });
  expect(first).toMatchObject({ occurrences: 1, taskId: (await tenant.get(first.id))?.taskId });
  await tenant.create({ testId, description: "The fee is wrong", priority: IssuePriority.LOW });
  const same = await tenant.create({
    testId,
    title: "Rude",
    description: "And it is rude",
    priority: IssuePriority.HIGH,
  });
  expect(same).toMatchObject({ id: first.id, title: "Wrong fee", occurrences: 3, priority: IssuePriority.HIGH });
  expect(same.description).toBe("The fee is wrong\n\nRude\n\nAnd it is rude");
  for (const other of [{ source: IssueSource.API }, { type: IssueType.USER_SIGNAL }, { evalDefinitionId: newId() }])
    expect((await tenant.create({ testId, ...other })).id).not.toBe(first.id);
  await issues.updateIssues({ issueIds: [first.id], status: IssueStatus.RESOLVED }, tenant.call);
  expect((await tenant.create({ testId })).id).not.toBe(first.id);
  expect((await tenant.create()).id).not.toBe((await tenant.create()).id);
  expect((await newTenant().all()).length).toBe(0);
});

test("concurrent requests for the same issue create one", async () => {
  const tenant = newTenant();
  const request = { title: "a", source: IssueSource.TEST, evalDefinitionId: newId() };
  await Promise.all(Array.from({ length: 10 }, () => issues.createIssue(request, tenant.call)));
  expect(await tenant.all()).toMatchObject([{ occurrences: 10 }]);
});

test("a later passed test closes the issues that it disproves, and no others", async () => {
  const tenant = newTenant();
  const [taskId, evalDefinitionId, other] = [newId(), newId(), newId()];
  const judged = (definitionId: string, passed: boolean) => ({ definitionId, passed });
  const [testId = ""] = await tenant.record([
    { taskId, passed: false, evaluations: [judged(evalDefinitionId, false)] },
  ]);
  const ofTest = await tenant.create({ testId });
  const ofDefinition = await tenant.create({ testId, evalDefinitionId });
  const ofPerson = await tenant.create({ testId, source: IssueSource.HUMAN_ANNOTATION });
  const ofTask = await tenant.create({ taskId });
  const statuses = async () => {
    const of = new Map((await tenant.all()).map(({ id, status }) => [id, enumName(IssueStatusSchema, status)]));
    return [ofTest, ofDefinition, ofPerson, ofTask].map(({ id }) => of.get(id));
  };
  await tenant.record([{ taskId: other, passed: true, evaluations: [judged(evalDefinitionId, true)] }]);
  await tenant.record([{ taskId, passed: false, evaluations: [judged(other, true)] }]);
  const createdAt = { seconds: BigInt(Math.floor(clock.now().getTime() / 1000) - 60), nanos: 0 };
  await tenant.record([{ taskId, passed: true, createdAt, evaluations: [judged(evalDefinitionId, true)] }]);
  await newTenant().record([{ taskId, passed: true, evaluations: [judged(evalDefinitionId, true)] }]);
  expect(await statuses()).toEqual(["OPEN", "OPEN", "OPEN", "OPEN"]);
  const [pass = ""] = await tenant.record([{ taskId, passed: false, evaluations: [judged(evalDefinitionId, true)] }]);
  expect(await statuses()).toEqual(["OPEN", "RESOLVED", "OPEN", "OPEN"]);
  await tenant.record([{ taskId, passed: true }]);
  expect(await statuses()).toEqual(["RESOLVED", "RESOLVED", "OPEN", "OPEN"]);
  expect((await tenant.get(ofDefinition.id))?.resolvedByTestId).toBe(pass);

  const reopened = { id: ofDefinition.id, status: IssueStatus.OPEN };
  const { data } = await issues.updateIssue(reopened, tenant.call);
  expect([data?.status, data?.resolvedByTestId]).toEqual([IssueStatus.OPEN, undefined]);
});

test("a suggested task is accepted once: the task is created or changed, and the issue is resolved", async () => {
  const tenant = newTenant();
  const topicId = newId();
  const suggested = await tenant.create({ type: IssueType.SUGGESTED_TASK, topicId });
  const accept = (id: string, fields: object = {}, call = tenant.call) =>
    issues
      .acceptSuggestedTask({ id, title: "Ask fees", description: "A fee", ...fields }, call)
      .then(({ task }) => task);
  const made = await accept(suggested.id);
  expect(made).toMatchObject({ title: "Ask fees", description: "A fee", topicId, status: TaskStatus.ACTIVE });
  expect(await tenant.get(suggested.id)).toMatchObject({ taskId: made?.id, status: IssueStatus.RESOLVED });
  expect(await accept(suggested.id, { title: "Fees" })).toMatchObject({ id: made?.id, title: "Fees" });
  expect(harness.madeTasks.size).toBe(1);

  const bug = await tenant.create();
  await expect(accept(bug.id)).rejects.toMatchObject({ code: Code.FailedPrecondition });
  await expect(accept(suggested.id, {}, newTenant().call)).rejects.toMatchObject({ rawMessage: "Issue not found" });
});
