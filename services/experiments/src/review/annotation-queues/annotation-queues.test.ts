import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import {
  HumanAnnotationQueueService,
  QueueItemCompletion,
} from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { HumanAnnotationService, HumanAnnotationSource } from "@ems/proto/experiments/v1/human_annotation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness, user } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { clock } = harness;
const tenant = { ...harness.tenant, userId: user.id };
const queues = harness.client(HumanAnnotationQueueService);
const dayMs = 86_400_000;

async function newTraces(count: number, of = tenant): Promise<string[]> {
  const events = Array.from({ length: count }, () => ({ type: "trace" }));
  const { data } = await harness.client(IngestService).ingestEvents({ events }, testCall(of));
  return data.map(({ id = "" }) => id);
}
async function newQueue(topicId = newId(), of = tenant) {
  const { data } = await queues.createHumanAnnotationQueue({ topicId, assigneeId: user.id }, testCall(of));
  if (data === undefined) throw new Error("no queue");
  return data;
}
const add = (id: string, traceIds: string[]) => queues.addHumanAnnotationQueueItems({ id, traceIds }, testCall(tenant));
const list = (request: Parameters<typeof queues.listHumanAnnotationQueues>[0], of = tenant) =>
  queues.listHumanAnnotationQueues(request, testCall(of)).then(({ data }) => data);
const items = (request: Parameters<typeof queues.listHumanAnnotationQueueItems>[0]) =>
  queues.listHumanAnnotationQueueItems(request, testCall(tenant)).then(({ data }) => data);
const judge = (traceId: string, queueItemId: string, userId = user.id) =>
  harness
    .client(HumanAnnotationService)
    .createHumanAnnotation(
      { traceId, queueItemId, verdict: true, source: HumanAnnotationSource.REVIEW_QUEUE },
      testCall({ ...tenant, userId }),
    );

test("a queue returns its topic, its assignee and its progress", async () => {
  const queue = await newQueue();
  expect(queue).toMatchObject({
    topicTitle: `Topic ${queue.topicId}`,
    pendingCount: 0,
    completedCount: 0,
    assigneeId: user.id,
    assigneeName: user.name,
    assigneeEmail: user.email,
  });
  const traces = await newTraces(3);
  expect(await add(queue.id, [...traces, ...traces])).toMatchObject({ count: 3, present: 0 });
  expect(await add(queue.id, traces.slice(1))).toMatchObject({ count: 0, present: 2 });
  const [item] = await items({ queueId: [queue.id], traceId: traces.slice(0, 1) });
  await judge(traces[0] ?? "", item?.id ?? "");
  await judge(traces[0] ?? "", item?.id ?? "", "grace");
  expect(await list({ topicId: [queue.topicId] })).toEqual([{ ...queue, pendingCount: 2, completedCount: 1 }]);
  const [completed] = await items({ queueId: [queue.id], completion: QueueItemCompletion.COMPLETED });
  expect(completed).toMatchObject({ id: item?.id, traceId: traces[0], queueId: queue.id });
  expect(completed?.completedAt).toBeDefined();
});

test("the caller's own queues are listed on request", async () => {
  const of = testTenant();
  const queue = await newQueue(newId(), of);
  expect((await list({}, of)).map(({ id }) => id)).toEqual([queue.id]);
  expect(await list({ assignedToCurrentUser: true }, of)).toEqual([]);
  expect(await list({ assignedToCurrentUser: true }, { ...of, userId: user.id })).toHaveLength(1);
  expect(await list({ topicId: [newId()] }, of)).toEqual([]);
});

test("items expire after 90 days and can be added again", async () => {
  const { id } = await newQueue();
  const [waiting = "", expired = ""] = await newTraces(2);
  await add(id, [expired]);
  const [item] = await items({ queueId: [id] });
  clock.advance(45 * dayMs);
  await add(id, [waiting]);
  clock.advance(45 * dayMs - 1);
  const at = async (completion: QueueItemCompletion) =>
    (await items({ queueId: [id], completion })).map(({ traceId }) => traceId).sort();
  expect(await at(QueueItemCompletion.EXPIRED)).toEqual([]);
  clock.advance(1);
  expect(await at(QueueItemCompletion.EXPIRED)).toEqual([expired]);
  expect(await at(QueueItemCompletion.PENDING)).toEqual([waiting]);
  expect(await at(QueueItemCompletion.ACTIVE)).toEqual([waiting]);
  expect((await list({})).find((queue) => queue.id === id)).toMatchObject({ pendingCount: 1, completedCount: 0 });
  await expect(judge(expired, item?.id ?? "")).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: "The queue item has expired",
  });

  expect(await add(id, [expired, waiting])).toMatchObject({ count: 1, present: 1 });
  expect(await at(QueueItemCompletion.PENDING)).toEqual([expired, waiting].sort());
  await judge(expired, item?.id ?? "");
  clock.advance(91 * dayMs);
  expect(await at(QueueItemCompletion.COMPLETED)).toEqual([expired]);
  expect(await at(QueueItemCompletion.ACTIVE)).toEqual([expired]);
  expect(await at(QueueItemCompletion.EXPIRED)).toEqual([waiting]);
});

test("only an annotation of its own trace completes an item", async () => {
  const { id } = await newQueue();
  const [queued = "", other = ""] = await newTraces(2);
  await add(id, [queued]);
  const [item] = await items({ queueId: [id] });
  const gone = { code: Code.NotFound, rawMessage: "Queue item not found" };
  await expect(judge(other, item?.id ?? "")).rejects.toMatchObject(gone);
  await expect(judge(queued, newId())).rejects.toMatchObject(gone);
  expect(await items({ queueId: [id], completion: QueueItemCompletion.PENDING })).toHaveLength(1);
});

test("an assignee has one queue per topic, and topic and assignee must exist", async () => {
  const { topicId } = await newQueue();
  await expect(newQueue(topicId.toUpperCase())).rejects.toMatchObject({ code: Code.AlreadyExists });
  const foreign = newId();
  harness.missing.add(foreign);
  await expect(newQueue(foreign)).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Topic not found" });
  const request = { topicId: newId(), assigneeId: "nobody" };
  await expect(queues.createHumanAnnotationQueue(request, testCall(tenant))).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: "User not found",
  });
});

const reassign = (id: string, assigneeId: string) =>
  queues.updateHumanAnnotationQueue({ id, assigneeId }, testCall(tenant)).then(({ data }) => data);
const remove = (id: string) => queues.deleteHumanAnnotationQueue({ id }, testCall(tenant));
const noQueue = { code: Code.NotFound, rawMessage: "Human annotation queue not found" };

test("a queue is reassigned with its items and progress, unless the new assignee has a queue of the topic", async () => {
  const topicId = newId();
  // Identity no longer has the user who makes this call.
  const { data: theirs } = await queues.createHumanAnnotationQueue({ topicId, assigneeId: user.id }, testCall(tenant));
  const id = theirs?.id ?? "";
  const [traceId = ""] = await newTraces(1);
  await add(id, [traceId]);
  expect(await reassign(id.toUpperCase(), user.id)).toEqual({ ...theirs, pendingCount: 1 });
  const gone = newId();
  await harness.database.sql(
    `INSERT INTO experiments.human_annotation_queue SELECT application_id, $2, org_id, topic_id, 'gone', created_at
      FROM experiments.human_annotation_queue WHERE id = $1`,
    [id, gone],
  );
  await expect(reassign(gone, user.id)).rejects.toMatchObject({ code: Code.AlreadyExists });
  await expect(reassign(gone, "nobody")).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "User not found" });
  await remove(id);
  expect(await reassign(gone, user.id)).toMatchObject({ id: gone, assigneeId: user.id, assigneeName: user.name });
  await expect(reassign(newId(), user.id)).rejects.toMatchObject(noQueue);
  const { id: foreign } = await newQueue(newId(), { ...testTenant(), userId: user.id });
  await expect(reassign(foreign, user.id)).rejects.toMatchObject(noQueue);
});

test("a queue is deleted with its items; annotations stay, and the topic can have a new queue", async () => {
  const queue = await newQueue();
  const [judged = "", waiting = ""] = await newTraces(2);
  await add(queue.id, [judged, waiting]);
  const [item] = await items({ queueId: [queue.id], traceId: [judged] });
  const { data: annotation } = await judge(judged, item?.id ?? "");
  const theirs = await newQueue(newId(), { ...testTenant(), userId: user.id });
  await expect(remove(theirs.id)).rejects.toMatchObject(noQueue);

  await remove(queue.id);
  expect([await list({ topicId: [queue.topicId] }), await items({ queueId: [queue.id] })]).toEqual([[], []]);
  const annotations = harness.client(HumanAnnotationService);
  const { data: stored } = await annotations.listHumanAnnotations({ traceId: [judged] }, testCall(tenant));
  expect(stored).toEqual([annotation]);
  await expect(judge(waiting, item?.id ?? "")).rejects.toMatchObject({ rawMessage: "Queue item not found" });
  for (const repeat of [remove(queue.id), add(queue.id, [waiting])])
    await expect(repeat).rejects.toMatchObject(noQueue);
  expect(await newQueue(queue.topicId)).toMatchObject({ pendingCount: 0, completedCount: 0 });
});

test("no items remain of a queue that is deleted while traces are added", async () => {
  const { id } = await newQueue();
  const traces = await newTraces(5);
  const [removed, ...added] = await Promise.allSettled([remove(id), ...traces.map((traceId) => add(id, [traceId]))]);
  expect(removed).toMatchObject({ status: "fulfilled" });
  for (const outcome of added.filter(({ status }) => status === "rejected"))
    expect(outcome).toMatchObject({ reason: noQueue });
  expect(await items({ traceId: traces })).toEqual([]);
});

test("a trace or a queue of another tenant is not found, and nothing is added", async () => {
  const { id } = await newQueue();
  const [ours = ""] = await newTraces(1);
  const [theirs = ""] = await newTraces(1, { ...testTenant(), userId: user.id });
  await expect(add(id, [ours, theirs])).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Trace not found" });
  expect(await items({ queueId: [id] })).toEqual([]);
  const { id: foreign } = await newQueue(newId(), { ...testTenant(), userId: user.id });
  const gone = { code: Code.NotFound, rawMessage: "Human annotation queue not found" };
  await expect(add(foreign, [ours])).rejects.toMatchObject(gone);
});
