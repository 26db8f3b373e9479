// Conventions of the code that no tool checks.

import type { DescMessage } from "@bufbuild/protobuf";
import { mesh, processNames } from "@ems/deploy/mesh";
import { processSettings } from "@ems/deploy/settings";
import { itemsMax, pairsMax } from "@ems/kit/json/constraints";
import { services as protoServices } from "@ems/proto/services";
import { expect, test } from "vitest";
import { files, getImports, isTest, product, read, services } from "./sources.ts";

const containing = (text: RegExp) => product.filter((file) => text.test(read(file)));

test("only config and main files, and what runs from a shell, read the environment", () => {
  const allowed =
    /^deploy\/example\/|(^|\/)(config|vite\.config|main|up|backup|restore|bootstrap|migrate|prepare|healthy|image|seed|generate)\.ts$|^test\//;
  expect(containing(/process\.env/).filter((file) => !allowed.test(file))).toEqual([]);
});

test("services take the time and randomness from kit's clock and id", () => {
  const wrong = containing(/Math\.random|randomUUID|randomBytes/);
  expect(wrong.filter((file) => /^services\/(?!kit\/)/.test(file))).toEqual([]);
});

test("services and gateway read the machine's clock through kit's, and measure ages and deadlines monotonically", () => {
  const doors = [
    "services/kit/src/clock.ts",
    // grpc-js computes deadlines by the machine's clock.
    "services/kit/src/rpc/grpc-server.ts",
    "services/kit/src/rpc/read-clock.ts",
  ];
  const read = containing(/Date\.now\b|new Date\(\)|Temporal\.Now|timeOrigin/);
  const product = /^(services|gateway)\/(?!console\/)/;
  expect(read.filter((file) => product.test(file) && !doors.includes(file))).toEqual([]);
});

test("only kit's telemetry names the libraries of metrics and traces, and loads the SDK when it is configured", () => {
  const importing = (name: RegExp) => product.filter((file) => getImports(file).some((each) => name.test(each)));
  const telemetry = importing(/^(@opentelemetry\/|prom-client$)/);
  expect(telemetry.filter((file) => !file.startsWith("services/kit/src/telemetry/"))).toEqual([]);
  expect(importing(/^@opentelemetry\/(?!api$)/)).toEqual(["services/kit/src/telemetry/sdk.ts"]);
  expect(containing(/from "\.\/sdk\.ts"/)).toEqual([]);
});

test("no literal is spread to share a line", () => {
  const code = files.filter((file) => /\.tsx?$/.test(file) && file !== "test/house/conventions.test.ts");
  expect(code.filter((file) => /\.\.\.\{/.test(read(file)))).toEqual([]);
});

test("errors are made in one place", () => {
  const makers = [
    "services/kit/src/errors.ts",
    "services/kit/src/rpc/grpc-client.ts",
    "services/kit/src/rpc/grpc-status.ts",
  ];
  expect(containing(/new ConnectError\(/).filter((file) => !makers.includes(file))).toEqual([]);
});

test("no size is a number in prose: comments, errors and texts of the API reference name or insert the constant", () => {
  const size = /\b\d[\d,.]* ?[KMG]iB\b/;
  const isProse = (file: string) =>
    product.includes(file) ? !file.startsWith("deploy/dev/") : /^proto\/ems\/|^gateway\/.*\.json$|\.md$/.test(file);
  // A paragraph with a measured figure names the command that measures it.
  const paragraphs = files
    .filter((file) => isProse(file) && !isTest(file))
    .flatMap((file) =>
      read(file)
        .split(/\n\s*\n/)
        .map((text) => ({ file, text })),
    );
  // Tables of limits are exempt: deploy/settings.test.ts compares their defaults.
  const isCompared = (text: string) => /\| Default +\|/.test(text);
  const unexplained = paragraphs.filter(({ text }) => !text.includes("npm run bench") && !isCompared(text));
  const wrong = unexplained.filter(({ text }) => size.test(text));
  expect(wrong.map(({ file, text }) => `${file}: ${size.exec(text)}`)).toEqual([]);
});

test("no text repeats a setting's default next to its name", () => {
  const names = processNames.flatMap((name) => processSettings[name].map((setting) => setting.name));
  const stated = new RegExp(`\`(${[...new Set(names)].join("|")})\`[^.;|\\n]{0,20}\\(\\d`);
  const texts = files.filter((file) => file.endsWith(".md"));
  expect(texts.flatMap((file) => stated.exec(read(file)) ?? [])).toEqual([]);
});

test("the mesh is a graph without cycles, and names every service there is", () => {
  expect([...processNames].sort()).toEqual([...services, "gateway"].sort());
  // Callees precede their callers, which is impossible with a cycle.
  for (const [index, name] of processNames.entries()) {
    for (const callee of mesh[name].calls) expect(processNames.indexOf(callee)).toBeLessThan(index);
  }
});

test("every list and map of a request has a limit", () => {
  const rpcs = protoServices.flatMap((service) => service.methods);
  expect(rpcs.flatMap(({ input }) => unlimited(input))).toEqual([]);
});

/** Lists the message's fields, including nested ones, that accept any number of values. Free JSON is one value. */
function unlimited(desc: DescMessage, seen = new Set<DescMessage>()): string[] {
  if (seen.has(desc) || desc.typeName.startsWith("google.protobuf.")) return [];
  seen.add(desc);
  return desc.fields.flatMap((field) => {
    const max = field.fieldKind === "list" ? itemsMax(field) : field.fieldKind === "map" ? pairsMax(field) : 1;
    const within = field.message === undefined ? [] : unlimited(field.message, seen);
    return Number.isFinite(max) ? within : [field.toString(), ...within];
  });
}
