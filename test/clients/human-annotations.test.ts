import { newClient } from "./client.ts";
import { fixtures, make } from "./fixtures.ts";
import { from, type Operation, order, until } from "./operation.ts";
import { tryOperations } from "./page.ts";
import { annotationQueue, annotationQueueItem, humanAnnotation } from "./shapes/experiments.ts";
import { data, pageOf } from "./shapes/shared.ts";

const client = await newClient();
const { topic, traceId } = await fixtures(client);
const other = "00000000-0000-0000-0000-000000000000";
const critique = "It names a fee that was abolished last year.";
const { data: queue } = await make(client, "POST", "/v0/human-annotation-queues", { topicId: topic.id });
await make(client, "POST", `/v0/human-annotation-queues/${queue.id}/items`, { traceIds: [traceId] });
const { data: items } = await make(client, "GET", "/v0/human-annotation-queue-items");
const queueItemId = items[0].id;
const judged = { traceId, verdict: true, source: "REVIEW_QUEUE", queueItemId };
const { data: made } = await make(client, "POST", "/v0/human-annotations", judged);

const operations: Record<string, Operation> = {
  "human_annotations.create": {
    method: "POST",
    path: () => "/v0/human-annotations",
    status: 201,
    answer: data(humanAnnotation),
    required: () => judged,
    optional: () => ({ critique }),
    echo: (answer: { data: object }) => ({ ...answer.data }),
  },
  "human_annotations.update": {
    method: "PUT",
    path: () => `/v0/human-annotations/${made.id}`,
    status: 200,
    answer: data(humanAnnotation),
    required: () => ({ verdict: true }),
    optional: () => ({ critique }),
    echo: (answer: { data: object }) => ({ ...answer.data }),
  },
  "human_annotations.list": {
    method: "GET",
    path: () => "/v0/human-annotations",
    status: 200,
    answer: pageOf(humanAnnotation),
    query: {
      orderBy: order("createdAt", "modifiedAt", "verdict", "id"),
      traceId: { some: [traceId], none: [other] },
      annotatorId: { some: [made.annotatorId], none: [other] },
      source: { some: ["REVIEW_QUEUE"], none: ["TRACE_PAGE", "TEST_PAGE"] },
      queueItemId: { some: [queueItemId], none: [other] },
      verdict: { some: ["true"], none: ["false"] },
      startDate: from,
      endDate: until,
    },
  },
  "human_annotation_queues.list": {
    method: "GET",
    path: () => "/v0/human-annotation-queues",
    status: 200,
    answer: pageOf(annotationQueue),
    query: {
      topicId: { some: [topic.id], none: [other] },
      assignedToCurrentUser: { some: ["true", "false"] },
    },
  },
  "human_annotation_queue_items.list": {
    method: "GET",
    path: () => "/v0/human-annotation-queue-items",
    status: 200,
    answer: pageOf(annotationQueueItem),
    query: {
      queueId: { some: [queue.id], none: [other] },
      completion: { some: ["COMPLETED", "ACTIVE"], none: ["PENDING", "EXPIRED"] },
      traceId: { some: [traceId], none: [other] },
    },
  },
};

tryOperations(client, operations);
