// Bundles of JavaScript from our TypeScript and the libraries it imports: Node strips no types below node_modules, and a
// process that loads few files starts in half the time.

import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import protobuf from "protobufjs";

export const root = resolve(import.meta.dirname, "../..");

/** What libraries in CommonJS expect to be there. */
const commonJs = `
import { createRequire as createRequireOfBundle } from "node:module";
const require = createRequireOfBundle(import.meta.url);
const { dirname: __dirname, filename: __filename } = import.meta;
`;

/** Bundles the modules, each to the place of its source below `app`; answers the paths of all files that are in them. */
export async function bundle(modules: readonly string[], app: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...modules, ...threads.values()],
    outdir: app,
    outbase: ".",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: `node${process.versions.node}`,
    plugins: [healthProto, threadModules],
    // TypeORM tells entities and migrations by the names of their classes.
    keepNames: true,
    legalComments: "none",
    metafile: true,
    logLevel: "error",
    banner: { js: commonJs },
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

/** Modules that run as threads, by the files that start them. */
const threads = new Map([
  ["services/catalog/src/tasks/read-import.ts", "services/catalog/src/tasks/import-worker.ts"],
  ["services/catalog/src/uploads/read-upload.ts", "services/catalog/src/uploads/worker.ts"],
]);

/** A thread's module is named relative to the file that starts it, which is in a chunk of the bundle. */
const threadModules: Plugin = {
  name: "thread-modules",
  setup({ onLoad }) {
    onLoad({ filter: /read-(?:import|upload)\.ts$/ }, async ({ path }) => {
      const thread = threads.get(relative(root, path));
      if (thread === undefined) return undefined;
      const source = await readFile(path, "utf8");
      const own = `new URL("./${basename(thread)}", import.meta.url)`;
      if (!source.includes(own)) throw new Error(`${path} starts its thread in another way`);
      const compiled = JSON.stringify(thread.replace(/\.ts$/, ".js"));
      // All of the bundle is below the folder app.
      const folder = `import.meta.url.slice(0, import.meta.url.lastIndexOf("/app/") + "/app/".length)`;
      return { contents: source.replace(own, `new URL(${compiled}, ${folder})`), loader: "ts" };
    });
  },
};

/** grpc-health-check reads its proto from its own folder at start; a bundle has none, so the parsed proto goes into it. */
const healthProto: Plugin = {
  name: "health-proto",
  setup({ onLoad }) {
    onLoad({ filter: /grpc-health-check\/build\/src\/health\.js$/ }, async ({ path }) => {
      const proto = await protobuf.load(join(dirname(path), "../../proto/health/v1/health.proto"));
      const load = "loadSync)('health/v1/health.proto'";
      const source = await readFile(path, "utf8");
      if (!source.includes(load)) throw new Error("grpc-health-check loads its proto in another way");
      return {
        contents: source.replace(load, `fromJSON)(${JSON.stringify(proto.toJSON())}`).replace(/includeDirs:.*/, ""),
      };
    });
  },
};
