import { createHmac } from "node:crypto";
import { readConfig } from "@ems/kit/config";
import { secureRandom } from "@ems/kit/id";
import { expect, test, vi } from "vitest";
import { places, secretBox } from "../../secret-box.ts";
import { deliverySettings } from "../settings.ts";
import { buildRequest, compatibleSignature, newWebhookSecret } from "./signed-request.ts";

const at = new Date("2026-01-15T12:00:00.123Z");
const signed = { id: "event", payload: '{"price":"$& $1"}', at, secret: "whsec_secret" };
const config = (env: Record<string, string>) => readConfig(deliverySettings, env);
const hmac = (content: string) => createHmac("sha256", signed.secret).update(content);

test("the additional signature is sent only if its header has a name", () => {
  expect(compatibleSignature(config({}), signed)).toEqual({});
});

test("names, unit, encoding and signed content are settings", () => {
  const names = { WEBHOOK_COMPAT_SIGNATURE_HEADER: "X-Signature", WEBHOOK_COMPAT_TIMESTAMP_HEADER: "X-Timestamp" };
  expect(compatibleSignature(config(names), signed)).toEqual({
    "x-signature": hmac(`1768478400.${signed.payload}`).digest("hex"),
    "x-timestamp": "1768478400",
  });
  const other = {
    ...names,
    WEBHOOK_COMPAT_TIMESTAMP_UNIT: "ms",
    WEBHOOK_COMPAT_ENCODING: "base64",
    WEBHOOK_COMPAT_CONTENT: "{body}:{id}:{timestamp}:{other}",
  };
  expect(compatibleSignature(config(other), signed)).toEqual({
    "x-signature": hmac(`${signed.payload}:event:1768478400123:{other}`).digest("base64"),
    "x-timestamp": "1768478400123",
  });
});

test.each(["webhook-id", "Content-Type", "host", "user-agent", "bad name"])(
  "%s is not a valid header name for it",
  (name) => {
    expect(() => config({ WEBHOOK_COMPAT_SIGNATURE_HEADER: name })).toThrow("WEBHOOK_COMPAT_SIGNATURE_HEADER");
  },
);

test("deliveries read with the same webhook decrypt its secrets once", () => {
  const box = secretBox(`test:${secureRandom(32).toString("base64")}`, secureRandom);
  const open = vi.spyOn(box, "open");
  const [applicationId, secret] = ["app", newWebhookSecret(secureRandom)];
  const sealed = {
    secret: box.seal(secret, places.webhookSecret(applicationId)),
    previousSecret: null,
    previousSecretUntil: null,
  };
  const state = { headers: null, isDisabled: false, failureStreak: 0, modifiedAt: at };
  const webhook = { id: "hook", url: "https://hooks.example.com/", ...sealed, ...state };
  const event = {
    applicationId,
    orgId: "org",
    kind: "EVENT" as const,
    webhookId: "hook",
    type: "topic.created",
    payload: "{}",
    traceparent: null,
  };
  const claimed = { ...event, scheduleStep: 0, scheduleSteps: 1, leasedUntil: at, readAtMs: 0 };
  const requests = ["a", "b"].map((id) => buildRequest({ ...claimed, id, webhook }, box, at));
  expect(requests).toMatchObject([
    { id: "a", secrets: [secret] },
    { id: "b", secrets: [secret] },
  ]);
  expect(open).toHaveBeenCalledTimes(1);
  buildRequest({ ...claimed, id: "c", webhook: { ...webhook } }, box, at);
  expect(open).toHaveBeenCalledTimes(2);
});
