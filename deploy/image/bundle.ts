// Bundles our TypeScript and the libraries that it imports into JavaScript, because Node does not strip types below
// node_modules, and because a process that loads few files starts in half the time.

import { copyFile, glob, mkdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { writeComments } from "@ems/proto/write-comments";
import { build, type Plugin } from "esbuild";
import protobuf from "protobufjs";

export const root = resolve(import.meta.dirname, "../..");

/** Code that defines the globals that CommonJS libraries expect. */
const commonJs = `
import { createRequire as createRequireOfBundle } from "node:module";
const require = createRequireOfBundle(import.meta.url);
const { dirname: __dirname, filename: __filename } = import.meta;
`;

/** Bundles each module to the path of its source, below `app`. Returns the paths of all bundled source files. */
export async function bundle(modules: readonly string[], app: string): Promise<string[]> {
  writeComments();
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...modules, ...(await findThreads())],
    outdir: app,
    outbase: ".",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: `node${process.versions.node}`,
    plugins: [healthProto, ownPlaces],
    // Keep class names, by which TypeORM identifies entities and migrations.
    keepNames: true,
    legalComments: "none",
    metafile: true,
    logLevel: "error",
    banner: { js: commonJs },
  });
  await copyRead(app);
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

/** Matches the URL expression with which a source file starts another module as a worker thread. */
const threadModule = /new URL\("(\.\/[^"]+)\.ts", import\.meta\.url\)/g;

/** Finds modules that run as worker threads. No module imports them, so they need their own entry points. */
async function findThreads(): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob("{services,gateway}/**/src/**/*.ts", {
    cwd: root,
    exclude: ["**/node_modules", "**/*.test.ts"],
  })) {
    const source = await readFile(join(root, path), "utf8");
    for (const [, module] of source.matchAll(threadModule)) found.push(`${join(dirname(path), module ?? "")}.ts`);
  }
  return found;
}

/** Copies files that sources read by path at run time: SQL schemas and their dumps. */
async function copyRead(app: string): Promise<void> {
  for await (const path of glob("services/*/{schema.txt,src/**/*.sql}", { cwd: root, exclude: ["**/node_modules"] })) {
    await mkdir(dirname(join(app, path)), { recursive: true });
    await copyFile(join(root, path), join(app, path));
  }
}

/** Lets bundled sources find files relative to their original path, although the code runs from a chunk. */
const ownPlaces: Plugin = {
  name: "own-places",
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:services|gateway)\/.*\.ts$/ }, async ({ path }) => {
      const place = relative(root, path);
      if (place.includes("node_modules")) return undefined;
      const source = await readFile(path, "utf8");
      if (!source.includes("import.meta.url")) return undefined;
      // The whole bundle is in a folder named app.
      const folder = `import.meta.url.slice(0, import.meta.url.lastIndexOf("/app/") + "/app/".length)`;
      const own = `(${folder} + ${JSON.stringify(place)})`;
      const contents = source
        .replaceAll(threadModule, 'new URL("$1.js", import.meta.url)')
        .replaceAll("import.meta.url", () => own);
      return { contents, loader: "ts" };
    });
  },
};

/** Inlines the proto that grpc-health-check reads from its own folder at startup: a bundle has no such folder. */
const healthProto: Plugin = {
  name: "health-proto",
  setup({ onLoad }) {
    onLoad({ filter: /grpc-health-check\/build\/src\/health\.js$/ }, async ({ path }) => {
      const proto = await protobuf.load(join(dirname(path), "../../proto/health/v1/health.proto"));
      const load = "loadSync)('health/v1/health.proto'";
      const source = await readFile(path, "utf8");
      if (!source.includes(load))
        throw new Error("grpc-health-check loads its proto in an unexpected way: adapt the plugin health-proto");
      return {
        contents: source.replace(load, `fromJSON)(${JSON.stringify(proto.toJSON())}`).replace(/includeDirs:.*/, ""),
      };
    });
  },
};
