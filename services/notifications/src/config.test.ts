import { testKeys } from "@ems/test-support/rpc-keys";
import { expect, test } from "vitest";
import { notificationsConfig } from "./config.ts";

const bare = {
  RPC_PORT: "0",
  RPC_CALLERS: "gateway",
  ...testKeys,
  DATABASE_URL: "postgres://localhost/ems",
  RELAY_DATABASE_URL: "postgres://localhost/ems",
  SEALING_KEYS: `test:${"A".repeat(43)}=`,
};
const mail = {
  SMTP_URL: "smtp://user:pass@relay.example:587",
  MAIL_FROM: "ems@example.com",
  FEEDBACK_TO: "a@b.example",
};
const faults = (env: Record<string, string>) => {
  try {
    notificationsConfig({ ...bare, ...env });
    return "none";
  } catch (error) {
    return String(error);
  }
};

test("without a relay no mail setting is required", () => {
  expect(notificationsConfig(bare).SMTP_URL).toBeUndefined();
});

test("with a relay, sender and recipient of feedback are read", () => {
  expect(notificationsConfig({ ...bare, ...mail, MAIL_FROM: "Evaluations <ems@example.com>" })).toMatchObject({
    ...mail,
    MAIL_FROM: { name: "Evaluations", address: "ems@example.com" },
  });
});

test("missing relay settings and invalid addresses are reported together, by name and without values", () => {
  expect(faults({ SMTP_URL: "smtp://user:hunter2@relay.example/path" })).toMatch(
    /SMTP_URL: must be smtp:.*\n.*MAIL_FROM: is required when SMTP_URL is set\n.*FEEDBACK_TO: is required/,
  );
  const wrong = {
    ...mail,
    MAIL_FROM: "a@b\nBcc: c@d.example",
    FEEDBACK_TO: "a@b.example, c@d.example",
    OPERATOR_TO: "x",
  };
  expect(faults(wrong)).toMatch(/MAIL_FROM: must be an email.*\n.*FEEDBACK_TO: must be.*\n.*OPERATOR_TO: must be/);
  expect(faults({ SMTP_URL: "smtp://user:hunter2@relay.example/path" })).not.toContain("hunter2");
});

test.each([
  ["smtp://relay.example", true],
  ["smtps://u:p%2F@relay.example:465", true],
  ["smtp://u:p@[::1]:587/", true],
  ["smtp://u@relay.example", false],
  ["smtp://:p@relay.example", false],
  ["smtp://u:%ff@relay.example", false],
  ["smtp://u:p@relay.example?secure=false", false],
  ["smtp://u:p@relay.example#x", false],
  ["smtp://u:p@", false],
  ["http://u:p@relay.example", false],
  ["relay.example:587", false],
])("%s as a relay: %s", (SMTP_URL, isFine) => {
  expect(faults({ ...mail, SMTP_URL }) === "none").toBe(isFine);
});

test("plain-HTTP webhooks on this machine are an opt-in setting", () => {
  expect(notificationsConfig({ ...bare }).WEBHOOK_ALLOW_LOOPBACK).toBe("no");
});

test.each([
  [{}, "none"],
  [{ HOST: "" }, "none"],
  [{ HOST: "localhost", RPC_HOST: "127.0.0.1" }, "none"],
  [{ HOST: "127.3.2.1", RPC_HOST: "::1" }, "none"],
  [{ HOST: "0.0.0.0" }, "HOST or RPC_HOST"],
  [{ HOST: "::" }, "HOST or RPC_HOST"],
  [{ HOST: "192.168.0.7" }, "HOST or RPC_HOST"],
  [{ HOST: "127.0.0.1.example.com" }, "HOST or RPC_HOST"],
  [{ HOST: "127.0.0.1", RPC_HOST: "0.0.0.0" }, "HOST or RPC_HOST"],
  [{ NODE_ENV: "production" }, "in production"],
  [{ NODE_ENV: "production", HOST: "127.0.0.1" }, "in production"],
])("with %o they are refused with a message: %s", (env, expected) => {
  expect(faults({ WEBHOOK_ALLOW_LOOPBACK: "yes", ...env })).toContain(expected);
  expect(faults({ WEBHOOK_ALLOW_LOOPBACK: "no", ...env })).toBe("none");
});

test("deliveries must be kept longer than they are retried, and the setting's former name is refused", () => {
  expect(notificationsConfig(bare)).toMatchObject({ RETENTION_DAYS_DELIVERIES: 30, RETENTION_DAYS_MAILS: 30 });
  expect(faults({ RETENTION_DAYS_DELIVERIES: "3" })).toContain(
    "RETENTION_DAYS_DELIVERIES: must be 4 or more: a delivery is retried for three days",
  );
  expect(faults({ WEBHOOK_KEEP_DAYS: "60" })).toContain("WEBHOOK_KEEP_DAYS: is called RETENTION_DAYS_DELIVERIES");
});
