// Rate limits apply to the tenant, whichever port it uses.

import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { DocumentService } from "@ems/proto/catalog/v1/document_service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { expect, test } from "vitest";
import { startAttacked } from "../../harness/attacked-product.ts";

const product = await startAttacked("one", { RATE_LIMIT_PER_MINUTE: "1", RATE_LIMIT_BURST: "10" });
const transport = createGrpcTransport({ baseUrl: product.facts.grpcUrl });

test("tokens that one port takes are missing at the other", async () => {
  const { api, apiKey } = await product.tenant();
  const topics = createClient(TopicService, transport);
  const headers = { authorization: `Bearer ${apiKey}` };
  const byGrpc = () => topics.listTopics({}, { headers }).then(() => undefined, ConnectError.from);
  let answered = 0;
  let limited = await byGrpc();
  for (; limited === undefined; answered += 2) {
    expect((await api.get("/v0/topics")).status).toBe(200);
    limited = await byGrpc();
  }
  // The bucket has ten tokens and refills none within a minute.
  expect(answered).toBe(10);
  const answer = await api.get("/v0/topics");
  expect([answer.status, limited.code]).toEqual([429, Code.ResourceExhausted]);
  expect(limited.rawMessage).toBe(answer.body.message);
  expect(limited.metadata.get("retry-after")).toMatch(/^\d+$/);
});

test("413 is RESOURCE_EXHAUSTED", async () => {
  const { api, apiKey } = await product.tenant();
  const content = "x".repeat(2_000_000);
  const byRest = await api.post("/v0/documents", { title: "Large", content });
  const byGrpc = await createClient(DocumentService, transport)
    .createDocument({ title: "Large", content }, { headers: { authorization: `Bearer ${apiKey}` } })
    .catch(ConnectError.from);
  expect(byRest.status).toBe(413);
  expect(byGrpc).toMatchObject({ code: Code.ResourceExhausted });
});
