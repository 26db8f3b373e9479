import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import {
  IssueOrder,
  IssuePriority,
  IssueService,
  IssueSource,
  IssueStatus,
  IssueType,
} from "@ems/proto/experiments/v1/issue_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, clock } = harness;
const issues = harness.client(IssueService);

type NewIssue = Parameters<typeof issues.createIssue>[0];

/** Creates an issue and returns its id. */
const create = async (fields: NewIssue, by = tenant) => {
  clock.advance(1_000);
  await issues.createIssue({ title: "Wrong fee", source: IssueSource.API, ...fields }, testCall(by));
  const { data } = await issues.listIssues({ limit: 1 }, testCall(by));
  return data[0]?.id ?? "";
};
const foundIds = async (filter: Parameters<typeof issues.listIssues>[0], by = tenant) =>
  (await issues.listIssues(filter, testCall(by))).data.map(({ id }) => id);

test("an issue stores all fields and references, and publishes an event", async () => {
  const annotation = await harness.client(AnnotationService).createAnnotation({ title: "a" }, testCall(tenant));
  const experiment = await harness.client(ExperimentService).createExperiment({ title: "e" }, testCall(tenant));
  const [taskId, topicId, evalDefinitionId] = [newId(), newId(), newId()];
  const results = await harness.client(TestService).recordResults({ tests: [{ taskId }] }, testCall(tenant));
  const fields = {
    title: "Wrong fee",
    description: "twice",
    source: IssueSource.TEST,
    type: IssueType.USER_SIGNAL,
    priority: IssuePriority.HIGH,
    taskId,
    topicId,
    evalDefinitionId,
    testId: results.testIds[0] ?? "",
    annotationId: annotation.data?.id ?? "",
    experimentId: experiment.data?.id ?? "",
    parentId: await create({}),
  };
  const id = await create(fields);
  const { data } = await issues.getIssue({ id }, testCall(tenant));
  expect(data).toMatchObject({ id, ...fields, status: IssueStatus.OPEN, issues: [] });
  const parent = await issues.getIssue({ id: fields.parentId }, testCall(tenant));
  expect(parent.data?.issues).toMatchObject([{ id, title: "Wrong fee", status: IssueStatus.OPEN }]);
  expect(await foundIds({ parentId: fields.parentId })).toEqual([id]);
  const events = await outboxEvents(harness.database, "experiments", { type: "issue.created", text: `"id":"${id}"` });
  expect(events).toHaveLength(1);
});

test("priority is MEDIUM and type BUG unless given", async () => {
  const { data } = await issues.getIssue({ id: await create({}) }, testCall(tenant));
  expect(data).toMatchObject({ priority: IssuePriority.MEDIUM, type: IssueType.BUG });
});

test("an issue that names a resource of another application is not created", async () => {
  const by = testTenant();
  const foreign = await create({});
  harness.missing.add(foreign);
  for (const [field, name] of [
    ["topicId", "Topic"],
    ["taskId", "Task"],
    ["evalDefinitionId", "Evaluation definition"],
    ["testId", "Test"],
    ["traceId", "Trace"],
    ["experimentId", "Experiment"],
    ["annotationId", "Annotation"],
    ["parentId", "Issue"],
  ] as const) {
    const request = { title: "a", source: IssueSource.API, [field]: foreign };
    await expect(issues.createIssue(request, testCall(by))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: `${name} not found`,
    });
  }
  expect(await foundIds({}, by)).toEqual([]);
});

test("lists by status, priority, source, type and assignee; priority sorts by urgency", async () => {
  const by = testTenant();
  const low = await create({ priority: IssuePriority.LOW, source: IssueSource.MONITORING }, by);
  const high = await create({ priority: IssuePriority.HIGH, type: IssueType.SUGGESTED_TASK }, by);
  const medium = await create({}, by);
  expect(await foundIds({ orderBy: IssueOrder.PRIORITY }, by)).toEqual([high, medium, low]);
  expect(await foundIds({ priority: [IssuePriority.LOW, IssuePriority.HIGH] }, by)).toEqual([high, low]);
  expect(await foundIds({ source: [IssueSource.MONITORING] }, by)).toEqual([low]);
  expect(await foundIds({ type: [IssueType.SUGGESTED_TASK] }, by)).toEqual([high]);
  expect(await foundIds({ status: [IssueStatus.RESOLVED] }, by)).toEqual([]);
  expect(await foundIds({ status: [IssueStatus.OPEN] }, by)).toHaveLength(3);
  expect(await foundIds({ assignedTo: "ada" }, by)).toEqual([]);
});

test("another tenant's issue is not found, and not listed", async () => {
  const id = await create({}, testTenant());
  await expect(issues.getIssue({ id }, testCall(tenant))).rejects.toMatchObject({ code: Code.NotFound });
  expect(await foundIds({}, tenant)).not.toContain(id);
});
