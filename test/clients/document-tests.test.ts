import { newClient } from "./client.ts";
import { make } from "./fixtures.ts";
import { from, type Operation, order, until } from "./operation.ts";
import { tryOperations } from "./page.ts";
import { documentTest } from "./shapes/experiments.ts";
import { data, getPage } from "./shapes/shared.ts";

const client = await newClient();
const connection = { name: "Judge", provider: "openai", model: "gpt-4o-mini", apiKey: "sk-of-a-client-1234" };
await make(client, "POST", "/v0/model-connections", connection);
// Without a document, the application gets no prompt.
const { data: made } = await make(client, "POST", "/v0/documents/tests/trigger", { type: "DOCS_TO_TASKS_MAPPING" });

const operations: Record<string, Operation> = {
  "documents.tests.retrieve": {
    method: "GET",
    path: () => `/v0/documents/tests/${made.id}`,
    status: 200,
    answer: data(documentTest),
  },
  "documents.tests.list": {
    method: "GET",
    path: () => "/v0/documents/tests",
    status: 200,
    answer: getPage(documentTest),
    query: {
      orderBy: order("createdAt", "modifiedAt", "type", "status", "id"),
      type: { matching: ["DOCS_TO_TASKS_MAPPING"], none: ["MECE", "KNOWLEDGE_COVERAGE"] },
      status: { any: ["PENDING", "IN_PROGRESS", "FAILED"], none: ["COMPLETED"] },
      startDate: from,
      endDate: until,
      start: from,
      end: until,
    },
  },
};

tryOperations(client, operations);
