import { Code } from "@ems/kit/errors";
import { UserOrder } from "@ems/proto/identity/v1/user_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeAll, describe, expect, test } from "vitest";
import { identityHarness } from "../../test/harness.ts";

const { users, tenant, addTenant, clock, database } = await identityHarness();
const names = (list: { data: { name: string }[] }) => list.data.map(({ name }) => name);
const unknown = { code: Code.NotFound, rawMessage: "User not found" };

describe("a new user", () => {
  test("is read with all of its fields, under a generated id", async () => {
    const caller = await addTenant();
    const request = { name: "Grace", email: "grace@example.com", image: "https://example.com/grace.png" };
    const { data } = await users.createUser(request, testCall(caller));
    expect(data).toMatchObject({ ...request, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect((await users.getUser({ id: data?.id ?? "" }, testCall(caller))).data).toEqual(data);
    const { users: found } = await users.batchGetUsers({ ids: [data?.id ?? ""] }, testCall(caller));
    expect(found).toMatchObject([request]);
  });

  test("may have a requested id of 1-255 characters of any kind", async () => {
    const caller = await addTenant();
    for (const id of ["x", "auth0|4711", "a/b ?#%", "💛".repeat(255)]) {
      const { data } = await users.createUser({ id, name: "Someone" }, testCall(caller));
      expect(data).toMatchObject({ id, name: "Someone" });
      expect(data?.email).toBeUndefined();
      expect((await users.getUser({ id }, testCall(caller))).data).toEqual(data);
    }
  });

  test("with an ID that is taken in the organization is a conflict", async () => {
    const [firstTenant, secondTenant] = [await addTenant(), await addTenant()];
    await users.createUser({ id: "ada", name: "Ada" }, testCall(firstTenant));
    await expect(users.createUser({ id: "ada", name: "Other" }, testCall(firstTenant))).rejects.toMatchObject({
      code: Code.AlreadyExists,
      rawMessage: "The user id is taken",
    });
    expect((await users.getUser({ id: "ada" }, testCall(firstTenant))).data?.name).toBe("Ada");
    await expect(users.createUser({ id: "ada", name: "Other" }, testCall(secondTenant))).resolves.toBeDefined();
  });

  test("has a name, a valid address, and a URL for a picture", async () => {
    for (const wrong of [
      { name: "" },
      { name: "x".repeat(256) },
      { name: "x", email: "nobody" },
      { name: "x", image: "not a url" },
      { name: "x", id: "" },
      { name: "x", id: "x".repeat(256) },
    ]) {
      await expect(users.createUser(wrong, testCall(tenant))).rejects.toMatchObject({ code: Code.InvalidArgument });
    }
  });
});

describe("the list", () => {
  beforeAll(async () => {
    await database.sql("UPDATE identity.app_user SET created_at = '2026-01-01' WHERE org_id = $1", [tenant.orgId]);
    for (const [name, email] of [
      ["Zoë 50%", "z_1@example.com"],
      ["Bob", "BOB@corp.example"],
      ["Carla", undefined],
    ] as const) {
      clock.advance(1_000);
      await users.createUser({ name, ...(email && { email }) }, testCall(tenant));
    }
  });

  test("has the organization's users, newest first, 25 per page", async () => {
    const list = await users.listUsers({}, testCall(tenant));
    expect(names(list)).toEqual(["Carla", "Bob", "Zoë 50%", "Ada"]);
    expect(list.pagination).toMatchObject({ skip: 0n, limit: 25, total: 4n, totalPages: 1n, totalCount: 4n });
  });

  test("is searched by name or email address, in any case, with LIKE's special characters as literals", async () => {
    for (const [search, found] of [
      ["", ["Carla", "Bob", "Zoë 50%", "Ada"]],
      ["bob", ["Bob"]],
      ["CORP.", ["Bob"]],
      ["example.com", ["Zoë 50%", "Ada"]],
      ["ZOË", ["Zoë 50%"]],
      ["%", ["Zoë 50%"]],
      ["_", ["Zoë 50%"]],
      ["\\", []],
      ["nobody", []],
    ] as const) {
      expect([search, names(await users.listUsers({ search }, testCall(tenant)))]).toEqual([search, found]);
    }
  });

  test("every order ends in id, so that pages neither overlap nor skip", async () => {
    for (const orderBy of [UserOrder.CREATED_AT, UserOrder.MODIFIED_AT, UserOrder.NAME, UserOrder.ID]) {
      for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
        const all = await users.listUsers({ orderBy, orderDir }, testCall(tenant));
        const pages = await Promise.all(
          [0n, 1n, 2n, 3n, 4n].map((skip) => users.listUsers({ orderBy, orderDir, skip, limit: 1 }, testCall(tenant))),
        );
        expect(pages.flatMap(names)).toEqual(names(all));
      }
    }
  });

  test("is separate for each organization", async () => {
    expect(names(await users.listUsers({}, testCall(testTenant())))).toEqual([]);
    expect(names(await users.listUsers({}, testCall(await addTenant())))).toEqual(["Ada"]);
  });
});

test("another organization's user is not found, with the same error as if it did not exist", async () => {
  const { data } = await users.createUser({ id: "only-here", name: "Here" }, testCall(await addTenant()));
  for (const id of [data?.id ?? "", "never-was"]) {
    await expect(users.getUser({ id }, testCall(tenant))).rejects.toMatchObject(unknown);
  }
});

test("users are found by ID within the organization; unknown ones are omitted", async () => {
  const other = await addTenant();
  const found = await users.batchGetUsers({ ids: [tenant.userId, "nobody"] }, testCall(tenant));
  expect(found.users).toMatchObject([{ id: tenant.userId, name: "Ada", email: "ada@example.com" }]);
  expect((await users.batchGetUsers({ ids: ["x"] }, testCall(other))).users).toEqual([]);
});
