import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const path = "/v0/annotations";

test("an annotation is created, read, changed, listed and deleted", async () => {
  const request = { title: "Release 7", description: "new model", createdAt: "2026-03-02T10:15:00.123456+01:00" };
  const created = await api.post(path, { ...request, traceStepId: null });
  expect(created.status).toBe(201);
  const { id, authorId } = created.body.data;
  expect(created.body.data).toEqual({
    id,
    applicationId,
    orgId,
    title: "Release 7",
    description: "new model",
    traceStepId: null,
    createdAt: "2026-03-02T09:15:00.123Z",
    modifiedAt: expect.any(String),
    authorId: expect.any(String),
    author: expect.objectContaining({ id: authorId }),
  });
  expect((await api.get(`${path}/${id}`)).body).toEqual(created.body);

  const changed = await api.send("PUT", `${path}/${id}`, {
    json: { description: null, createdAt: "2026-03-03T00:00:00Z" },
  });
  expect(changed.status).toBe(200);
  expect(changed.body.data).toMatchObject({
    title: "Release 7",
    description: null,
    createdAt: "2026-03-03T00:00:00.000Z",
  });
  expect((await api.get(`${path}?startDate=2026-03-03&endDate=2026-03-03`)).body.data).toEqual([changed.body.data]);
  expect((await api.get(`${path}?startDate=2026-03-04&endDate=`)).body.data).toEqual([]);

  expect((await api.send("DELETE", `${path}/${id}`)).status).toBe(204);
  for (const method of ["GET", "DELETE"]) {
    const { status, body } = await api.send(method, `${path}/${id}`);
    expect({ status, body }).toEqual({ status: 404, body: { message: "Annotation not found" } });
  }
});

test("a repeat under its key has no second effect", async () => {
  const headers = { "idempotency-key": newId() };
  const send = (title: string) => api.send("POST", path, { json: { title }, headers });
  const [first, repeat] = [await send("once"), await send("once")];
  expect([repeat.body, repeat.headers.get("idempotency-replayed")]).toEqual([first.body, "true"]);
  expect((await send("twice")).status).toBe(422);
  const all = (await api.get(path)).body.data.filter(({ title }: { title: string }) => title === "once");
  expect(all).toHaveLength(1);
});

test("lists every fault of a body and of a query at once", async () => {
  const faults = ({ body }: { body: { issues: { path: string[]; code: string }[] } }) =>
    body.issues.map(({ path, code }) => `${path.join(".")} ${code}`).sort();
  expect(faults(await api.post(path, { description: "x".repeat(10_001), createdAt: "x", traceStepId: "1" }))).toEqual([
    "createdAt invalid_string",
    "description too_big",
    "title invalid_type",
    "traceStepId invalid_string",
  ]);
  expect(faults(await api.get(`${path}?orderBy=description&limit=0&startDate=x&status=a`))).toEqual([
    "limit too_small",
    "orderBy invalid_enum_value",
    "startDate invalid_string",
    "status unrecognized_keys",
  ]);
});
