import { formKey, keyBytes } from "@ems/kit/api-key";
import { systemClock } from "@ems/kit/clock";
import { advisoryLocks } from "@ems/kit/db/advisory-locks";
import { newId, secureRandom } from "@ems/kit/id";
import { expect, test } from "vitest";
import { identityHarness } from "../test/harness.ts";
import { bootstrap } from "./bootstrap.ts";

const { database, apiKeys, peppers } = await identityHarness();
const options = { ownerUrl: database.ownerUrl, peppers, clock: systemClock, newId, random: secureRandom };

test("creates missing resources once; a second run issues no second key unless requested", async () => {
  const names = { organisation: "Retail bank", application: "Support assistant" };
  const first = await bootstrap({ ...options, ...names, always: false });
  expect(first.apiKey).toBeDefined();
  const repeat = await bootstrap({ ...options, ...names, always: false });
  expect(repeat).toEqual({ ...first, apiKey: undefined });
  const another = await bootstrap({ ...options, ...names, always: true });
  expect(another).toMatchObject({ orgId: first.orgId, applicationId: first.applicationId });
  expect(another.apiKey).not.toBe(first.apiKey);
  for (const apiKey of [first.apiKey, another.apiKey]) {
    const owner = await apiKeys.authenticate({ apiKey: apiKey ?? "" }, { timeoutMs: 5_000 });
    expect(owner).toMatchObject({ orgId: first.orgId, applicationId: first.applicationId });
  }
});

test("a configured key is issued to an application without keys, and not restored after its deletion", async () => {
  const apiKey = formKey(secureRandom(keyBytes));
  const names = { organisation: "Given", application: "Support assistant", always: true };
  const first = await bootstrap({ ...options, ...names, apiKey });
  expect(first.apiKey).toBe(apiKey);
  const owner = await apiKeys.authenticate({ apiKey }, { timeoutMs: 5_000 });
  expect(owner).toMatchObject({ orgId: first.orgId, applicationId: first.applicationId });
  expect(await bootstrap({ ...options, ...names, apiKey })).toEqual({ ...first, apiKey: undefined });

  const { apiKey: another = "" } = await bootstrap({ ...options, ...names });
  await database.sql("DELETE FROM identity.api_key WHERE application_id = $1 AND display_prefix = $2", [
    first.applicationId,
    apiKey.slice(0, 8),
  ]);
  expect(await bootstrap({ ...options, ...names, apiKey })).toEqual({ ...first, apiKey: undefined });
  await expect(apiKeys.authenticate({ apiKey }, { timeoutMs: 5_000 })).rejects.toThrow();
  await apiKeys.authenticate({ apiKey: another }, { timeoutMs: 5_000 });
});

test("two concurrent runs create one organization, one application and one key", async () => {
  const names = { organisation: "Twin", application: "Support assistant", always: false };
  const [first, second] = await Promise.all([1, 2].map(() => bootstrap({ ...options, ...names })));
  expect(second).toMatchObject({ orgId: first?.orgId, applicationId: first?.applicationId });
  expect([first?.apiKey, second?.apiKey].filter((key) => key === undefined)).toHaveLength(1);
});

test("a bootstrap does not wait for a reconciliation", async () => {
  await database.sql("SELECT pg_advisory_lock($1)", [advisoryLocks.reconciliation]);
  // The lock is held by the superuser's connections until they close.
  const { apiKey } = await bootstrap({ ...options, organisation: "Prompt", always: true });
  expect(apiKey).toBeDefined();
}, 5_000);

test("without names it uses the oldest resources", async () => {
  const [oldest] = await database.sql<{ id: string }>(
    "SELECT id FROM identity.organisation ORDER BY created_at LIMIT 1",
  );
  const { orgId } = await bootstrap({ ...options, always: false });
  expect(orgId).toBe(oldest?.id);
});

test("the requested user is found or created, and owns the new key", async () => {
  const organisation = "Insurer";
  const findOwner = async (user?: { name: string; email?: string }) => {
    const { apiKey = "" } = await bootstrap({ ...options, organisation, user, always: true });
    return (await apiKeys.authenticate({ apiKey }, { timeoutMs: 5_000 })).userId;
  };
  const operator = await findOwner();
  const ada = await findOwner({ name: "Ada", email: "ada@insurer.example" });
  expect(ada).not.toBe(operator);
  expect(await findOwner({ name: "Ada Lovelace", email: "ADA@insurer.example" })).toBe(ada);
  expect(await findOwner({ name: "Ada" })).toBe(ada);
  expect(await findOwner({ name: "Grace" })).not.toBe(ada);
  expect(await findOwner()).toBe(operator);
  const people = await database.sql(
    `SELECT u.name, u.email FROM identity.app_user u JOIN identity.organisation o ON o.id = u.org_id
     WHERE o.name = $1 ORDER BY u.created_at, u.id`,
    [organisation],
  );
  expect(people).toEqual([
    { name: "Operator", email: null },
    { name: "Ada", email: "ada@insurer.example" },
    { name: "Grace", email: null },
  ]);
});

test("an invalid user is refused with one message, and nothing is created", async () => {
  for (const user of [{ name: "" }, { name: "x".repeat(256) }, { name: "Ada", email: "ada" }]) {
    await expect(bootstrap({ ...options, organisation: "Refused", user, always: true })).rejects.toThrow(
      /^The user's (name|email): /,
    );
  }
  expect(await database.sql("SELECT FROM identity.organisation WHERE name = 'Refused'")).toEqual([]);
});

test("an application is found by its slug, or by its title if that has no slug", async () => {
  const organisation = "Slugs";
  const result = await bootstrap({ ...options, organisation, application: "Retail: support", always: false });
  const bySlug = await bootstrap({ ...options, organisation, application: "retail-support", always: false });
  expect(bySlug.applicationId).toBe(result.applicationId);
  const untranslated = await bootstrap({ ...options, organisation, application: "日本語", always: false });
  expect(await bootstrap({ ...options, organisation, application: "日本語", always: false })).toEqual({
    ...untranslated,
    apiKey: undefined,
  });
});
