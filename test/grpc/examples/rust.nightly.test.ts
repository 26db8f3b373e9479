// The published schema in Rust, from its descriptor set, without protoc: cargo downloads prost.

import { expect, test } from "vitest";
import { openFolder } from "../examples.ts";
import { isInstalled } from "./toolchain.ts";

test.skipIf(!isInstalled("cargo", "--version"))("it compiles and runs", async () => {
  const { run } = await openFolder("test/grpc/examples/rust");
  const { code, stdout, stderr } = await run("cargo", ["run", "--quiet"]);
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
  expect(stdout).toBe("Opening an account TOPIC_STATUS_DRAFT\n");
});
