import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api } = await newTenant();

test("POST /v0/api-keys creates a key whose plaintext is in the answer, and that works", async () => {
  const { status, body, headers } = await api.post("/v0/api-keys", { name: "CI" });
  expect(status).toBe(201);
  expect(body).toEqual({
    data: { id: expect.any(String), key: expect.stringMatching(/^ems_[0-9A-Za-z]{49}$/), name: "CI" },
  });
  expect(headers.get("cache-control")).toBe("no-store");
  expect((await api.as({ apiKey: body.data.key }).get("/v0/topics")).status).toBe(200);
});

test("a key's name has 1-256 characters", async () => {
  for (const [name, status] of [
    ["", 400],
    ["x", 201],
    ["x".repeat(256), 201],
    ["💛".repeat(256), 201],
    ["x".repeat(257), 400],
  ] as const) {
    expect((await api.post("/v0/api-keys", { name })).status).toBe(status);
  }
});

test("GET /v0/api-keys lists the application's keys and never the keys themselves", async () => {
  const own = await newTenant();
  const { data: created } = (await own.api.post("/v0/api-keys", { name: "CI" })).body;
  const { status, body } = await own.api.get("/v0/api-keys?orderBy=name&orderDir=asc");
  expect(status).toBe(200);
  expect(body.pagination).toEqual({ skip: 0, limit: 25, total: 2, totalPages: 1, totalCount: 2, nextCursor: null });
  const listed = body.data.find(({ id }: { id: string }) => id === created.id);
  expect(listed).toEqual({
    id: created.id,
    name: "CI",
    createdAt: expect.stringMatching(/Z$/),
    lastUsedAt: null,
    prefix: created.key.slice(0, 8),
    scopes: [],
    expiresAt: null,
  });
  expect(JSON.stringify(body)).not.toContain(created.key.slice(8));
  await own.api.as({ apiKey: created.key }).get("/v0/topics");
  const lastUsedAt = async () => {
    const { data } = (await own.api.get("/v0/api-keys")).body;
    return data.find(({ id }: { id: string }) => id === created.id).lastUsedAt;
  };
  await expect.poll(lastUsedAt).toEqual(expect.any(String));
});

test("DELETE /v0/api-keys/{keyId} ends the key at once, and answers 204 whether or not it existed", async () => {
  const { data } = (await api.post("/v0/api-keys", { name: "short-lived" })).body;
  const user = api.as({ apiKey: data.key });
  expect((await user.get("/v0/topics")).status).toBe(200);
  for (const id of [data.id, data.id, newId()]) {
    const { status, body } = await api.delete(`/v0/api-keys/${id}`);
    expect({ status, body }).toEqual({ status: 204, body: undefined });
  }
  expect((await user.get("/v0/topics")).status).toBe(401);
});

test("a key with scopes may do what they say, and a key with an end is refused from then on", async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { data } = (await api.post("/v0/api-keys", { name: "CI", scopes: ["read", "api-key:write"], expiresAt })).body;
  const limited = api.as({ apiKey: data.key });
  expect((await limited.get("/v0/topics")).status).toBe(200);
  const refused = { status: 403, body: { message: "The API key lacks the scope topic:write" } };
  expect(await limited.post("/v0/topics", { title: "a" })).toMatchObject(refused);
  expect((await limited.post("/v0/api-keys", { name: "more" })).status).toBe(403);
  expect((await limited.post("/v0/api-keys", { name: "less", scopes: ["tag:read"], expiresAt })).status).toBe(201);
  for (const [wrong, path] of [
    [{ scopes: ["everything"] }, ["scopes", "0"]],
    [{ scopes: ["read", "read"] }, ["scopes"]],
    [{ expiresAt: "2020-01-01T00:00:00.000Z" }, ["expiresAt"]],
  ] as const) {
    const { status, body } = await api.post("/v0/api-keys", { name: "a", ...wrong });
    expect([status, body.issues[0].path.map(String)]).toEqual([400, path]);
  }
});

test("a request without a body may say that it is JSON", async () => {
  const sent = { headers: { "content-type": "application/json" } };
  expect((await api.delete(`/v0/api-keys/${newId()}`, sent)).status).toBe(204);
  expect((await api.delete(`/v0/api-keys/${newId()}`, { raw: "" })).status).toBe(204);
});

test("an id that is no UUID is reported with its name", async () => {
  const { status, body } = await api.delete("/v0/api-keys/123");
  expect(status).toBe(400);
  expect(body).toEqual({
    message: "Invalid request data",
    issues: [{ code: "invalid_string", message: "Invalid UUID", path: ["keyId"] }],
  });
});
