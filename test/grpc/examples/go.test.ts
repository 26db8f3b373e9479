// The example in Go as its page says: go downloads the modules that go.mod pins.

import { expect, test } from "vitest";
import { expectEveryCall, openExample } from "../examples.ts";
import { isInstalled } from "./toolchain.ts";

test.skipIf(!isInstalled("go", "version"))("it is generated, vetted and does what it says", async () => {
  const example = await openExample("go");
  const succeed = async (command: string, ...args: string[]) => {
    const { code, stderr } = await example.run(command, args);
    expect([command, args, code, stderr]).toEqual([command, args, 0, expect.any(String)]);
  };
  await succeed("go", "mod", "download");
  await succeed("buf", "generate", "schema/proto");
  await succeed("go", "vet", "./...");
  await succeed("go", "build", "-o", "ems-client", ".");
  await expectEveryCall(example, (command, env) => example.run("./ems-client", [command], env));
});
