// API requests for review queues.

import { del, get, post, put, type Schemas } from "../api/request.ts";
import { listUrl, type SearchState } from "../url/list-url.ts";
import { flag, oneOf, type RawSearch, whole } from "../url/search.ts";

export type Queue = Schemas["HumanAnnotationQueue"];
export type QueueItem = Schemas["HumanAnnotationQueueItem"];
export type Criterion = NonNullable<QueueItem["criterion"]>;
export type Annotation = Schemas["HumanAnnotation"];
export type NewAnnotation = Schemas["CreateHumanAnnotationRequest"];

export const completions = ["PENDING", "COMPLETED", "EXPIRED"] as const;

/** `mine` limits the list to the current user's queues. */
export const queueUrl = listUrl(["createdAt"], { mine: flag });

export interface ItemSearch {
  /** State of the displayed items. Default: PENDING. */
  readonly completion?: (typeof completions)[number];
  /** Index of the displayed item, from 0. */
  readonly skip?: number;
}

export const itemSearch = (raw: RawSearch): ItemSearch => ({
  completion: oneOf(raw.completion, completions),
  skip: whole(raw.skip, 1),
});

export const refreshedByReviews = ["/v0/human-annotation", "/v0/issues", "/v0/definitions"] as const;

export function listQueues(search: SearchState<typeof queueUrl>) {
  const { mine, ...query } = queueUrl.query(search);
  return get("/v0/human-annotation-queues", { params: { query: { ...query, assignedToCurrentUser: mine } } });
}

export const getQueue = (id: string) => get("/v0/human-annotation-queues/{id}", { params: { path: { id } } });

/** Request for a page of all queues, which the API cannot search. There is one per topic and reviewer. */
export const allQueues = (after?: string) =>
  get("/v0/human-annotation-queues", { params: { query: { limit: 100, after } } });

export const createQueue = (body: Schemas["CreateHumanAnnotationQueueRequest"]) =>
  post("/v0/human-annotation-queues", { body });

export const updateQueue = ({ id, ...body }: { id: string } & Schemas["UpdateHumanAnnotationQueueRequest"]) =>
  put("/v0/human-annotation-queues/{id}", { params: { path: { id } }, body });
export const deleteQueue = (id: string) => del("/v0/human-annotation-queues/{id}", { params: { path: { id } } });

export const addItems = ({ id, ...body }: { id: string } & Schemas["AddHumanAnnotationQueueItemsRequest"]) =>
  post("/v0/human-annotation-queues/{id}/items", { params: { path: { id } }, body });

/** Request for the item at an index, counted from the oldest, and the total number. */
export const itemAt = (queueId: string, { completion = "PENDING", skip }: ItemSearch) =>
  get("/v0/human-annotation-queue-items", {
    params: { query: { queueId: [queueId], completion, skip, limit: 1, orderBy: "createdAt", orderDir: "asc" } },
  });

/** Request for the number of items in all queues. */
export const countItems = (completion: (typeof completions)[number]) =>
  get("/v0/human-annotation-queue-items", { params: { query: { completion, limit: 1 } } });

export const annotate = (body: NewAnnotation) => post("/v0/human-annotations", { body });

/** Request for the annotations of a queue item, newest first. */
export const listAnnotationsOfItem = (itemId: string) =>
  get("/v0/human-annotations", { params: { query: { queueItemId: [itemId], limit: 100 } } });

export const listAnnotations = (traceId: string) =>
  get("/v0/human-annotations", { params: { query: { traceId: [traceId], limit: 100 } } });
