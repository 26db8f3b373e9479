import { chmod, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { platformCallers } from "@ems/kit/rpc/platform/callers";
import { decodeJwt } from "jose";
import { afterAll, expect, test } from "vitest";
import { runEms } from "./test/ems.ts";

const folder = await temporaryDir("ems-callers-cli-");
afterAll(() => rm(folder, { recursive: true }));
const [key, document] = [join(folder, "billing.key"), join(folder, "callers.yaml")];

/** Runs `ems callers` with the arguments and returns its output. */
async function ems(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await runEms(["callers", ...args], { env });
  if (code !== 0) throw new Error(stderr.trimEnd());
  return `${stdout}${stderr}`.trimEnd();
}

test("a key is written to a private file, its entry is a valid document, and its token names caller and services", async () => {
  const printed = await ems(["key", "billing", "--out", key]);
  const text = await readFile(key, "utf8");
  expect([(await stat(key)).mode & 0o777, printed.includes(text.split("\n")[1] ?? "")]).toEqual([0o600, false]);
  await writeFile(document, printed.slice(0, printed.indexOf("The private key is")));
  expect(await ems(["check", document])).toMatch(/^billing: \d+ RPCs, 1 of 2 keys\.$/);
  expect((await platformCallers({ RPC_PLATFORM_CALLERS_FILE: document }, [])).has("billing")).toBe(true);

  const sign = ["token", "billing", "--audience", "catalog,experiments", "--expires", "15m"];
  for (const token of [await ems([...sign, "--key", key]), await ems(sign, { EMS_CALLER_KEY: text })]) {
    const { iss, aud, iat = 0, exp = 0, ...rest } = decodeJwt(token);
    expect([iss, aud, exp - iat, rest]).toEqual(["billing", ["catalog", "experiments"], 900, {}]);
  }
});

test("invalid arguments are refused with a message", async () => {
  await expect(ems(["key", "billing", "--out", key])).rejects.toThrow(`${key} exists.`);
  await expect(ems(["key", "gateway", "--out", join(folder, "x")])).rejects.toThrow("is a process of the product");
  await expect(ems(["token", "billing", "--audience", "nowhere", "--key", key])).rejects.toThrow("there is no service");
  await expect(ems(["token", "billing", "--audience", "catalog"])).rejects.toThrow("The private key is missing");
  await expect(ems(["token", "billing", "--audience", "catalog", "--expires", "25h"])).rejects.toThrow("at most 24h");
  await chmod(key, 0o644);
  await expect(ems(["token", "billing", "--audience", "catalog", "--key", key])).rejects.toThrow("chmod 600");
});
