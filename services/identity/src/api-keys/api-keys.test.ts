import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { formKey, isKey, keyBytes } from "@ems/kit/api-key";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ApiKeyOrder } from "@ems/proto/identity/v1/api_key_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { outboxEvents, testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { identityHarness } from "../../test/harness.ts";
import { digestKey } from "./key.ts";

const { apiKeys, tenant, addTenant, database, clock, peppers } = await identityHarness();
const anonymous = { timeoutMs: 5_000 };
const refused = { code: Code.Unauthenticated, rawMessage: "Unauthorized" };

/** Adds a key that was hashed with the pepper used before the last rotation. */
async function addKeyOfOldPepper(key: string): Promise<void> {
  const { applicationId, orgId, userId } = tenant;
  await database.sql(
    `INSERT INTO identity.api_key (application_id, id, org_id, user_id, name, digest, display_prefix, created_at)
     VALUES ($1, $2, $3, $4, 'older', $5, 'ems_', now())`,
    [applicationId, newId(), orgId, userId, digestKey(key, peppers[1])],
  );
}

test("a new key is well-formed, works, and is stored as a digest only", async () => {
  const { data } = await apiKeys.createApiKey({ name: "CI" }, testCall(tenant));
  const key = data?.key ?? "";
  expect(isKey(key)).toBe(true);
  expect(await apiKeys.authenticate({ apiKey: key }, anonymous)).toMatchObject({ ...tenant, keyId: data?.id });

  const [row] = await database.sql<{ digest: Buffer; all: string }>(
    "SELECT digest, k::text AS all FROM identity.api_key k WHERE id = $1",
    [data?.id],
  );
  expect(row?.digest).toEqual(digestKey(key, peppers[0]));
  expect(row?.all).not.toContain(key.slice(4));
  const events = await outboxEvents(database, "identity", { type: "api_key.created" });
  expect(JSON.parse(events.at(-1)?.payload ?? "{}").data).toEqual({ id: data?.id, name: "CI" });
});

test("deleting a key is idempotent, revokes it and publishes one event", async () => {
  const { data } = await apiKeys.createApiKey({ name: "old" }, testCall(tenant));
  await apiKeys.deleteApiKey({ keyId: data?.id ?? "" }, testCall(tenant));
  await apiKeys.deleteApiKey({ keyId: data?.id ?? "" }, testCall(tenant));
  await apiKeys.deleteApiKey({ keyId: newId() }, testCall(tenant));
  await expect(apiKeys.authenticate({ apiKey: data?.key ?? "" }, anonymous)).rejects.toMatchObject(refused);
  const events = await database.sql("SELECT FROM identity.outbox WHERE type = 'api_key.deleted'");
  expect(events).toHaveLength(1);
});

test("another tenant's key is not deleted, and the response does not reveal that it exists", async () => {
  const other = await addTenant();
  const { data } = await apiKeys.createApiKey({ name: "theirs" }, testCall(other));
  await expect(apiKeys.deleteApiKey({ keyId: data?.id ?? "" }, testCall(tenant))).resolves.toBeDefined();
  await expect(apiKeys.authenticate({ apiKey: data?.key ?? "" }, anonymous)).resolves.toMatchObject(other);
});

test("unknown, malformed and mistyped keys are rejected with the same error", async () => {
  const unknown = formKey(Buffer.alloc(keyBytes, 1));
  for (const apiKey of [unknown, "", "ems_", "x".repeat(512), `${unknown.slice(0, -1)}!`]) {
    await expect(apiKeys.authenticate({ apiKey }, anonymous)).rejects.toMatchObject(refused);
  }
});

test("a key hashed under the previous pepper still works", async () => {
  const key = formKey(Buffer.alloc(keyBytes, 9));
  await addKeyOfOldPepper(key);
  await expect(apiKeys.authenticate({ apiKey: key }, anonymous)).resolves.toMatchObject(tenant);
});

test("many keys in one call each have a result, under either pepper or none", async () => {
  const [mine, foreign] = [await apiKeys.createApiKey({ name: "mine" }, testCall(tenant)), await addTenant()];
  const other = await apiKeys.createApiKey({ name: "theirs" }, testCall(foreign));
  const older = formKey(Buffer.alloc(keyBytes, 10));
  await addKeyOfOldPepper(older);
  const keys = [mine.data?.key ?? "", formKey(Buffer.alloc(keyBytes, 1)), "ems_", other.data?.key ?? "", older];
  const { results } = await apiKeys.authenticateKeys({ apiKeys: keys }, anonymous);
  const applications = results.map(({ owner }) => owner?.applicationId);
  const { applicationId } = tenant;
  expect(applications).toEqual([applicationId, undefined, undefined, foreign.applicationId, applicationId]);
  expect((await apiKeys.authenticateKeys({ apiKeys: [] }, anonymous)).results).toEqual([]);
});

test("the list has the application's keys, newest first, without their plaintext", async () => {
  const own = await addTenant();
  for (const name of ["b", "a"]) {
    clock.advance(1_000);
    await apiKeys.createApiKey({ name }, testCall(own));
  }
  const { data, pagination } = await apiKeys.listApiKeys({}, testCall(own));
  expect(data.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(pagination).toMatchObject({ skip: 0n, limit: 25, total: 2n });
  expect(data[0]).toMatchObject({ id: expect.any(String), prefix: expect.stringMatching(/^ems_.{4}$/) });
  expect(data[0]?.createdAt?.seconds).toBe(BigInt(clock.now().getTime() / 1000));
  expect(data[0]?.lastUsedAt).toBeUndefined();
  const byName = await apiKeys.listApiKeys(
    { orderBy: ApiKeyOrder.NAME, orderDir: OrderDirection.ASC, limit: 1 },
    testCall(own),
  );
  expect(byName.data.map(({ name }) => name)).toEqual(["a"]);
});

test("the time of the last use is stored to the minute", async () => {
  const create = async () => (await apiKeys.createApiKey({ name: "used" }, testCall(tenant))).data;
  const [key, later, latest] = [await create(), await create(), await create()];
  const use = (used: typeof key) => apiKeys.authenticate({ apiKey: used?.key ?? "" }, anonymous);
  const usedAt = async (used: typeof key) => {
    const text = "SELECT last_used_at AS at FROM identity.api_key WHERE id = $1";
    const [row] = await database.sql<{ at: Date | null }>(text, [used?.id]);
    return row?.at?.getTime();
  };
  const first = clock.now().getTime();
  await use(key);
  await expect.poll(() => usedAt(key)).toBe(first);
  clock.advance(59_000);
  await use(key);
  // Uses are written in order: if the later use is stored, an earlier one would be stored too.
  await use(later);
  await expect.poll(() => usedAt(later)).toBe(first + 59_000);
  expect(await usedAt(key)).toBe(first);
  clock.advance(1_000);
  await apiKeys.authenticateKeys({ apiKeys: [key?.key ?? "", latest?.key ?? ""] }, anonymous);
  await expect.poll(() => usedAt(latest)).toBe(first + 60_000);
  await expect.poll(() => usedAt(key)).toBe(first + 60_000);
});

test("a key keeps its scopes, and is unknown after its expiry, which must be in the future", async () => {
  const own = await addTenant();
  const at = (ms: number) => timestampFromMs(clock.now().getTime() + ms);
  const scopes = ["read", "otlp:write"];
  const expiresAt = at(5_000);
  const { data } = await apiKeys.createApiKey({ name: "short", scopes, expiresAt }, testCall(own));
  const authenticate = () => apiKeys.authenticate({ apiKey: data?.key ?? "" }, anonymous);
  expect(await authenticate()).toMatchObject({ ...own, scopes, expiresAt });
  expect((await apiKeys.listApiKeys({}, testCall(own))).data).toMatchObject([{ name: "short", scopes, expiresAt }]);
  const unlimited = await apiKeys.createApiKey({ name: "unlimited" }, testCall(own));
  clock.advance(5_000);
  await expect(authenticate()).rejects.toMatchObject(refused);
  const { results } = await apiKeys.authenticateKeys(
    { apiKeys: [data?.key ?? "", unlimited.data?.key ?? ""] },
    anonymous,
  );
  expect(results.map(({ owner }) => owner?.scopes)).toEqual([undefined, []]);
  const past = apiKeys.createApiKey({ name: "past", expiresAt: at(0) }, testCall(own));
  await expect(past).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("the number of keys is limited per application, even under concurrent calls", async () => {
  const few = await identityHarness({ API_KEYS_MAX: "3" });
  const other = await few.addTenant();
  await few.apiKeys.createApiKey({ name: "other" }, testCall(other));
  const create = () => few.apiKeys.createApiKey({ name: "one of many" }, testCall(few.tenant));
  const results = await Promise.allSettled(Array.from({ length: 8 }, create));
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason.rawMessage] : []));
  const message = "This application has the maximum of 3 API keys: delete one first";
  expect(refusals).toEqual(Array.from({ length: 5 }, () => message));
  await expect(create()).rejects.toMatchObject({ code: Code.FailedPrecondition });
  const [row] = await few.database.sql<{ id: string }>("SELECT id FROM identity.api_key WHERE application_id = $1", [
    few.tenant.applicationId,
  ]);
  await few.apiKeys.deleteApiKey({ keyId: row?.id ?? "" }, testCall(few.tenant));
  await create();
});
