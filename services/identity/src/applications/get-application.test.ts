import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ApplicationEnvironment, ApplicationType } from "@ems/proto/identity/v1/application_service";
import { testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { identityHarness } from "../../test/harness.ts";

const { applications, tenant, addTenant } = await identityHarness();

test("any application of the organization can be read", async () => {
  const { data } = await applications.getApplication({ id: tenant.applicationId }, testCall(tenant));
  expect(data).toMatchObject({
    id: tenant.applicationId,
    orgId: tenant.orgId,
    title: "Support",
    type: ApplicationType.CHATBOT,
    environment: ApplicationEnvironment.PROD,
    humanAnnotationEnabled: true,
  });
  const sibling = { ...tenant, applicationId: newId() };
  await expect(applications.getApplication({ id: tenant.applicationId }, testCall(sibling))).resolves.toBeDefined();
});

test("another organization's application is not found, with the same error as if it did not exist", async () => {
  const other = await addTenant();
  for (const id of [other.applicationId, newId()]) {
    await expect(applications.getApplication({ id }, testCall(tenant))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Application not found",
    });
  }
});
