// The page "Call it from your service": its commands work in a reader's shell.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";
import { isInstalled } from "./examples/toolchain.ts";

const page = await readFile(join(import.meta.dirname, "../../deploy/example/grpc/README.md"), "utf8");
const { apiKey, api } = await newTenant();
const env = { ...process.env, EMS_GRPC: new URL(inject("product").grpcUrl).host, EMS_API_KEY: apiKey };

/** Lists the commands that begin with a word, including their continuation lines. */
const commands = (program: string): string[] => {
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block.replaceAll("\\\n", ""));
  return blocks.flatMap((block) => block.split("\n")).filter((line) => line.startsWith(`${program} `));
};

const run = async (command: string) => (await promisify(execFile)("sh", ["-c", command], { env })).stdout;

test("curl creates the topic of the page", async () => {
  const [create = "", ...further] = commands("curl");
  expect(further).toEqual([]);
  const { data } = JSON.parse(await run(create));
  expect(data.title).toBe("Opening an account");
  expect((await api.get(`/v0/topics/${data.id}`)).body.data.title).toBe("Opening an account");
});

test.skipIf(!isInstalled("grpcurl", "-version"))("grpcurl lists, describes and calls", async () => {
  const [list = "", describe = "", call = "", ...further] = commands("grpcurl");
  expect(further).toEqual([]);
  expect(await run(list)).toContain("ems.catalog.v1.TopicService\n");
  expect(await run(describe)).toContain("rpc ListTopics");
  expect(JSON.parse(await run(call)).pagination.limit).toBe(5);
});

test.skipIf(!isInstalled("grpcurl", "-version"))("grpcurl shows the details of a refusal", async () => {
  const headers = '-H "x-api-key: $EMS_API_KEY"';
  const call = `grpcurl -plaintext ${headers} -d '{"id":"wrong"}' "$EMS_GRPC" ems.catalog.v1.TopicService/GetTopic`;
  const { stderr } = await run(call).then(
    () => ({ stderr: "" }),
    (error: { stderr: string }) => error,
  );
  expect(stderr).toContain("google.rpc.ErrorInfo");
  expect(stderr).not.toContain("not recognized");
});
