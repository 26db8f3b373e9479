// Import rules that package.json and its `exports` cannot express.

import { builtinModules } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  getImports,
  getLoadedImports,
  getPackage,
  getRelativeImports,
  isTest,
  manifests,
  product,
  services,
  sources,
} from "./sources.ts";

/** Deployment files that only developers run may import development dependencies. */
const isShipped = (file: string) => /^(services|gateway)\/|^deploy\/(?!helm\/|dev\/|image\/)/.test(file);

/** Permitted dependencies of each package on others of the repository; test packages may depend on all. */
const mayDependOn: Readonly<Record<string, readonly string[]>> = {
  proto: [],
  "services/kit": ["proto"],
  "services/archive": ["kit"],
  "services/assertions": ["kit"],
  "services/prices": [],
  "services/users": ["proto", "kit"],
  "services/results": ["proto", "kit"],
  "services/traces-client": ["proto", "kit"],
  ...Object.fromEntries(
    services.map((name) => [
      `services/${name}`,
      ["proto", "kit", "archive", "assertions", "prices", "results", "traces-client", "users"],
    ]),
  ),
  gateway: ["proto", "kit"],
  // Runs in a browser, and knows the API by its OpenAPI document.
  "gateway/console": [],
  deploy: ["proto", "kit", "archive", "gateway", ...services],
};

test("packages depend one way: proto ← kit and libraries ← services and gateway ← deploy ← dev, cli, image and test", () => {
  const wrong = Object.entries(mayDependOn).flatMap(([folder, allowed]) =>
    Object.keys(manifests.get(folder)?.dependencies ?? {})
      .filter((name) => name.startsWith("@ems/") && !allowed.includes(name.slice("@ems/".length)))
      .map((name) => `${folder} depends on ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("what ships imports what its package depends on, and nothing that is there for tests only", () => {
  const wrong = product.filter(isShipped).flatMap((file) => {
    const { name: own = "", dependencies = {} } = manifests.get(getPackage(file)) ?? {};
    return getImports(file)
      .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
      .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "")
      .filter((name) => name !== own && !Object.hasOwn(dependencies, name) && !builtinModules.includes(name))
      .map((name) => `${file} imports ${name}`);
  });
  expect(wrong).toEqual([]);
});

test("no file reaches out of its package by a relative path", () => {
  const wrong = sources.flatMap((file) =>
    getRelativeImports(file)
      .filter((target) => getPackage(target) !== getPackage(file))
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("a resource of a service imports another one only through its index.ts", () => {
  // The folders of experiments are groups of resources.
  const getResource = (file: string) =>
    /^services\/(?:experiments\/src\/[^/]+|(?!kit\/|experiments\/)[^/]+\/src)\/([^/]+)\//.exec(file)?.[1];
  const wrong = product.flatMap((file) =>
    getRelativeImports(file)
      .filter((target) => getResource(file) && getResource(target) && getResource(target) !== getResource(file))
      .filter((target) => !target.endsWith("/index.ts"))
      .map((target) => `${file} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("a request's budget is used only through its index.ts", () => {
  const isInside = (file: string) => file.startsWith("gateway/src/budget/");
  const wrong = product
    .filter((file) => !isInside(file))
    .flatMap((file) => getRelativeImports(file).filter(isInside))
    .filter((target) => !target.endsWith("/index.ts"));
  expect(wrong).toEqual([]);
});

test("no package has a circle of imports, types included", () => {
  const graph = new Map(sources.filter((file) => !isTest(file)).map((file) => [file, getRelativeImports(file)]));
  expect(circles(graph)).toEqual([]);
});

test.each([
  ["services/evaluation/src/service.ts", "the AI SDK", /^(ai|@ai-sdk\/.*)$/],
  ["services/notifications/src/service.ts", "mail libraries", /^(nodemailer|postal-mime)$/],
  ["gateway/src/server.ts", "the OpenID client", /^openid-client$/],
  ["gateway/src/server.ts", "the API reference's texts", /^@ems\/proto\/comments$/],
])("%s does not load %s with its start: most installations would only have them in memory", (entry, _, onDemand) => {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const specifier of getLoadedImports(file))
      if (specifier.startsWith(".")) loaded.add(join(file, "..", specifier));
  }
  const wrong = [...loaded].flatMap((file) =>
    getLoadedImports(file)
      .filter((specifier) => onDemand.test(specifier))
      .map((specifier) => `${file} imports ${specifier}`),
  );
  expect(wrong).toEqual([]);
  // These packages are loaded on demand.
  expect(product.some((file) => getImports(file).some((specifier) => onDemand.test(specifier)))).toBe(true);
});

/** Lists import cycles, that is, groups of files that reach each other (Tarjan's algorithm). */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const indices = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const index = indices.size;
    indices.set(file, index);
    stack.push(file);
    let low = index;
    for (const target of graph.get(file) ?? []) {
      if (!indices.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, lowest.get(target) ?? indices.get(target) ?? low);
    }
    lowest.set(file, low);
    if (low === index) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) found.push(group);
    }
    return low;
  };
  for (const file of graph.keys()) if (!indices.has(file)) visit(file);
  return found;
}
