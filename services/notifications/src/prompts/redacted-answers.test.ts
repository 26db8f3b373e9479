import { inProcessBus } from "@ems/kit/events/in-process-bus";
import { newId } from "@ems/kit/id";
import type { RecordPromptOutcomeRequest } from "@ems/proto/experiments/v1/execution_service";
import { BuiltInPattern } from "@ems/proto/experiments/v1/ingest_settings_service";
import { DeliveryService } from "@ems/proto/notifications/v1/delivery_service";
import { WebhookService } from "@ems/proto/notifications/v1/webhook_service";
import { placesOfText, testCall, testEvent, testTenant } from "@ems/test-support";
import { startWebhookNetwork } from "@ems/test-support/webhook-network";
import { afterAll, expect, test, vi } from "vitest";
import { notificationsHarness } from "../../test/harness.ts";

const network = await startWebhookNetwork();
afterAll(() => network.close());
const bus = inProcessBus();
const outcomes: RecordPromptOutcomeRequest[] = [];
const experiments = { isUp: true, requests: 0 };
const redactions = [{ name: "EMAIL", builtIn: BuiltInPattern.EMAIL, replacement: "[email]", enabled: true }];
const ingestSettings = () => {
  experiments.requests++;
  if (!experiments.isUp) throw new Error("experiments is down");
  return { redactions };
};
const onOutcome = (request: RecordPromptOutcomeRequest) => void outcomes.push(request);
const { client, clock, database } = await notificationsHarness(network.env, { bus, onOutcome, ingestSettings });
const soon = { timeout: 60_000, interval: 20 };
vi.setConfig({ testTimeout: 90_000 });

/** Requests a prompt from an application that answers with the body; returns the ID of the prompt's test. */
async function requestPrompt(host: string, body: string) {
  const tenant = testTenant();
  const { applicationId, orgId } = tenant;
  const receiver = await network.receiver(host);
  await client(WebhookService).setWebhook({ url: `${receiver.origin}/prompts` }, testCall(tenant));
  receiver.behave(({ headers }) => {
    const isPrompt = headers["ems-delivery"] === "prompt";
    return { kind: "answer", status: 200, body: isPrompt ? body : "" };
  });
  const testId = newId();
  await bus.publish(
    testEvent({ applicationId, orgId, type: "prompt.requested", data: { testId, prompt: "When is a card blocked?" } }),
  );
  const attempts = async () => (await client(DeliveryService).getDelivery({ id: testId }, testCall(tenant))).attempts;
  return { testId, receiver, attempts };
}
const waitForOutcome = (testId: string) =>
  vi.waitFor(() => {
    const outcome = outcomes.find((request) => request.testId === testId)?.outcome;
    if (outcome === undefined) throw new Error("no outcome yet");
    return outcome;
  }, soon);

test("redacted parts of an answer are nowhere in the database", async () => {
  const { testId, attempts } = await requestPrompt("answers.example.com", '{"output":"Write to jane@private.example"}');
  const answer = '{"output":"Write to [email]"}';
  expect(await waitForOutcome(testId)).toMatchObject({ case: "accepted", value: { answer } });
  expect(await attempts()).toMatchObject([{ responseBody: answer }]);
  expect(await placesOfText(database, "notifications", "jane@private")).toEqual([]);
});

test("no prompt is sent while the application's redaction rules cannot be read", async () => {
  experiments.isUp = false;
  const { requests } = experiments;
  const { testId, receiver } = await requestPrompt("waiting.example.com", "jane@private.example");
  await vi.waitFor(() => expect(experiments.requests).toBeGreaterThan(requests), soon);
  const prompts = receiver.requests.filter(({ headers }) => headers["ems-delivery"] === "prompt");
  expect(prompts).toEqual([]);
  experiments.isUp = true;
  clock.advance(60_000);
  expect(await waitForOutcome(testId)).toMatchObject({ case: "accepted" });
  expect(await placesOfText(database, "notifications", "jane@private")).toEqual([]);
});
