// The Python example, run as its page says: pip downloads what requirements.txt pins.

import { join } from "node:path";
import { expect, test } from "vitest";
import { expectEveryCall, openExample } from "../examples.ts";
import { isInstalled } from "./toolchain.ts";

test.skipIf(!isInstalled("python3", "--version"))("it is generated and does what it says", async () => {
  const example = await openExample("python");
  const succeed = async (command: string, ...args: string[]) => {
    const { code, stderr } = await example.run(command, args);
    expect([command, args, code, stderr]).toEqual([command, args, 0, expect.any(String)]);
  };
  const python = join(example.folder, ".venv/bin/python");
  await succeed("python3", "-m", "venv", ".venv");
  await succeed(python, "-m", "pip", "install", "--quiet", "-r", "requirements.txt");
  const { stdout } = await example.run("find", ["schema/proto", "-name", "*.proto"]);
  const out = ["python_out", "pyi_out", "grpc_python_out"].map((name) => `--${name}=gen`);
  await succeed("mkdir", "gen");
  await succeed(python, "-m", "grpc_tools.protoc", "-I", "schema/proto", ...out, ...stdout.trim().split("\n"));
  const modules = (await example.run("find", ["gen", "-name", "*_pb2*.py"])).stdout.trim().split("\n");
  const imports = modules.map((path) => `import ${path.slice("gen/".length, -".py".length).replaceAll("/", ".")}`);
  expect(await example.run(python, ["-c", imports.join("\n")], { PYTHONPATH: "gen" })).toMatchObject({ code: 0 });
  await expectEveryCall(example, (command, env) =>
    example.run(python, ["client.py", command], { PYTHONPATH: "gen", ...env }),
  );
});
