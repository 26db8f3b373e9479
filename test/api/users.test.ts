import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const organisation = `Bank ${newId()}`;
const { api } = await newTenant({ organisation });
await newTenant({ organisation, user: { name: "Zoë Ada", email: "zoe@bank.example" } });
await newTenant({ organisation, user: { name: "Bob 100%" } });
const names = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

test("GET /v0/users lists the organization's people, newest first", async () => {
  const { status, body } = await api.get("/v0/users");
  expect(status).toBe(200);
  expect(names(body)).toEqual(["Bob 100%", "Zoë Ada", "Operator"]);
  expect(body.data[1]).toEqual({
    id: expect.any(String),
    name: "Zoë Ada",
    email: "zoe@bank.example",
    image: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    modifiedAt: expect.any(String),
  });
  expect(body.data[0].email).toBeNull();
});

test("excludes people of other organizations", async () => {
  const other = await newTenant({ user: { name: "Only there" } });
  expect(names((await other.api.get("/v0/users")).body)).toEqual(["Only there"]);
  expect(names((await api.get("/v0/users?search=Only")).body)).toEqual([]);
});

test("is paged and ordered", async () => {
  const { body } = await api.get("/v0/users?skip=1&limit=1&orderBy=name&orderDir=asc");
  expect(names(body)).toEqual(["Operator"]);
  expect(body.pagination).toEqual({
    skip: 1,
    limit: 1,
    total: 3,
    totalPages: 3,
    totalCount: 3,
    nextCursor: expect.any(String),
  });
  for (const [query, status] of [
    ["limit=0", 400],
    ["limit=100", 200],
    ["limit=101", 400],
    ["skip=-1", 400],
    ["orderBy=email", 400],
    ["orderBy=modifiedAt", 200],
    ["name=a", 400],
  ] as const) {
    expect([query, (await api.get(`/v0/users?${query}`)).status]).toEqual([query, status]);
  }
});

test("search finds text in name and e-mail address, whatever the case", async () => {
  for (const [search, found] of [
    ["zOË", ["Zoë Ada"]],
    ["BANK.EXAMPLE", ["Zoë Ada"]],
    ["o", ["Bob 100%", "Zoë Ada", "Operator"]],
    ["0%", ["Bob 100%"]],
    ["_", []],
  ] as const) {
    const { body } = await api.get(`/v0/users?search=${encodeURIComponent(search)}`);
    expect([search, names(body)]).toEqual([search, found]);
  }
});

test("GET /v0/users/{id} returns the person", async () => {
  const [person] = (await api.get("/v0/users?search=zoe")).body.data;
  const { status, body } = await api.get(`/v0/users/${person.id}`);
  expect({ status, body }).toEqual({ status: 200, body: { data: person } });
});

test("an id is any text of 1-255 characters; one that is absent, or another organization's, is not found", async () => {
  const other = await newTenant();
  const [theirs] = (await other.api.get("/v0/users")).body.data;
  for (const id of [theirs.id, newId(), "auth0|4711", "a/b?c#d%", "x".repeat(255), "💛".repeat(255)]) {
    const { status, body } = await api.get(`/v0/users/${encodeURIComponent(id)}`);
    expect({ status, body }).toEqual({ status: 404, body: { message: "User not found" } });
  }
  const tooLong = await api.get(`/v0/users/${"x".repeat(256)}`);
  expect([tooLong.status, tooLong.body.issues[0]]).toMatchObject([400, { code: "too_big", path: ["id"] }]);
});

test("the API adds no people", async () => {
  expect((await api.post("/v0/users", { name: "Me" })).status).toBe(405);
});
