import { z } from "zod";
import { newClient } from "./client.ts";
import { fixtures, make } from "./fixtures.ts";
import { type Fields, type Operation, order } from "./operation.ts";
import { tryOperations } from "./page.ts";
import { fact, styleGuide } from "./shapes/catalog.ts";
import { data, evalDefinition, getPage } from "./shapes/shared.ts";

const client = await newClient();
const made = await fixtures(client);
const getData = (answer: { data: object }) => ({ ...answer.data });
const created = async (body: object) => (await make(client, "POST", "/v0/definitions", body)).data.id as string;

const configs: Record<string, Fields> = {
  NATURALNESS: {},
  RECALL: {},
  STYLE: { styleGuideId: made.styleGuide.id },
  CUSTOM: { globalConfig: { criterion: "Is it polite?" } },
  FACT: { globalConfig: { groundTruth: "A transfer is free." } },
};

const outputMatches: Record<string, Fields> = {
  text: { type: "string" },
  "text by a pattern": { type: "string", extract: { pattern: "(\\d+)", flags: "g", group: 1 } },
  list: { type: "list", matchMode: "contains" },
  "list with everything": {
    type: "list",
    matchMode: "exact_unordered",
    extract: { pattern: "(a)(b)", flags: "", group: [1, 2] },
    passThreshold: 0.7,
    scoreMetric: "recall",
  },
};

const creation = (name: string, required: Fields): [string, Operation] => [
  `definitions.create, ${name}`,
  {
    method: "POST",
    path: () => "/v0/definitions",
    status: 201,
    answer: data(evalDefinition),
    required: () => ({ name, ...required }),
    optional: () => ({ quickstartId: made.quickstart.id }),
    echo: getData,
    notEchoed: ["quickstartId"],
  },
];

const creations = Object.fromEntries([
  ...Object.entries(configs).map(([type, config]) => creation(type, { type, ...config })),
  ...Object.entries(outputMatches).map(([name, globalConfig]) =>
    creation(`match of a ${name}`, { type: "OUTPUT_MATCH", globalConfig }),
  ),
]);

const link = (name: string, ids: Fields, optional?: Fields): [string, Operation] => [
  `definitions.${name}`,
  {
    method: "POST",
    path: () => `/v0/definitions/${name}`,
    status: 204,
    required: () => ({ evalIds: [made.match.id], ...ids }),
    ...(optional !== undefined && { optional: () => optional }),
  },
];

const further: Record<string, Operation> = {
  "definitions.update": {
    method: "PUT",
    path: async () =>
      `/v0/definitions/${await created({ name: "x", type: "CUSTOM", globalConfig: { criterion: "a" } })}`,
    status: 200,
    answer: data(evalDefinition),
    required: () => ({ name: "Changed" }),
    optional: () => ({ globalConfig: { criterion: "Is it short?" } }),
    echo: getData,
  },
  "definitions.update, style guide": {
    method: "PUT",
    path: async () =>
      `/v0/definitions/${await created({ name: "x", type: "STYLE", styleGuideId: made.styleGuide.id })}`,
    status: 200,
    answer: data(evalDefinition),
    required: () => ({ styleGuideId: made.styleGuide.id }),
    echo: getData,
  },
  "definitions.list": {
    method: "GET",
    path: () => "/v0/definitions",
    status: 200,
    answer: getPage(evalDefinition),
    query: {
      orderBy: order("createdAt", "modifiedAt", "name", "type", "id"),
      definitionStatus: { matching: ["ACTIVE"], any: ["DRAFT"] },
      quickstartId: { any: [made.quickstart.id] },
      search: { matching: [made.match.name.toUpperCase()], none: ["no definition has this name"] },
      styleGuideId: { none: [made.quickstart.id] },
      scopeType: { any: ["topic"], matching: ["application"] },
      status: { matching: ["COMPLETED"], none: ["PENDING"] },
      taskId: { matching: [made.task.id] },
      topicId: { none: [made.emptyTopic.id] },
      traceId: { matching: [made.traceId] },
      type: { matching: ["NATURALNESS", "OUTPUT_MATCH"] },
    },
  },
  "style_guides.create": {
    method: "POST",
    path: () => "/v0/style-guides",
    status: 201,
    answer: data(styleGuide),
    required: () => ({ content: [{ heading: "Tone", content: "# Brief", approved: true }] }),
    echo: getData,
  },
  "style_guides.create, approved null": {
    method: "POST",
    path: () => "/v0/style-guides",
    status: 201,
    answer: data(styleGuide),
    required: () => ({ content: [{ heading: "Tone", content: "# Brief", approved: null }] }),
  },
  "style_guides.retrieve": {
    method: "GET",
    path: () => `/v0/style-guides/${made.styleGuide.id}`,
    status: 200,
    answer: data(styleGuide),
  },
  "style_guides.update": {
    method: "PUT",
    path: () => `/v0/style-guides/${made.styleGuide.id}`,
    status: 200,
    answer: data(styleGuide),
    required: () => ({ content: [{ heading: "Words", content: "Use short ones.", approved: false }] }),
    echo: getData,
  },
  "style_guides.list": {
    method: "GET",
    path: () => "/v0/style-guides",
    status: 200,
    answer: getPage(styleGuide),
    query: { orderBy: order("createdAt", "modifiedAt", "id"), quickstartId: { any: [made.quickstart.id] } },
  },
  "facts.create": {
    method: "POST",
    path: () => "/v0/facts",
    status: 201,
    answer: data(fact),
    required: () => ({ statement: "A card is free.", scope: "TOPIC", status: "ACTIVE" }),
    optional: () => ({
      sourceQuote: "Cards are free.",
      sourceDocumentId: made.document.id,
      quickstartId: made.quickstart.id,
      generatedBy: "a model",
      topicIds: [made.topic.id],
    }),
    echo: getData,
  },
  "facts.create, bulk": {
    method: "POST",
    path: () => "/v0/facts/bulk",
    status: 201,
    answer: z.object({ count: z.int() }),
    required: () => ({ facts: [{ statement: "A card is free.", scope: "APPLICATION", status: "DRAFT" }] }),
  },
  "facts.retrieve": { method: "GET", path: () => `/v0/facts/${made.fact.id}`, status: 200, answer: data(fact) },
  "facts.update": {
    method: "PUT",
    path: () => `/v0/facts/${made.fact.id}`,
    status: 200,
    answer: data(fact),
    optional: () => ({
      statement: "Transfers are free.",
      status: "ACTIVE",
      isVerified: true,
      topicIds: [made.topic.id],
    }),
    echo: getData,
  },
  "facts.list": {
    method: "GET",
    path: () => "/v0/facts",
    status: 200,
    answer: getPage(fact),
    query: {
      orderBy: order("createdAt", "modifiedAt", "statement", "scope", "status", "id"),
      scope: { matching: ["TOPIC"] },
      status: { matching: ["ACTIVE"] },
      topicId: { matching: [made.topic.id], none: [made.emptyTopic.id] },
      quickstartId: { any: [made.quickstart.id] },
      includeTopics: { any: ["true", "false"] },
    },
  },
};

const links = Object.fromEntries([
  link("link", { taskIds: [made.untagged.id] }, { config: { expected: ["a", "b"] } }),
  link("unlink", { taskIds: [made.untagged.id] }),
  link("link-topics", { topicIds: [made.topic.id] }),
  link("unlink-topics", { topicIds: [made.topic.id] }),
  link("link-application", {}),
  link("unlink-application", {}),
]);

tryOperations(client, { ...creations, ...further, ...links });
