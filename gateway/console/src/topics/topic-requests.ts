// API requests of the topic pages.

import { get, patch, post, put, type Schemas, unconditional } from "../api/request.ts";
import { type TopicSearch, topicUrl } from "./topic-search.ts";

export type Topic = Schemas["Topic"];

/** Paths to refresh after a topic changes. */
export const refreshedByTopics = ["/v0/topics", "/v0/tasks", "/v0/reporting"] as const;

export const listTopics = (search: TopicSearch) => get("/v0/topics", { params: { query: topicUrl.query(search) } });
export const getTopic = (id: string) => get("/v0/topics/{id}", { params: { path: { id } } });
export const createTopic = (body: Schemas["CreateTopicRequest"]) => post("/v0/topics", { body });
export const updateTopic = ({ id, ...body }: { id: string } & Schemas["UpdateTopicRequest"]) =>
  put("/v0/topics/{id}", { params: { path: { id } }, body });
export const updateTopics = (body: Schemas["UpdateTopicsRequest"]) => unconditional(patch("/v0/topics", { body }));
export const archiveTopic = ({ id, cascade }: { id: string; cascade: boolean }) =>
  post("/v0/topics/{id}/archive", { params: { path: { id } }, body: { cascade } });
