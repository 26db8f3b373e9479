// Every operation of the specification exists under its exact path.

import { expect, inject, test } from "vitest";
import { openContract } from "../harness/contract.ts";

const specification = [
  "POST /v0/api-keys",
  "DELETE /v0/api-keys/{keyId}",
  "POST /v0/definitions/link-application",
  "POST /v0/definitions/unlink-application",
  "POST /v0/definitions/unlink-topics",
  "POST /v0/experiments",
  "POST /v0/quickstarts/{id}/assignments/bulk",
  "PUT /v0/quickstarts/{id}/contradictions/{contradictionId}",
  "POST /v0/topics",
  "POST /v0/topics/{id}/archive",
  "POST /v0/tasks/tags",
  "GET /v0/tasks/{id}/tags",
  "GET /v0/tags",
  "POST /v0/documents/status",
  "GET /v0/documents/{id}/versions",
  "POST /v0/style-guides",
  "GET /v0/app-config",
  "GET /v0/inference-steps",
  "GET /v0/applications/{id}",
  "GET /v0/traces/{id}",
  "POST /v0/reporting/query",
  "POST /v0/webhook",
  "GET /v0/webhook",
  "DELETE /v0/webhook",
  "POST /v0/feedback",
];

const { document } = await openContract(inject("product").baseUrl);
const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);

test("no operation of the specification is missing", () => {
  const routeNames = new Set(routes.map(({ name }) => name));
  expect(specification.filter((name) => !routeNames.has(name))).toEqual([]);
});

test("each operation is documented with what it is for, its statuses, and examples of its bodies", () => {
  const bare = routes.filter(({ operation }) => {
    const { summary, description, responses, requestBody } = operation;
    const statuses = Object.keys(responses);
    const bodies = [requestBody, ...Object.values(responses)].flatMap((body) =>
      body !== undefined && "content" in body ? Object.entries(body.content ?? {}) : [],
    );
    // Protobuf and files have no readable example.
    const readable = bodies.filter(
      ([type]) => !/^application\/(x-protobuf|octet-stream|vnd\.apache\.parquet)$/.test(type),
    );
    const withoutExample = readable.filter(([, body]) => !("example" in body));
    const hasDescription = (summary ?? "") !== "" && description !== summary;
    const isSuccess = (status: string) => status.startsWith("2");
    return (
      !hasDescription || statuses.filter(isSuccess).length !== 1 || statuses.length < 6 || withoutExample.length > 0
    );
  });
  expect(bare.map(({ name }) => name)).toEqual([]);
});
