import { testKeys } from "@ems/test-support/rpc-keys";
import { expect, test } from "vitest";
import { tracesConfig } from "./config.ts";

const bare = {
  RPC_PORT: "0",
  RPC_CALLERS: "gateway",
  ...testKeys,
  DATABASE_URL: "postgres://localhost/ems",
  RELAY_DATABASE_URL: "postgres://localhost/ems",
};

test("traces are kept without limit unless days are set", () => {
  expect(tracesConfig(bare).RETENTION_DAYS_TRACES).toBeUndefined();
  expect(tracesConfig({ ...bare, RETENTION_DAYS_TRACES: "7" }).RETENTION_DAYS_TRACES).toBe(7);
  const tooFew = () => tracesConfig({ ...bare, RETENTION_DAYS_TRACES: "6" });
  expect(tooFew).toThrow("RETENTION_DAYS_TRACES: must be 7 or more: tests in flight");
});
