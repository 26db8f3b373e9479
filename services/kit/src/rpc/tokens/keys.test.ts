import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { callerConfig, readConfig } from "../../config.ts";
import { assertKeysMatch } from "./assert-keys.ts";
import { listPublicKeys, newPrivateKey, readPrivateKey, readPublicKeys } from "./keys.ts";

const [gateway, catalog] = [newPrivateKey(), newPrivateKey()];
const pem = (key: string) => readPrivateKey(key)?.export({ format: "pem", type: "pkcs8" }).toString() ?? "";

test("a private key is read as base64 and as PEM", () => {
  expect(pem(pem(gateway))).toBe(pem(gateway));
  expect(listPublicKeys({ gateway: pem(gateway) })).toBe(listPublicKeys({ gateway }));
});

test("public keys are read by name, at most two per name, with or without spaces", () => {
  const list = listPublicKeys({ gateway, catalog });
  const keys = readPublicKeys(`${list}, ${listPublicKeys({ gateway: newPrivateKey() })}`);
  expect([...(keys ?? [])].map(([name, { length }]) => [name, length])).toEqual([
    ["gateway", 2],
    ["catalog", 1],
  ]);
  expect(readPublicKeys([list, list, list].join(","))).toBeUndefined();
});

describe("an invalid key is rejected and not repeated in the error", () => {
  const remaining = {
    rsa: generateKeyPairSync("rsa", { modulusLength: 2048 }),
    x25519: generateKeyPairSync("x25519"),
    p256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  };
  const privates = Object.values(remaining).flatMap(({ privateKey }) => [
    privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
    privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
  ]);
  test.each(["hunter2", gateway.slice(0, -8), "-----BEGIN PRIVATE KEY-----\nhunter2", ...privates])("%.20s", (text) => {
    expect(readPrivateKey(text)).toBeUndefined();
    const read = () =>
      readConfig(callerConfig, { RPC_PRIVATE_KEY: text, RPC_PUBLIC_KEYS: listPublicKeys({ gateway }) });
    expect(read).toThrow("RPC_PRIVATE_KEY: must be an Ed25519 key in PKCS #8");
    expect(read).not.toThrow(text.slice(0, 20));
  });

  const spki = remaining.rsa.publicKey.export({ format: "der", type: "spki" }).toString("base64");
  test.each([
    "",
    "gateway",
    "gateway:",
    "gateway:hunter2",
    `gateway:${spki}`,
    `Gate Way:${gateway}`,
    `gateway:${gateway},`,
  ])("%.20s", (text) => expect(readPublicKeys(text)).toBeUndefined());
});

test("missing keys are reported with a hint to RPC_SECRET's replacement", () => {
  const read = () => readConfig(callerConfig, { RPC_SECRET: "x".repeat(32) });
  for (const name of ["RPC_PRIVATE_KEY", "RPC_PUBLIC_KEYS"]) {
    expect(read).toThrow(`${name}: is required: each process of a mesh has a key of its own, in place of RPC_SECRET`);
  }
});

test("a private key without its published key, and a caller without one, fail the start", () => {
  const config = (privateKey: string, keys: Record<string, string>) =>
    readConfig(callerConfig, { RPC_PRIVATE_KEY: privateKey, RPC_PUBLIC_KEYS: listPublicKeys(keys) });
  const wrong = { ...config(gateway, { gateway: catalog }), RPC_CALLERS: ["gateway", "catalog", "experiments"] };
  const faults = [
    "RPC_PUBLIC_KEYS: has no key of catalog, which RPC_CALLERS names",
    "RPC_PUBLIC_KEYS: has no key of experiments, which RPC_CALLERS names",
    "RPC_PRIVATE_KEY: its public key is not the one, or one of the two, that RPC_PUBLIC_KEYS has of gateway",
  ];
  expect(() => assertKeysMatch("gateway", wrong)).toThrow(faults.join("\n  "));
  expect(() => assertKeysMatch("gateway", config(gateway, { gateway, catalog }))).not.toThrow();
});
