// The TypeScript example consumer, set up as its README says, with types generated from the published schema.

import { execFile, spawn } from "node:child_process";
import { cp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { published } from "@ems/proto/published";
import { afterAll, beforeAll, test } from "vitest";
import { expectEachOnce, type ReaderMesh, shortenAckWait, startReaderMesh } from "./example-consumer.ts";

const root = join(import.meta.dirname, "../..");
const dir = await temporaryDir("ems-test-example-");
let mesh: ReaderMesh;

beforeAll(async () => {
  mesh = await startReaderMesh();
  await cp(join(root, "deploy/example/events/typescript"), dir, { recursive: true });
  await shortenAckWait(join(dir, "consumer.ts"), "ack_wait: nanos(30_000)");
  await symlink(join(root, "test/node_modules"), join(dir, "node_modules"));
  const image = join(dir, "schema.binpb");
  await writeFile(image, toBinary(FileDescriptorSetSchema, published));
  const bin = join(root, "proto/node_modules/.bin");
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  await promisify(execFile)(join(bin, "buf"), ["generate", image, "--template", "buf.gen.yaml"], { cwd: dir, env });
});
afterAll(async () => {
  await mesh?.close();
  await rm(dir, { recursive: true, force: true });
});

test("the example reads every event once, over a kill -9 and a restart", { retry: 0 }, () =>
  expectEachOnce(mesh, dir, () =>
    spawn(process.execPath, ["consumer.ts"], { cwd: dir, env: mesh.env(dir), stdio: ["ignore", "inherit", "inherit"] }),
  ),
);
