import { testKeys } from "@ems/test-support/rpc-keys";
import { expect, test } from "vitest";
import { experimentsConfig } from "../../config.ts";

const bare = {
  RPC_PORT: "0",
  RPC_CALLERS: "gateway",
  ...testKeys,
  DATABASE_URL: "postgres://localhost/ems",
  RELAY_DATABASE_URL: "postgres://localhost/ems",
};

test("results have no retention limit by default, the audit log 400 days", () => {
  const { RETENTION_DAYS_RESULTS, RETENTION_DAYS_AUDIT } = experimentsConfig(bare);
  expect([RETENTION_DAYS_RESULTS, RETENTION_DAYS_AUDIT]).toEqual([undefined, 400]);
  expect(experimentsConfig({ ...bare, RETENTION_DAYS_RESULTS: "365" })).toMatchObject({ RETENTION_DAYS_RESULTS: 365 });
});

test.each([
  [{ RETENTION_DAYS_RESULTS: "0" }, "RETENTION_DAYS_RESULTS: must be 7 or more: runs in flight"],
  [{ RETENTION_DAYS_AUDIT: "29" }, "RETENTION_DAYS_AUDIT: must be 30 or more"],
  [{ RETENTION_DAYS_RESULTS: "40000" }, "must be 36500 or less"],
  [{ RETENTION_DAYS_RESULTS: "10", TRACE_TIMEOUT_MS: String(9 * 86_400_000) }, "two days longer than TRACE_TIMEOUT_MS"],
])("%j is refused with a message", (settings, sentence) => {
  expect(() => experimentsConfig({ ...bare, ...settings })).toThrow(sentence);
});
