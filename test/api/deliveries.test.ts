import { newId } from "@ems/kit/id";
import { expect, test, vi } from "vitest";
import { nowhere } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const other = await newTenant();
const list = "/v0/webhook/deliveries";
await api.post("/v0/webhook", { url: nowhere });
const { body: created } = await api.post("/v0/topics", { title: "delivered" });

/** Waits for the event of that type; returns its delivery. */
const awaitDelivery = (type: string) =>
  vi.waitFor(
    async () => {
      const { body } = await api.get(`${list}?type=${type}`);
      if (body.data.length === 0) throw new Error(`no ${type} has come yet`);
      return body.data[0];
    },
    { timeout: 60_000, interval: 50 },
  );

test("a change becomes a delivery of its event", async () => {
  const delivery = await awaitDelivery("topic.created");
  const { status, body } = await api.get(`${list}/${delivery.id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    data: { id: delivery.id, type: "topic.created", createdAt: delivery.createdAt },
    event: {
      id: delivery.id,
      type: "topic.created",
      timestamp: expect.any(String),
      applicationId,
      orgId,
      data: { id: created.data.id, title: "delivered" },
    },
    attempts: expect.any(Array),
  });
});

test("deliveries are listed with filters and pages", async () => {
  await awaitDelivery("topic.created");
  const { status, body } = await api.get(`${list}?limit=1&orderDir=asc`);
  expect(status).toBe(200);
  expect(body.data).toHaveLength(1);
  expect(body.pagination).toMatchObject({ skip: 0, limit: 1, total: expect.any(Number) });
  const future = new Date(Date.now() + 60_000).toISOString();
  for (const nothing of [
    `startDate=${future}`,
    "type=topic.archived",
    "status=CANCELLED",
    `testId=${newId()}`,
    "kind=PROMPT",
  ]) {
    expect([nothing, (await api.get(`${list}?${nothing}`)).body.data]).toEqual([nothing, []]);
  }
  const { body: faults } = await api.get(
    `${list}?status=GONE&limit=101&orderBy=type&startDate=yesterday&search=x&testId=x`,
  );
  const paths = faults.issues.map(({ path }: { path: string[] }) => path.join("."));
  expect(paths.sort()).toEqual(["limit", "orderBy", "search", "startDate", "status.0", "testId.0"]);
  expect((await other.api.get(list)).body.data).toEqual([]);
});

test("a delivery is sent again, and only by its application", async () => {
  const { id } = await awaitDelivery("topic.created");
  const { status, body } = await api.post(`${list}/${id}/resend`);
  expect([status, body.data.id, body.data.status]).toEqual([200, id, "PENDING"]);
  for (const unknown of [id, newId()]) {
    const answer = await other.api.post(`${list}/${unknown}/resend`);
    expect([answer.status, answer.body]).toEqual([404, { message: "Delivery not found" }]);
  }
});

test("recovering wants a webhook and a time of the last 14 days", async () => {
  const recover = (since: unknown, by = api) => by.post("/v0/webhook/recover", { since });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const { status, body } = await recover(daysAgo(13));
  expect([status, body]).toEqual([200, { count: expect.any(Number) }]);
  const bare = await recover(daysAgo(1), other.api);
  expect([bare.status, bare.headers.get("x-should-retry")]).toEqual([422, "false"]);
  for (const [since, message] of [
    [daysAgo(15), "must be at most 14 days ago"],
    [daysAgo(-1), "must not be in the future"],
    ["yesterday", "Invalid datetime"],
    [null, "Required"],
  ]) {
    const { body: answer } = await recover(since);
    expect(answer.issues).toMatchObject([{ message, path: ["since"] }]);
  }
});

test("deleting the webhook leaves nothing pending", async () => {
  await api.delete("/v0/webhook");
  expect((await api.get(`${list}?status=PENDING`)).body.data).toEqual([]);
});
