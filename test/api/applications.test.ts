import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const own = await newTenant({ organisation: `Bank ${newId()}`, application: "Support: retail" });

test("GET /v0/applications/{id} returns the application", async () => {
  const { status, body } = await own.api.get(`/v0/applications/${own.applicationId}`);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    id: own.applicationId,
    orgId: own.orgId,
    title: "Support: retail",
    slug: "support-retail",
    description: "",
    context: "",
    language: null,
    type: "CHATBOT",
    environment: "DEV",
    humanAnnotationEnabled: false,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    modifiedAt: expect.any(String),
  });
});

test("an application that is absent, or another organisation's, is not found", async () => {
  const other = await newTenant();
  for (const id of [newId(), other.applicationId, "00000000-0000-0000-0000-000000000000"]) {
    const { status, body } = await own.api.get(`/v0/applications/${id}`);
    expect({ status, body }).toEqual({ status: 404, body: { message: "Application not found" } });
  }
});
