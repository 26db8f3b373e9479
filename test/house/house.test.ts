// The walls of the house, held by a test: who may import whom, how large a file may grow, where a README must stand.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { callersOf, mesh, processNames } from "@ems/deploy/mesh";
import { itemsMax, pairsMax } from "@ems/kit/json/constraints";
import { http } from "@ems/proto/google/api/annotations";
import { services as protoServices } from "@ems/proto/services";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)));
const sources = files.filter((file) => file.endsWith(".ts") && !file.startsWith("proto/gen/"));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const services = readdirSync(join(root, "services")).filter((name) => name !== "kit" && name !== "README.md");

const isTest = (file: string) => /\.test\.ts$|(^|\/)test\//.test(file);

/** What the files of a place may import of ours. */
function mayImport(file: string): readonly string[] {
  const [top, second] = file.split("/");
  const forTests = isTest(file) ? ["kit", "dev", "test-support"] : [];
  if (top === "proto") return [];
  if (top === "services" && second === "kit") return ["proto", ...forTests];
  if (top === "services" || top === "gateway") return ["proto", "kit", ...forTests];
  if (file.startsWith("test/support/")) return ["proto", ...forTests];
  const isProduct = top === "deploy" && second !== "dev" && second !== "image" && !isTest(file);
  if (isProduct) return ["proto", "kit", "gateway", "deploy", ...services];
  return ["proto", "kit", "gateway", "deploy", "dev", "image", "cli", ...forTests, ...services];
}

test("imports go one way: proto ← kit ← services and gateway ← deploy ← dev, cli and test", () => {
  const wrong = sources.flatMap((file) => {
    const allowed = mayImport(file);
    const imported = [...read(file).matchAll(/(?:from|import\() ?"@ems\/([a-z-]+)/g)].map(([, name = ""]) => name);
    return imported.filter((name) => !allowed.includes(name)).map((name) => `${file} imports @ems/${name}`);
  });
  expect(wrong).toEqual([]);
});

test("no file reaches out of its package by a relative path", () => {
  const packageOf = (file: string) => /^(services\/[^/]+|deploy\/(cli|dev|image)|[^/]+)/.exec(file)?.[0];
  const wrong = sources.flatMap((file) =>
    [...read(file).matchAll(/from "(\.[^"]+)"/g)]
      .map(([, path = ""]) => join(file, "..", path))
      .filter((target) => packageOf(target) !== packageOf(file))
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("only config and main files, and what runs from a shell, read the environment", () => {
  const allowed = /(^|\/)(config|main|up|bootstrap|migrate|prepare|healthy|image|seed|generate)\.ts$|^test\//;
  expect(sources.filter((file) => !allowed.test(file) && /process\.env/.test(read(file)))).toEqual([]);
});

test("only kit's clock and id make times and randomness of the business", () => {
  const business = sources.filter((file) => /^services\/(?!kit\/)/.test(file) && !/\.test\.ts$|\/test\//.test(file));
  const wrong = business.filter((file) =>
    /Date\.now\(\)|new Date\(\)|Math\.random|randomUUID|randomBytes/.test(read(file)),
  );
  // A deadline is a matter of the machine's clock, not of the business.
  expect(wrong.filter((file) => file !== "services/identity/src/bootstrap.ts")).toEqual([]);
});

test("only kit's telemetry names the libraries of metrics and traces, and loads the SDK when it is wanted", () => {
  const product = sources.filter((file) => !file.startsWith("test/"));
  const naming = product.filter((file) => /from "(@opentelemetry\/|prom-client)/.test(read(file)));
  expect(naming.filter((file) => !file.startsWith("services/kit/src/telemetry/"))).toEqual([]);
  expect(naming.filter((file) => /from "@opentelemetry\/(?!api")/.test(read(file)))).toEqual([
    "services/kit/src/telemetry/sdk.ts",
  ]);
  expect(product.filter((file) => /from "\.\/sdk\.ts"/.test(read(file)))).toEqual([]);
});

test("errors are made in one place", () => {
  const wrong = sources.filter(
    (file) => /new ConnectError\(/.test(read(file)) && !/(kit\/src\/(errors|rpc\/grpc-client)|\.test)\.ts$/.test(file),
  );
  expect(wrong).toEqual([]);
});

test("no file is longer than 300 lines", () => {
  expect(sources.filter((file) => read(file).split("\n").length > 301)).toEqual([]);
});

test("every folder of the first two levels has a README", () => {
  const tops = ["proto", "services", "gateway", "deploy", "test"];
  const folders = [...tops, ...["kit", ...services].map((name) => `services/${name}`)];
  expect(folders.filter((folder) => !existsSync(join(root, folder, "README.md")))).toEqual([]);
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(151);
});

test("the mesh is a graph without cycles, and names every service there is", () => {
  expect([...processNames].sort()).toEqual([...services, "gateway"].sort());
  // Callees stand before their callers, which no cycle can satisfy.
  for (const [at, name] of processNames.entries()) {
    for (const callee of mesh[name].calls) expect(processNames.indexOf(callee)).toBeLessThan(at);
  }
  expect(callersOf("identity")).toEqual(["catalog", "experiments", "notifications", "gateway"]);
});

test("an RPC is a file named as the RPC, and one that changes something does it where an idempotency key is kept", () => {
  const rpcs = protoServices.flatMap((service) => service.methods);
  const kebab = (name: string) => name.replaceAll(/(?<!^)[A-Z]/g, "-$&").toLowerCase();
  const fileOf = (name: string) => sources.find((file) => new RegExp(`/src/[a-z-]+/${kebab(name)}\\.ts$`).test(file));
  expect(rpcs.filter(({ name }) => fileOf(name) === undefined).map(({ name }) => name)).toEqual([]);
  const repeatable = rpcs.filter((method) => {
    if (method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) return false;
    const verb = hasOption(method, http) ? getOption(method, http).pattern.case : undefined;
    return verb === "post" || verb === "put" || verb === "patch";
  });
  const unkept = repeatable.filter(({ name }) => !/\.change\(/.test(read(fileOf(name) ?? "")));
  expect(repeatable.length).toBeGreaterThan(30);
  expect(unkept.map(({ name }) => name)).toEqual([]);
});

test("every list and map of a request has a limit", () => {
  const rpcs = protoServices.flatMap((service) => service.methods);
  expect(rpcs.flatMap(({ input }) => unlimited(input))).toEqual([]);
});

/** The fields of the message, and of those within it, that may hold any number of values. Free JSON is one value. */
function unlimited(desc: DescMessage, seen = new Set<DescMessage>()): string[] {
  if (seen.has(desc) || desc.typeName.startsWith("google.protobuf.")) return [];
  seen.add(desc);
  return desc.fields.flatMap((field) => {
    const max = field.fieldKind === "list" ? itemsMax(field) : field.fieldKind === "map" ? pairsMax(field) : 1;
    const within = field.message === undefined ? [] : unlimited(field.message, seen);
    return Number.isFinite(max) ? within : [field.toString(), ...within];
  });
}
