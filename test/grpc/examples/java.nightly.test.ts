// The published schema in Java, used as its page says: Maven downloads protoc and the library.

import { chmod, cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFolder } from "../examples.ts";
import { isInstalled } from "./toolchain.ts";

const version = "4.31.1";
const platform = process.platform === "darwin" ? "osx" : "linux";
const machine = process.arch === "arm64" ? "aarch_64" : "x86_64";

test.skipIf(!isInstalled("javac", "-version") || !isInstalled("mvn", "-version"))("it compiles and runs", async () => {
  const { folder, run } = await openFolder("test/grpc/examples/java");
  const succeed = async (command: string, ...args: string[]) => {
    const { code, stdout, stderr } = await run(command, args);
    expect([command, code, code === 0 ? "" : stdout + stderr]).toEqual([command, 0, ""]);
    return stdout.trim();
  };
  const fetch = (artifact: string) =>
    succeed(
      "mvn",
      "-B",
      "-q",
      "dependency:copy",
      `-Dartifact=com.google.protobuf:${artifact}`,
      "-DoutputDirectory=lib",
    );
  await fetch(`protobuf-java:${version}`);
  await fetch(`protoc:${version}:exe:${platform}-${machine}`);
  const protoc = join(folder, "lib/protoc");
  await cp(join(folder, `lib/protoc-${version}-${platform}-${machine}.exe`), protoc);
  await chmod(protoc, 0o755);
  const files = (await succeed("find", "schema/proto", "-name", "*.proto")).split("\n");
  const names = files.map((file) => file.replace("schema/proto/", ""));
  await succeed("mkdir", "source");
  await succeed(protoc, "--descriptor_set_in=schema/ems.binpb", "--java_out=source", ...names);
  const sources = (await succeed("find", "source", "-name", "*.java")).split("\n");
  const library = join(folder, `lib/protobuf-java-${version}.jar`);
  await succeed("javac", "-cp", library, "-d", "classes", "Main.java", ...sources);
  expect(await succeed("java", "-cp", `classes:${library}`, "Main")).toBe("Opening an account TOPIC_STATUS_DRAFT");
});
