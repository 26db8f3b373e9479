// The Go and Python example consumers, set up as their README says, with the packages that their files pin.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isInstalled } from "../../grpc/examples/toolchain.ts";
import { openFolder } from "../../grpc/examples.ts";
import { expectEachOnce, type ReaderMesh, shortenAckWait, startReaderMesh } from "../example-consumer.ts";

let mesh: ReaderMesh;
beforeAll(async () => {
  mesh = await startReaderMesh();
});
afterAll(() => mesh?.close());

async function openConsumer(language: string) {
  const { folder, run } = await openFolder(`deploy/example/events/${language}`);
  const succeed = async (command: string, ...args: string[]) => {
    const { code, stdout, stderr } = await run(command, args);
    expect([command, args, code, code === 0 ? "" : stderr]).toEqual([command, args, 0, ""]);
    return stdout;
  };
  const expectOnce = (command: string, args: readonly string[], settings: NodeJS.ProcessEnv = {}) =>
    expectEachOnce(mesh, folder, () => {
      const env = { ...mesh.env(folder), ...settings };
      return spawn(command, args, { cwd: folder, env, stdio: ["ignore", "inherit", "inherit"] });
    });
  return { folder, succeed, expectOnce };
}

test.skipIf(!isInstalled("go", "version"))("Go: every event once, over a kill -9 and a restart", async () => {
  const { folder, succeed, expectOnce } = await openConsumer("go");
  await shortenAckWait(join(folder, "main.go"), "30 * time.Second,\n\t\tMaxAckPending");
  await succeed("go", "mod", "download");
  await succeed("buf", "generate", "schema/proto");
  await succeed("go", "vet", "./...");
  await succeed("go", "build", "-o", "ems-events", ".");
  await expectOnce(join(folder, "ems-events"), []);
});

test.skipIf(!isInstalled("python3", "--version"))(
  "Python: every event once, over a kill -9 and a restart",
  async () => {
    const { folder, succeed, expectOnce } = await openConsumer("python");
    await shortenAckWait(join(folder, "consumer.py"), "ack_wait=30");
    const python = join(folder, ".venv/bin/python");
    await succeed("python3", "-m", "venv", ".venv");
    await succeed(python, "-m", "pip", "install", "--quiet", "-r", "requirements.txt");
    await succeed("mkdir", "gen");
    const files = (await succeed("find", "schema/proto/ems", "-name", "*.proto")).trim().split("\n");
    await succeed(python, "-m", "grpc_tools.protoc", "-I", "schema/proto", "--python_out=gen", ...files);
    await expectOnce(python, ["consumer.py"], { PYTHONPATH: "gen" });
  },
);
