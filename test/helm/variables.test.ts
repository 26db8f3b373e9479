import { chartMesh } from "@ems/deploy/helm/variables";
import { type ProcessName, processNames } from "@ems/deploy/mesh";
import { listVariables, processSettings } from "@ems/deploy/settings";
import { expect, test } from "vitest";
import { caseFile, find, type Manifest, manifests } from "./render.ts";

/** Variables that libraries read; the test case sets them through extraEnv. */
const libraries = ["NODE_EXTRA_CA_CERTS", "UV_THREADPOOL_SIZE"];

/** Lists the variables of a process, without those that Kubernetes only inserts into others. */
function variables(objects: readonly Manifest[], name: ProcessName, prefix = "ems"): string[] {
  const { env } = find(objects, "Deployment", `${prefix}-${name}`).spec.template.spec.containers[0];
  const names = env.map((variable: { name: string }) => variable.name);
  expect(new Set(names).size).toBe(names.length);
  const values = JSON.stringify(env);
  return names.filter((each: string) => !values.includes(`$(${each})`) && !libraries.includes(each));
}

test("every variable that the chart sets is one that the process reads", async () => {
  for (const [file, prefix] of [
    ["everything", "ems"],
    ["parts", "prod-ems"],
  ] as const) {
    const objects = await manifests(caseFile(file));
    for (const name of processNames) {
      expect(variables(objects, name, prefix).filter((each) => !listVariables(name).includes(each))).toEqual([]);
    }
  }
});

test("every variable that a process reads can be given by the chart", async () => {
  const settings = processNames.map((name) => {
    const own = chartMesh()[name].settings.map((setting: string) => [setting, "yes"]);
    return [name, { settings: Object.fromEntries(own) }];
  });
  const args = [
    "--set-json",
    `components=${JSON.stringify(Object.fromEntries(settings))}`,
    "--set-json",
    "settings={}",
  ];
  const objects = await manifests(caseFile("everything"), ...args);
  for (const name of processNames) {
    const settable = variables(objects, name);
    expect(listVariables(name).filter((each) => !settable.includes(each))).toEqual([]);
  }
});

test("numbers are written out, and what one process does not know is not given to it", async () => {
  const objects = await manifests(caseFile("everything"));
  const { env } = find(objects, "Deployment", "ems-gateway").spec.template.spec.containers[0];
  expect(env).toContainEqual({ name: "RATE_LIMIT_PER_MINUTE", value: "6000000" });
  expect(env).toContainEqual({ name: "TRUST_PROXY", value: "10.0.0.0/8,fd00::/8" });
  expect(variables(objects, "catalog")).not.toContain("TRUST_PROXY");
});

test("a process is given its own private key and no other, from a Secret of its own where there is one", async () => {
  for (const [file, prefix, of] of [
    ["minimal", "prod-ems", (name: string) => ({ name: "ems-secrets", key: `RPC_PRIVATE_KEY_${name.toUpperCase()}` })],
    ["parts", "prod-ems", (name: string) => ({ name: `ems-${name}`, key: "rpc" })],
  ] as const) {
    const objects = await manifests(caseFile(file));
    for (const name of processNames) {
      const { env } = find(objects, "Deployment", `${prefix}-${name}`).spec.template.spec.containers[0];
      expect(env).toContainEqual({ name: "RPC_PRIVATE_KEY", valueFrom: { secretKeyRef: of(name) } });
      expect(JSON.stringify(env).match(/RPC_PRIVATE_KEY_\w+|"rpc"/g)).toHaveLength(1);
    }
  }
});

test("passwords become URLs of the role that they belong to", async () => {
  const objects = await manifests(caseFile("parts"));
  const { env } = find(objects, "Deployment", "prod-ems-reporting").spec.template.spec.containers[0];
  const value = "postgres://ems_reporting:$(DATABASE_URL_PASSWORD)@postgres.example.com:6432/ems?sslmode=verify-full";
  const password = { secretKeyRef: { name: "ems-reporting", key: "password" } };
  expect(env).toContainEqual({ name: "DATABASE_URL_PASSWORD", valueFrom: password });
  expect(env).toContainEqual({ name: "DATABASE_URL", value });
  expect(JSON.stringify(env)).toContain("@replica.example.com:6432");
});

test("every setting says what it means", () => {
  expect(
    Object.values(processSettings).flatMap((settings) => settings.filter(({ meaning }) => meaning === "")),
  ).toEqual([]);
});
