// The image can be built from a clean clone: a build in the source tree also reads files that are not in the build context.

import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contextFiles, layOutContext } from "./build-context.ts";

let context: string;
beforeAll(async () => {
  context = await temporaryDir("ems-test-context-");
  await layOutContext(context);
});
afterAll(() => rm(context, { recursive: true, force: true }));

const runInContext = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: context });

test("what the Dockerfile builds is made of files and packages that it is sent", async () => {
  // Bundles of every command, and the console without the slow part of its build: minification and compression.
  const { stdout } = await runInContext(
    "--input-type=module",
    "--eval",
    `import { commands } from "./deploy/commands.ts";
    import { bundle } from "./deploy/image/bundle.ts";
    import { build } from "./gateway/console/node_modules/vite/dist/node/index.js";
    const modules = ["deploy/main.ts", ...Object.values(commands).map(({ module }) => module)];
    const sources = await bundle(modules, "bundled");
    await build({ configFile: "gateway/console/vite.config.ts", logLevel: "error", build: { outDir: "built", minify: false } });
    process.stdout.write(JSON.stringify(sources));`,
  );
  const own = (JSON.parse(stdout) as string[]).filter((file) => !file.includes("node_modules/"));
  expect(own.length).toBeGreaterThan(500);
  const files = new Set(await contextFiles());
  // The image build generates these from the protos.
  expect(own.filter((file) => !files.has(file))).toEqual(["proto/gen/comments.ts"]);
  expect(await readFile(join(context, "gateway/console/built/index.html"), "utf8")).toContain("/console/assets/");
});

test("tests, secrets, the history and the packages of this machine are not sent", async () => {
  const files = await contextFiles();
  expect(files).toContain("tsconfig.json");
  const stray =
    /(^|\/)(node_modules|\.git|\.env|\.npmrc|\.data|dist)(\/|$)|\.test\.ts$|^test\/(?!.*package\.json$)|^\.ci\//;
  expect(files.filter((file) => stray.test(file))).toEqual([]);
});
