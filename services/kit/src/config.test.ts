import { expect, test } from "vitest";
import {
  address,
  ConfigError,
  count,
  describeSettings,
  flag,
  list,
  outboxConfig,
  port,
  postgresUrl,
  readConfig,
  readConfigAndPeers,
  serviceConfig,
  z,
} from "./config.ts";

test("values are parsed to their types, and an empty variable counts as absent", () => {
  const shape = {
    PORT: port(),
    ON: flag(),
    NAMES: list(),
    AT: address(),
    MAX: count().default(7),
    NOTE: z.string().optional(),
  };
  const env = { PORT: "80", ON: "true", NAMES: "a, b,,", AT: "db.internal:5432", MAX: "", NOTE: "", OTHER: "x" };
  expect(readConfig(shape, env)).toEqual({ PORT: 80, ON: true, NAMES: ["a", "b"], AT: "db.internal:5432", MAX: 7 });
});

test("all errors are reported at once, by name and without values", () => {
  const env = {
    RPC_PORT: "70000",
    RPC_CALLERS: "gateway",
    RPC_PRIVATE_KEY: "hunter2",
    RPC_PUBLIC_KEYS: "gateway:hunter2",
    DATABASE_URL: "mysql://root:hunter2@db",
  };
  const read = () => readConfig({ ...serviceConfig, ...outboxConfig() }, env);
  expect(read).toThrow(ConfigError);
  for (const name of ["RPC_PORT", "RPC_PRIVATE_KEY", "RPC_PUBLIC_KEYS", "DATABASE_URL"]) expect(read).toThrow(name);
  expect(read).not.toThrow(/hunter2/);
  expect(read).toThrow("\n  RELAY_DATABASE_URL: is required, and not set");
});

test("a retired setting is not described", () => {
  const shape = { OLD: z.undefined("is no longer known").optional(), MAX: count().default(7).describe("At most.") };
  expect(describeSettings(shape)).toEqual([{ name: "MAX", default: "7", meaning: "At most." }]);
  expect(() => readConfig(shape, { OLD: "1" })).toThrow("OLD: is no longer known");
});

test("errors of settings and of peers' addresses are reported at once", () => {
  const own = () => readConfig({ PORT: port() }, { PORT: "80" });
  const wrong = () => readConfig({ PORT: port() }, { PORT: "x" });
  const peers = () => readConfig({ IDENTITY_ADDRESS: address() }, {});
  expect(() => readConfigAndPeers(wrong, peers)).toThrow(/PORT: .*\n {2}IDENTITY_ADDRESS: /);
  expect(() => readConfigAndPeers(own, peers)).toThrow(/^The configuration cannot be used:\n {2}IDENTITY_ADDRESS: /);
  expect(readConfigAndPeers(own, own)).toEqual({ config: { PORT: 80 }, peers: { PORT: 80 } });
});

test.each([
  [address(), ["localhost", "http://a:1", "a:b", ":1", ""]],
  [postgresUrl(), ["http://a", "localhost:5432", "x"]],
  [port(), ["-1", "65536", "1.5", "x"]],
  [flag(), ["yes", "1", "TRUE"]],
] as const)("malformed keys are refused", (schema, wrong) => {
  for (const value of wrong) expect(schema.safeParse(value).success).toBe(false);
});
