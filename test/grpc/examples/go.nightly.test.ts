// The Go example, run as its page says: go downloads the modules that go.mod pins.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectEveryCall, openExample, openFolder } from "../examples.ts";
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

const options = `syntax = "proto3";
package shop;
import "google/protobuf/descriptor.proto";
extend google.protobuf.MethodOptions {
  string owner = 50001;
}
`;
const program = `package main

import (
	"fmt"

	catalogv1 "example.com/ems-client/gen/ems/catalog/v1"
	"example.com/ems-client/gen/shop"
)

func main() {
	fmt.Println(catalogv1.TopicService_CreateTopic_FullMethodName, shop.E_Owner.TypeDescriptor().Number())
}
`;

test.skipIf(!isInstalled("go", "version"))(
  "a program starts that has options of its company's under our numbers",
  async () => {
    const { folder, run } = await openFolder("deploy/example/grpc/go");
    const write = async (path: string, text: string) => {
      await mkdir(join(folder, path, ".."), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    await write("own/shop/options.proto", options);
    await write("program/main.go", program);
    for (const source of ["schema/proto", "own"])
      expect(await run("buf", ["generate", source])).toMatchObject({ code: 0 });
    expect(await run("go", ["run", "./program"])).toMatchObject({
      stdout: "/ems.catalog.v1.TopicService/CreateTopic 50001\n",
      code: 0,
    });
  },
);
