import { Code } from "@ems/kit/errors";
import { testCall } from "@ems/test-support";
import { testKeys } from "@ems/test-support/rpc-keys";
import { expect, test } from "vitest";
import { identityHarness } from "../../test/harness.ts";
import { identityConfig } from "../config.ts";

const { appConfig, applications, tenant, addTenant, database } = await identityHarness({
  ANALYTICS_HOST: "https://analytics.example.com",
  ANALYTICS_KEY: "public",
  ANALYTICS_CLOUD_IDENTIFIER: "eu",
});
const none = {
  crawlerEnabled: false,
  ocrEnabled: false,
  askAssistantEnabled: false,
  craEvidencePackEnabled: false,
  chatbotPlaygroundEnabled: false,
  sotaModelEnabled: false,
};
const unnamed = { ...tenant, isApplicationImplied: true } as const;
const notThere = { code: Code.NotFound, rawMessage: "Application not found" };

/** An application in the tenant's organization that may use optical character recognition. */
const sibling = (await applications.createApplication({ title: "Scans", slug: "scans" }, testCall(tenant))).data;
await database.sql("INSERT INTO identity.app_config (org_id, application_id, ocr_enabled) VALUES ($1, $2, true)", [
  tenant.orgId,
  sibling?.id,
]);

test("flags default to false, and the analytics are the installation's", async () => {
  const { data } = await appConfig.getAppConfig({}, testCall(tenant));
  expect(data).toMatchObject({
    ...none,
    analytics: { host: "https://analytics.example.com", key: "public", cloudIdentifier: "eu" },
  });
});

test("each flag is the application's own", async () => {
  const flags = Object.keys(none);
  for (const flag of flags) {
    const owner = await addTenant();
    const column = flag.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    await database.sql(`INSERT INTO identity.app_config (org_id, application_id, ${column}) VALUES ($1, $2, true)`, [
      owner.orgId,
      owner.applicationId,
    ]);
    const { data } = await appConfig.getAppConfig({}, testCall(owner));
    expect(data).toMatchObject({ ...none, [flag]: true });
  }
});

test("without the header, a slug of the organization selects the application", async () => {
  for (const request of [
    { applicationSlug: "scans" },
    { slug: "scans" },
    { applicationSlug: "scans", slug: "never-was" },
  ]) {
    const { data } = await appConfig.getAppConfig(request, testCall(unnamed));
    expect(data).toMatchObject({ ...none, ocrEnabled: true });
  }
});

test("with the header, the slug is ignored", async () => {
  for (const applicationSlug of ["scans", "never-was"]) {
    const { data } = await appConfig.getAppConfig({ applicationSlug }, testCall(tenant));
    expect(data).toMatchObject(none);
  }
});

test("without header and slug, the key's application is used", async () => {
  const { data } = await appConfig.getAppConfig({}, testCall({ ...unnamed, applicationId: sibling?.id ?? "" }));
  expect(data).toMatchObject({ ...none, ocrEnabled: true });
});

test("a slug that exists only in another organization is not found", async () => {
  const stranger = { ...(await addTenant()), isApplicationImplied: true } as const;
  for (const applicationSlug of ["scans", "never-was"]) {
    await expect(appConfig.getAppConfig({ applicationSlug }, testCall(stranger))).rejects.toMatchObject(notThere);
  }
});

test("analytics are empty texts unless configured, and their host is a URL", () => {
  const env = {
    RPC_PORT: "0",
    RPC_CALLERS: "gateway",
    ...testKeys,
    DATABASE_URL: "postgres://localhost/ems",
    RELAY_DATABASE_URL: "postgres://localhost/ems",
    API_KEY_PEPPERS: "x".repeat(32),
  };
  expect(identityConfig(env)).toMatchObject({ ANALYTICS_HOST: "", ANALYTICS_KEY: "", ANALYTICS_CLOUD_IDENTIFIER: "" });
  expect(() => identityConfig({ ...env, ANALYTICS_HOST: "javascript:alert(1)" })).toThrow(/ANALYTICS_HOST/);
});
