import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const services = ["identity", "catalog", "traces", "experiments", "evaluation", "reporting", "notifications"];

test("GET /v0/health has a finding of each service, and the gateway's time", async () => {
  const { api } = await newTenant();
  const { status, body } = await api.get("/v0/health");
  expect(status).toBe(200);
  expect(body.data.status).toBe("OK");
  expect(Math.abs(Date.now() - Date.parse(body.data.time))).toBeLessThan(60_000);
  expect(body.data.findings).toEqual(
    services.map((name) => ({ name, status: "OK", detail: "The service responds.", advice: null })),
  );
});

test("a spent budget of the caller's own application is a finding", async () => {
  const [{ api }, other] = [await newTenant(), await newTenant()];
  await api.send("PUT", "/v0/evaluation-settings", { json: { budgets: { day: { tokens: 0 } } } });
  const { body } = await api.get("/v0/health");
  expect(body.data.status).toBe("FAILURE");
  expect(body.data.findings.filter(({ status }: { status: string }) => status !== "OK")).toEqual([
    {
      name: "budgets",
      status: "FAILURE",
      detail: "100 % of the budget of the day is spent today.",
      advice: expect.stringContaining("PUT /v0/evaluation-settings"),
    },
  ]);
  expect((await other.api.get("/v0/health")).body.data.status).toBe("OK");
});
