// EventService.Watch over the gRPC port, for a client without NATS.

import { newId } from "@ems/kit/id";
import { WatchStart } from "@ems/proto/notifications/v1/event_service";
import grpc from "@grpc/grpc-js";
import { afterAll, expect, inject, test, vi } from "vitest";
import { newTenant, type TestTenant } from "../harness/tenant.ts";
import { failure, follow, messages, nextEvent, type WatchClient, watchClient } from "../harness/watcher.ts";

vi.setConfig({ testTimeout: 120_000 });
const { grpcUrl } = inject("product");
const clients: WatchClient[] = [];
afterAll(() => {
  for (const client of clients) client.close();
});

function openClient({ apiKey }: Pick<TestTenant, "apiKey">): WatchClient {
  const client = watchClient(grpcUrl, apiKey);
  clients.push(client);
  return client;
}

/** `WATCH_EVENTS=1000` watches longer. */
const eventsMax = Number(process.env.WATCH_EVENTS ?? 350);

/** A new tenant has events about its key, too. */
const types = ["topic.created"];

async function createTopic({ api }: TestTenant, title = `Topic ${newId()}`): Promise<string> {
  const { status, body } = await api.post("/v0/topics", { title });
  expect(status).toBe(201);
  return body.data.id;
}

/** Creates topics from several clients at once. */
async function createTopics(tenant: TestTenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  const create = async () => {
    while (ids.length < count) ids.push(await createTopic(tenant));
  };
  await Promise.all(Array.from({ length: 8 }, create));
  return ids;
}

test("a client that goes and resumes at random gets every event, each once and in one order", async () => {
  const tenant = await newTenant();
  const client = openClient(tenant);
  const restless = follow({ client: () => client, types, messagesMax: () => Math.ceil(Math.random() * 60) });
  const calm = follow({ client: () => client, types, start: WatchStart.EARLIEST });
  const topics = await createTopics(tenant, eventsMax);
  await expect.poll(() => calm.ids.length).toBeGreaterThanOrEqual(topics.length);
  await expect.poll(() => restless.ids.at(-1)).toBe(calm.ids.at(-1));
  await restless.stop();
  await calm.stop();
  expect([restless.failure(), calm.failure()]).toEqual([undefined, undefined]);
  expect(new Set(calm.ids).size).toBe(topics.length);
  expect(restless.ids).toEqual(calm.ids.slice(-restless.ids.length));
  expect(restless.resumed()).toBeGreaterThan(3);
});

test("the first message is a heartbeat at once, the next are events with their content", async () => {
  const tenant = await newTenant();
  const stream = openClient(tenant).open({ types });
  const all = messages(stream);
  const { value: first } = await all.next();
  expect([first?.event, first?.resumeToken]).toEqual([undefined, expect.stringMatching(/^[\w-]+$/)]);
  const id = await createTopic(tenant, "Refunds");
  const { event } = await nextEvent(all);
  expect(event).toMatchObject({
    applicationId: tenant.applicationId,
    data: { case: "topicCreated", value: { id, title: "Refunds" } },
  });
  stream.cancel();
});

test("a filter leaves only events of its types; the token goes on past the others", async () => {
  const tenant = await newTenant();
  const client = openClient(tenant);
  const stream = client.open({ types: ["topic.archived"] });
  const all = messages(stream);
  await all.next();
  const [first] = await createTopics(tenant, 20);
  expect((await tenant.api.post(`/v0/topics/${first}/archive`, {})).status).toBe(204);
  const { event, resumeToken } = await nextEvent(all);
  expect(event?.data).toMatchObject({ case: "topicArchived", value: { id: first } });
  stream.cancel();
  const next = client.open({ resumeToken, types });
  const id = await createTopic(tenant);
  expect((await nextEvent(messages(next))).event?.data.value).toMatchObject({ id });
  next.cancel();
});

test("types that do not exist, or that no receiver gets, are refused by the field's name", async () => {
  const client = openClient(await newTenant());
  for (const type of ["topic.eaten", "people.assigned", ""]) {
    const { code, metadata } = await failure(client.open({ types: ["topic.created", type] }));
    expect([type, code]).toEqual([type, grpc.status.INVALID_ARGUMENT]);
    expect(String(metadata.get("grpc-status-details-bin")[0])).toContain("types");
  }
});

test("an application sees its own events only, and another one's token is refused", async () => {
  const [ours, theirs] = [await newTenant(), await newTenant()];
  const stream = openClient(ours).open({ types });
  const all = messages(stream);
  const { value: first } = await all.next();
  await createTopics(theirs, 5);
  const id = await createTopic(ours);
  expect((await nextEvent(all)).event?.data.value).toMatchObject({ id });
  stream.cancel();
  for (const resumeToken of [first?.resumeToken ?? "", "nonsense"]) {
    const { code, metadata } = await failure(openClient(theirs).open({ resumeToken }));
    expect(code).toBe(grpc.status.INVALID_ARGUMENT);
    expect(String(metadata.get("grpc-status-details-bin")[0])).toContain("resume_token");
  }
});

test("without a key there is no stream, and one ends soon after its key was deleted", async () => {
  const tenant = await newTenant();
  expect((await failure(watchClient(grpcUrl, "").open())).code).toBe(grpc.status.UNAUTHENTICATED);
  const { body } = await tenant.api.post("/v0/api-keys", { name: "Watcher" });
  const stream = openClient({ apiKey: body.data.key ?? body.key }).open();
  const ended = failure(stream);
  const keys = await tenant.api.get("/v0/api-keys");
  const { id } = keys.body.data.find(({ name }: { name: string }) => name === "Watcher");
  expect((await tenant.api.delete(`/v0/api-keys/${id}`)).status).toBeLessThan(300);
  expect((await ended).code).toBe(grpc.status.UNAUTHENTICATED);
});

test("a client's deadline is kept", async () => {
  const startedMs = Date.now();
  const stream = openClient(await newTenant()).open({}, { deadline: startedMs + 700 });
  expect((await failure(stream)).code).toBe(grpc.status.DEADLINE_EXCEEDED);
  expect(Date.now() - startedMs).toBeLessThan(20_000);
});

test("a slow reader delays no other and gets every event in the end", async () => {
  const tenant = await newTenant();
  const slow = openClient(tenant).open({ types, start: WatchStart.EARLIEST });
  const quickClient = openClient(tenant);
  const quick = follow({ client: () => quickClient, types, start: WatchStart.EARLIEST });
  const topics = await createTopics(tenant, 300);
  await expect.poll(() => quick.ids.length).toBe(topics.length);
  await quick.stop();
  const seen: string[] = [];
  for await (const { event } of messages(slow)) {
    if (event !== undefined) seen.push(event.id);
    if (seen.length === topics.length) break;
  }
  expect(seen).toEqual(quick.ids);
});

test("two hundred watchers of one application cost an idle one next to nothing", async () => {
  const [busy, idle] = [await newTenant(), await newTenant()];
  const own = openClient(idle).open({ types });
  const ownMessages = messages(own);
  await ownMessages.next();
  const [first, second] = [openClient(busy), openClient(busy)];
  const followers = Array.from({ length: 180 }, (_, index) =>
    follow({ client: () => (index % 2 === 0 ? first : second), types, start: WatchStart.EARLIEST }),
  );
  const loading = createTopics(busy, 60);
  const waits: number[] = [];
  for (let round = 0; round < 10; round++) {
    const startedMs = performance.now();
    const id = await createTopic(idle);
    expect((await nextEvent(ownMessages)).event?.data.value).toMatchObject({ id });
    waits.push(performance.now() - startedMs);
  }
  const topics = await loading;
  await expect.poll(() => followers.every(({ ids }) => ids.length === topics.length)).toBe(true);
  for (const follower of followers) await follower.stop();
  own.cancel();
  expect(waits.sort((a, b) => a - b)[5]).toBeLessThan(5_000);
});
