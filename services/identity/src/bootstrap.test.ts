import { systemClock } from "@ems/kit/clock";
import { newId, secureRandom } from "@ems/kit/id";
import { expect, test } from "vitest";
import { bootstrap } from "./bootstrap.ts";
import { identityRig } from "./testing.ts";

const { database, apiKeys, peppers } = await identityRig();
const options = { ownerUrl: database.ownerUrl, peppers, clock: systemClock, newId, random: secureRandom };

test("names what is missing and makes it once; a second run makes no second key unless asked", async () => {
  const names = { organisation: "Retail bank", application: "Support assistant" };
  const first = await bootstrap({ ...options, ...names, always: false });
  expect(first.apiKey).toBeDefined();
  const again = await bootstrap({ ...options, ...names, always: false });
  expect(again).toEqual({ ...first, apiKey: undefined });
  const another = await bootstrap({ ...options, ...names, always: true });
  expect(another).toMatchObject({ orgId: first.orgId, applicationId: first.applicationId });
  expect(another.apiKey).not.toBe(first.apiKey);
  for (const apiKey of [first.apiKey, another.apiKey]) {
    const owner = await apiKeys.authenticate({ apiKey: apiKey ?? "" }, { timeoutMs: 5_000 });
    expect(owner).toMatchObject({ orgId: first.orgId, applicationId: first.applicationId });
  }
});

test("without names it takes what was there first", async () => {
  const [oldest] = await database.sql<{ id: string }>(
    "SELECT id FROM identity.organisation ORDER BY created_at LIMIT 1",
  );
  const { orgId } = await bootstrap({ ...options, always: false });
  expect(orgId).toBe(oldest?.id);
});
