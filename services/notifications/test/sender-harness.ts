// A sender for tests: real name server, real TLS, and one receiver.

import type { Clock } from "@ems/kit/clock";
import { readConfig } from "@ems/kit/config";
import { newId, secureRandom } from "@ems/kit/id";
import { startWebhookNetwork } from "@ems/test-support/webhook-network";
import { afterAll } from "vitest";
import { deliverySettings, webhookHosts } from "../src/deliveries/settings.ts";
import { createSender, type Sender } from "../src/deliveries/worker/send.ts";
import { type DeliveryRequest, newWebhookSecret } from "../src/deliveries/worker/signed-request.ts";

export interface SenderHarnessOptions {
  readonly attemptMs?: number;
  readonly connectMs?: number;
  readonly isCaTrusted?: boolean;
  /** Allowed addresses; default: those of the receivers. */
  readonly allowCidrs?: string;
  readonly clock?: Clock;
}

/** Clock with the machine's time, with which verifiers compare timestamps. */
const machineClock: Clock = { now: () => new Date(performance.timeOrigin + performance.now()) };

export async function senderHarness(name = "hooks.example.com") {
  const end = await startWebhookNetwork();
  afterAll(() => end.close());
  const receiver = await end.receiver(name);
  const secret = newWebhookSecret(secureRandom);
  const senderWith = ({
    attemptMs = 5_000,
    connectMs = 2_000,
    isCaTrusted = true,
    allowCidrs = end.env.WEBHOOK_ALLOW_CIDRS ?? "",
    clock = machineClock,
  }: SenderHarnessOptions): Sender => {
    const config = readConfig(deliverySettings, {
      ...end.env,
      WEBHOOK_ALLOW_CIDRS: allowCidrs,
      WEBHOOK_CA_FILE: isCaTrusted ? end.caFile : undefined,
      WEBHOOK_DNS_TIMEOUT_MS: "1000",
      WEBHOOK_ATTEMPT_TIMEOUT_MS: String(attemptMs),
      WEBHOOK_CONNECT_TIMEOUT_MS: String(connectMs),
    });
    const publicHosts = webhookHosts(config);
    const sender = createSender(config, { publicHosts, clock });
    afterAll(() => sender.close());
    return sender;
  };
  return {
    ...end,
    startReceiver: end.receiver,
    name,
    receiver,
    secret,
    senderWith,
    sender: senderWith({}),
    /** Builds a delivery request to the receiver, by default for a new webhook. */
    deliveryRequest(overrides: Partial<DeliveryRequest> = {}): DeliveryRequest {
      const id = newId();
      const payload = JSON.stringify({ id, type: "topic.created", data: { title: "Ünïcode ✓" } });
      const url = `${receiver.origin}/hook?a=1`;
      const request = {
        applicationId: newId(),
        kind: "EVENT" as const,
        id,
        payload,
        url,
        headers: {},
        secrets: [secret],
        ...overrides,
      };
      return { confidential: [...request.secrets, ...Object.values(request.headers)], ...request };
    },
  };
}
