// The TypeScript example with the packed @ems/proto; its libraries are this workspace's, in the versions that it pins.

import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { expectEveryCall, openExample } from "./examples.ts";

const root = join(import.meta.dirname, "../..");
const example = await openExample("typescript");

beforeAll(async () => {
  const modules = join(example.folder, "node_modules");
  const { dependencies } = JSON.parse(await readFile(join(example.folder, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, "test/node_modules", name), join(modules, name));
  }
  const [tarball = ""] = (await readdir(example.schema)).filter((name) => name.endsWith(".tgz"));
  const proto = join(modules, "@ems/proto");
  await mkdir(proto, { recursive: true });
  await example.run("tar", ["-xzf", join(example.schema, tarball), "-C", proto, "--strip-components=1"]);
  await mkdir(join(proto, "node_modules/@bufbuild"), { recursive: true });
  await symlink(join(modules, "@bufbuild/protobuf"), join(proto, "node_modules/@bufbuild/protobuf"));
});

test("its dependencies are those of the workspace", async () => {
  const { dependencies } = JSON.parse(await readFile(join(example.folder, "package.json"), "utf8"));
  const { catalog } = parse(await readFile(join(root, "pnpm-workspace.yaml"), "utf8"));
  const pinned = Object.keys(dependencies).map((name) => [name, catalog[name]]);
  expect(dependencies).toEqual(Object.fromEntries(pinned));
});

test("it is well typed", async () => {
  const options = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2024",
    skipLibCheck: true,
    types: ["node"],
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    typeRoots: [join(root, "node_modules/@types")],
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const checked = await example.run("tsc", [...args, "client.ts"]);
  expect([checked.stdout, checked.code]).toEqual(["", 0]);
});

test("it creates, lists, reports, sends a trace, and explains errors", async () => {
  await expectEveryCall(example, (command, env) => example.run(process.execPath, ["client.ts", command], env));
});
