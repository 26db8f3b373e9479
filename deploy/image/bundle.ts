// Bundles of JavaScript from our TypeScript and the libraries it imports: Node strips no types below node_modules, and a
// process that loads few files starts in half the time.

import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
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
    entryPoints: [...modules],
    outdir: app,
    outbase: ".",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: `node${process.versions.node}`,
    plugins: [healthProto],
    // TypeORM tells entities and migrations by the names of their classes.
    keepNames: true,
    legalComments: "none",
    metafile: true,
    logLevel: "error",
    banner: { js: commonJs },
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

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
