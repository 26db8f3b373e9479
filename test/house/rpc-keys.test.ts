import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { privateKeyVariable } from "@ems/deploy/keys";
import { listCallers, processNames } from "@ems/deploy/mesh";
import { localSecrets } from "@ems/deploy/secrets";
import { buildProcessEnvironment, freePorts } from "@ems/dev/environment";
import { callerConfig, readConfig } from "@ems/kit/config";
import { assertKeysMatch } from "@ems/kit/rpc/tokens/assert-keys";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const rpcKeys = (...names: string[]) =>
  run(process.execPath, [join(import.meta.dirname, "../../deploy/main.ts"), "rpc-keys", ...names]);
const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );

test("an installation of before gets a key for each process at its next start, and keeps them", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "ems-test-keys-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const before = { rpcSecret: "r".repeat(43), apiKeyPepper: "p".repeat(43) };
  await writeFile(join(dataDir, "secrets.json"), JSON.stringify(before));
  const secrets = await localSecrets(dataDir);
  expect(secrets.apiKeyPepper).toBe(before.apiKeyPepper);
  expect(new Set(Object.values(secrets.rpcPrivateKeys)).size).toBe(processNames.length);
  expect((await localSecrets(dataDir)).rpcPrivateKeys).toEqual(secrets.rpcPrivateKeys);
  expect(await readFile(join(dataDir, "secrets.json"), "utf8")).not.toContain(before.rpcSecret);
  for (const name of processNames) {
    const env = buildProcessEnvironment(name, {}, { secrets, urlAs: () => "" }, freePorts());
    expect(() =>
      assertKeysMatch(name, { ...readConfig(callerConfig, env), RPC_CALLERS: listCallers(name) }),
    ).not.toThrow();
    const foreign = processNames.filter((other) => other !== name).map((other) => secrets.rpcPrivateKeys[other]);
    expect(foreign.filter((key) => JSON.stringify(env).includes(key))).toEqual([]);
  }
});

test("`rpc-keys` makes keys that fit each other, new ones each time; of the processes that are named, if any are", async () => {
  const [first, second] = [variablesIn((await rpcKeys()).stdout), variablesIn((await rpcKeys()).stdout)];
  expect(Object.keys(first)).toEqual([...processNames.map(privateKeyVariable), "RPC_PUBLIC_KEYS"]);
  for (const name of processNames) {
    const RPC_PRIVATE_KEY = first[privateKeyVariable(name)];
    expect(RPC_PRIVATE_KEY).not.toBe(second[privateKeyVariable(name)]);
    const config = readConfig(callerConfig, { RPC_PRIVATE_KEY, RPC_PUBLIC_KEYS: first.RPC_PUBLIC_KEYS });
    expect(() => assertKeysMatch(name, { ...config, RPC_CALLERS: listCallers(name) })).not.toThrow();
  }
  const rotated = variablesIn((await rpcKeys("catalog")).stdout);
  expect(Object.keys(rotated)).toEqual(["RPC_PRIVATE_KEY_CATALOG", "RPC_PUBLIC_KEYS"]);
  expect(rotated.RPC_PUBLIC_KEYS).toMatch(/^catalog:[^,]+$/);
  await expect(rpcKeys("nobody")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Unknown process nobody"),
  });
});
