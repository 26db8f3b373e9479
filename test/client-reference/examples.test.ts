// Every example of the document is a valid request, once its ids are replaced by those of existing resources.

import { expect, inject, test } from "vitest";
import { openContract } from "../harness/contract.ts";
import { addMember } from "../harness/members.ts";
import { newTenant } from "../harness/tenant.ts";
import { ExampleRequests, inOrder } from "./example-requests.ts";
import { Ids } from "./ids.ts";
import { getOperations } from "./operations.ts";
import { send } from "./requests.ts";

const { document } = await openContract(inject("product").baseUrl);
const tenant = await newTenant({ user: { email: "ada@example.com", name: "Ada" } });
const { api } = tenant;
// Resources without a creating example: a sign-in creates members, and the example of an erasure is a dry run.
for (const role of ["OWNER", "OWNER"] as const) await addMember(tenant, role);
await api.post("/v0/erasures", { user: "customer-7" });
await api.post("/v0/ingest", { events: [{ type: "trace", metadata: { "session.id": "conversation 7" } }] });
const ownKeys = (await api.get("/v0/api-keys")).body.data.map(({ id }: { id: string }) => id);
const examples = new ExampleRequests(new Ids(ownKeys));
const operations = inOrder(getOperations(document));
// Creations refer to each other; complete ones are not sent twice.
const complete = await examples.create(api, operations);

/** Operations whose resources no example creates. */
const withoutResource = new Set([
  // An exact copy needs exported rows and an empty application.
  ...["POST /v0/transfer/catalog", "POST /v0/transfer/results", "POST /v0/transfer/traces"],
  // The example of a deletion is a dry run, and the hash of an attachment is that of its content.
  ...["GET /v0/traces/deletions/{id}", "GET /v0/traces/{id}/attachments/{hash}"],
]);
const named = operations
  .filter(({ name }) => !withoutResource.has(name))
  .map((operation) => [operation.name, operation] as const);

test.each(named)("the example of %s works", async (_name, operation) => {
  const request = examples.request(operation);
  const { status, body } = complete.get(operation) ?? (await send(api, operation, request));
  // A variant's permitted actions depend on its run, which ends on its own.
  const isOvertaken = status === 409 && operation.path.includes("{variantId}");
  expect(isOvertaken ? 200 : status, JSON.stringify(body)).toBeLessThan(300);
  examples.learn(operation, request, body);
});
