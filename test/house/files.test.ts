// Locations, names and lengths of files.

import { basename, dirname } from "node:path";
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { http } from "@ems/proto/google/api/annotations";
import { getProcess } from "@ems/proto/process-name";
import { services as protoServices } from "@ems/proto/services";
import { expect, test } from "vitest";
import { files, product, read, sources } from "./sources.ts";

const lines = (file: string) => read(file).split("\n").length - 1;

test("no file is longer than 300 lines, and half of the product's have 60 at most", () => {
  expect(sources.filter((file) => lines(file) > 300)).toEqual([]);
  const lengths = product.map(lines).sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(60);
});

test("every folder of the first two levels has a README", () => {
  const folders = new Set(files.flatMap((file) => [1, 2].map((depth) => dirname(file).split("/", depth).join("/"))));
  // proto/README.md describes these folders.
  const described = ["ems", "gen", "google", "grpc", "opentelemetry", "vendor"].map((folder) => `proto/${folder}`);
  for (const folder of [".", ".ci", "gateway/src", ...described]) folders.delete(folder);
  expect([...folders].filter((folder) => !files.includes(`${folder}/README.md`))).toEqual([]);
  expect(lines("README.md")).toBeLessThanOrEqual(150);
});

test("services have a folder for each resource, and no test helper among their sources", () => {
  const byKind = /^services\/[^/]+\/src\/(rpc|entities)\//;
  expect(files.filter((file) => !file.startsWith("services/kit/") && byKind.test(file))).toEqual([]);
  const forTests = /(^|[/-])(testing|fixtures?|arbitrary|oracle|mocks?|stubs?)([/.-]|$)/;
  const shipped = product.filter((file) => /^(services\/[^/]+\/src|gateway|proto|deploy)\//.test(file));
  expect(shipped.filter((file) => forTests.test(file))).toEqual([]);
});

/** Finds the file of an RPC in its resource's folder, or in that of the gateway, which alone has streams. */
const getFile = ({ name, parent, methodKind }: DescMethod) => {
  const process = getProcess(parent);
  const file = `${name.replaceAll(/(?<!^)[A-Z]/g, "-$&").toLowerCase()}.ts`;
  if (methodKind !== "unary") return product.find((each) => each === `gateway/src/grpc/${file}`);
  const folder = process === "gateway" ? process : `services/${process}`;
  return product.find((each) => new RegExp(`^${folder}/src/(?:[^/]+/)?[^/]+/${file}$`).test(each));
};

test("an RPC is a file of its resource, named as the RPC", () => {
  const rpcs = protoServices.flatMap((service) => service.methods);
  expect(rpcs.filter((rpc) => getFile(rpc) === undefined).map(String)).toEqual([]);
});

test("an RPC that changes something does so where an idempotency key is stored", () => {
  const changing = protoServices
    .flatMap((service) => service.methods)
    .filter((method) => {
      if (method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS) return false;
      const verb = hasOption(method, http) ? getOption(method, http).pattern.case : undefined;
      return verb === "post" || verb === "put" || verb === "patch";
    });
  expect(changing.length).toBeGreaterThan(30);
  expect(changing.filter((rpc) => !/\.change(After)?\(/.test(read(getFile(rpc) ?? "README.md"))).map(String)).toEqual(
    [],
  );
});

test("no file is named utils, helpers, common or misc", () => {
  // The proto files of OpenTelemetry keep their published names.
  const ours = files.filter((file) => !file.startsWith("proto/opentelemetry/"));
  expect(ours.filter((file) => /^(utils?|helpers?|common|misc)\./.test(basename(file)))).toEqual([]);
});

test("the commands of the first evaluation in README.md are those of its guide", () => {
  const [guide, readme] = [read("deploy/example/first-evaluation/README.md"), read("README.md")];
  const isCommand = (line: string) => /^(export|api|field|node|[A-Z]+=)/.test(line);
  const commands = readme.split("\n").filter(isCommand);
  expect(commands.length).toBeGreaterThan(8);
  expect(commands.filter((command) => !guide.includes(command))).toEqual([]);
});
