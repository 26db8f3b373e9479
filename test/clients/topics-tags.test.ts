import { randomUUID } from "node:crypto";
import { z } from "zod";
import { newClient } from "./client.ts";
import { fixtures, make } from "./fixtures.ts";
import { type Operation, order } from "./operation.ts";
import { tryOperations } from "./page.ts";
import { tagList, topic } from "./shapes/catalog.ts";
import { data, getPage, tag } from "./shapes/shared.ts";

const client = await newClient();
const made = await fixtures(client);
const newTag = async () => (await make(client, "POST", "/v0/tags", { name: randomUUID() })).data.id as string;
const getData = (answer: { data: object }) => ({ ...answer.data });
const flag = { some: ["true", "false"] };

const topics: Record<string, Operation> = {
  "topics.create": {
    method: "POST",
    path: () => "/v0/topics",
    status: 201,
    answer: data(topic),
    required: () => ({ title: "Loans" }),
    optional: () => ({ baseline: 0.5, quickstartId: made.quickstart.id, status: "DRAFT" }),
    echo: getData,
    notEchoed: ["quickstartId"],
  },
  "topics.retrieve": {
    method: "GET",
    path: () => `/v0/topics/${made.topic.id}`,
    status: 200,
    answer: data(topic),
  },
  "topics.list": {
    method: "GET",
    path: () => "/v0/topics",
    status: 200,
    answer: getPage(topic),
    query: {
      orderBy: order("createdAt", "modifiedAt", "title", "status", "id"),
      isInScope: { any: flag.some },
      isKnowledgeBaseVerified: { any: flag.some },
      isPoliciesVerified: { any: flag.some },
      isTasksVerified: { any: flag.some },
      title: { matching: ["pay", "PAYM"], none: ["nothing of this"] },
    },
  },
};

const tags: Record<string, Operation> = {
  "tags.create": {
    method: "POST",
    path: () => "/v0/tags",
    status: 201,
    answer: data(tag),
    required: () => ({ name: randomUUID() }),
    optional: () => ({ color: "#FF8800", description: "of the release" }),
    echo: getData,
  },
  "tags.retrieve": { method: "GET", path: () => `/v0/tags/${made.tag.id}`, status: 200, answer: data(tag) },
  "tags.update": {
    method: "PUT",
    path: async () => `/v0/tags/${await newTag()}`,
    status: 200,
    answer: data(tag),
    required: () => ({ name: randomUUID() }),
    optional: () => ({ color: "#112233", description: "changed" }),
    echo: getData,
  },
  "tags.list": {
    method: "GET",
    path: () => "/v0/tags",
    status: 200,
    answer: getPage(tag),
    query: {
      orderBy: order("createdAt", "modifiedAt", "name", "status", "id"),
      search: { matching: ["smo", "SMOKE"], none: ["nothing of this"] },
    },
  },
  "tasks.tags.update": {
    method: "PUT",
    path: () => `/v0/tasks/${made.untagged.id}/tags`,
    status: 200,
    answer: tagList,
    required: () => ({ tagIds: [made.tag.id] }),
  },
  "tasks.tags.list": { method: "GET", path: () => `/v0/tasks/${made.task.id}/tags`, status: 200, answer: tagList },
  "documents.tags.update": {
    method: "PUT",
    path: () => `/v0/documents/${made.document.id}/tags`,
    status: 200,
    answer: tagList,
    required: () => ({ tagIds: [made.tag.id] }),
  },
  "documents.tags.list": {
    method: "GET",
    path: () => `/v0/documents/${made.document.id}/tags`,
    status: 200,
    answer: z.object({ data: z.array(tag).min(1) }),
  },
};

tryOperations(client, { ...topics, ...tags });
