import { newClient } from "./client.ts";
import { fixtures, make } from "./fixtures.ts";
import { from, type Operation, order, until } from "./operation.ts";
import { tryOperations } from "./page.ts";
import { annotationQueue, annotationQueueItem, humanAnnotation } from "./shapes/experiments.ts";
import { data, getPage } from "./shapes/shared.ts";

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
    answer: getPage(humanAnnotation),
    query: {
      orderBy: order("createdAt", "modifiedAt", "verdict", "id"),
      traceId: { matching: [traceId], none: [other] },
      annotatorId: { matching: [made.annotatorId], none: [other] },
      source: { matching: ["REVIEW_QUEUE"], none: ["TRACE_PAGE", "TEST_PAGE"] },
      queueItemId: { matching: [queueItemId], none: [other] },
      verdict: { matching: ["true"], none: ["false"] },
      startDate: from,
      endDate: until,
    },
  },
  "human_annotation_queues.list": {
    method: "GET",
    path: () => "/v0/human-annotation-queues",
    status: 200,
    answer: getPage(annotationQueue),
    query: {
      topicId: { matching: [topic.id], none: [other] },
      assignedToCurrentUser: { matching: ["true", "false"] },
    },
  },
  "human_annotation_queue_items.list": {
    method: "GET",
    path: () => "/v0/human-annotation-queue-items",
    status: 200,
    answer: getPage(annotationQueueItem),
    query: {
      queueId: { matching: [queue.id], none: [other] },
      completion: { matching: ["COMPLETED", "ACTIVE"], none: ["PENDING", "EXPIRED"] },
      traceId: { matching: [traceId], none: [other] },
    },
  },
};

tryOperations(client, operations);
