// An id in capitals is the same id in every comparison.

import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked();
const { api } = await product.tenant();

test("a key that is deleted with its id in capitals is refused at once", async () => {
  const { body } = await api.post("/v0/api-keys", { name: "leaked" });
  const leaked = api.as({ apiKey: body.data.key });
  expect((await leaked.get("/v0/topics")).status).toBe(200);
  expect((await api.delete(`/v0/api-keys/${body.data.id.toUpperCase()}`)).status).toBe(204);
  expect((await leaked.get("/v0/topics")).status).toBe(401);
});

test("a request that is repeated with its ids in capitals is the same request", async () => {
  const topic = await api.post("/v0/topics", { title: "Refunds" });
  const id: string = topic.body.data.id;
  const [headers, json] = [{ "idempotency-key": newId() }, { cascade: false }];
  const archive = (spelled: string) => api.send("POST", `/v0/topics/${spelled}/archive`, { headers, json });
  expect((await archive(id)).status).toBe(204);
  const repeat = await archive(id.toUpperCase());
  expect([repeat.status, repeat.headers.get("idempotency-replayed")]).toEqual([204, "true"]);
});

test("a trace and a step that are named in capitals are the same", async () => {
  const [traceId, id] = [newId(), newId()];
  const step = { type: "agent", traceId, id };
  await api.post("/v0/ingest", { events: [step] });
  const capitals = { ...step, traceId: traceId.toUpperCase(), id: id.toUpperCase() };
  await api.post("/v0/ingest", { events: [capitals, { ...capitals, id: newId(), parentId: id.toUpperCase() }] });
  const { data } = (await api.get(`/v0/traces/${traceId.toUpperCase()}`)).body;
  expect([data.stepCount, data.steps[1].parentId]).toEqual([2, id]);
});
