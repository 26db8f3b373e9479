// Tests the artifacts as users get them: in a separate directory, without the repository's code.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clone, createFileRegistry, fromBinary, toJson } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { published } from "@ems/proto/published";
import { afterAll, beforeAll, expect, test } from "vitest";
import { artefacts, writeArtefacts } from "./main.ts";

const root = join(import.meta.dirname, "../../..");
const directory = mkdtempSync(join(tmpdir(), "ems-schema-"));
const buf = (...args: string[]) => execFileSync(join(root, "proto/node_modules/.bin/buf"), args, { encoding: "utf8" });
const tree = join(directory, artefacts.tree);
let set: FileDescriptorSet;

beforeAll(() => {
  writeArtefacts(directory);
  set = fromBinary(FileDescriptorSetSchema, readFileSync(join(directory, artefacts.descriptors)));
});
afterAll(() => rmSync(directory, { recursive: true }));

const texts = () =>
  readdirSync(tree, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".proto"))
    .map((path) => readFileSync(join(tree, path), "utf8"));

test("buf alone builds and lints the proto tree, which imports only itself and google/protobuf", () => {
  const alone = join(directory, "alone");
  cpSync(tree, alone, { recursive: true });
  buf("build", alone);
  buf("lint", alone, "--config", '{"version": "v2", "lint": {"use": ["MINIMAL", "COMMENTS"]}}');
  const imports = texts().flatMap((text) => [...text.matchAll(/^import "(.*)";$/gm)].map(([, path]) => path));
  expect(imports.filter((path) => !/^(ems|google\/protobuf)\//.test(path ?? ""))).toEqual([]);
  expect(texts().filter((text) => !text.startsWith('syntax = "proto3";'))).toEqual([]);
});

test("the descriptor set is the published schema, with comments", () => {
  expect([...createFileRegistry(set).files].length).toBe(set.file.length);
  const withoutSource = ({ file }: FileDescriptorSet) =>
    new Map(
      file.map((each) => {
        const copy = clone(FileDescriptorProtoSchema, each);
        delete copy.sourceCodeInfo;
        return [each.name, toJson(FileDescriptorProtoSchema, copy)];
      }),
    );
  expect(withoutSource(set)).toEqual(withoutSource(published));
  const topics = set.file.find(({ name }) => name === "ems/catalog/v1/topic_service.proto");
  const comments = topics?.sourceCodeInfo?.location.map(({ leadingComments }) => leadingComments).join("\n");
  expect(comments).toContain("Creates a topic.");
  expect(comments).toContain("REST: POST /v0/topics, 201.");
  expect(comments).toContain("Accepts an idempotency key.");
  expect(comments).toContain("Rules: required; at least 1 character.");
});

test("comments of events have their type, comments of limited RPCs their limit", () => {
  const all = texts().join("\n");
  expect(all).toContain("// Event type: topic.created; published by catalog.");
  expect(all).toContain("// Rate limit: ingest, in addition to those of all requests.");
});

test("comments of enum values have their REST words", () => {
  const all = texts().join("\n");
  expect(all).toMatch(/\/\/ REST: createdAt\.\n +TOPIC_ORDER_CREATED_AT = /);
  // For other enums, the REST word is the name without its prefix, so no comment is needed.
  expect(all).not.toMatch(/\/\/ REST: .*\n +TOPIC_STATUS_/);
});

test("no comment has a placeholder or names an internal option", () => {
  const comments = texts().flatMap((text) => text.match(/^ *\/\/.*/gm) ?? []);
  expect(comments.length).toBeGreaterThan(1000);
  expect(comments.filter((line) => /\{(?:[A-Z_]+|\w+(?:Max|Ms))\}/.test(line))).toEqual([]);
  expect(comments.filter((line) => /\((?:ems|buf\.validate|google\.api)\./.test(line))).toEqual([]);
});

test("a client compiles and runs with the npm package in an empty folder", () => {
  const folder = join(directory, "client");
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@ems"), { recursive: true });
  execFileSync("tar", ["-xzf", join(directory, artefacts.npm), "-C", join(modules, "@ems")]);
  cpSync(join(modules, "@ems/package"), join(modules, "@ems/proto"), { recursive: true });
  // Link the dependencies that npm would install to those in the repository.
  const link = (name: string, from: string) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, from, "node_modules", name), join(modules, name));
  };
  link("@bufbuild/protobuf", "gateway");
  link("@connectrpc/connect", "gateway");
  link("@connectrpc/connect-node", "gateway");
  link("@types/node", ".");
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(
    join(folder, "client.ts"),
    `import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { TopicService, TopicStatus } from "@ems/proto/catalog/v1/topic_service";
import { EventSchema } from "@ems/proto/events/v1/event";
import { ErrorReason } from "@ems/proto/type/v1/error_reason";

const client = createClient(TopicService, createGrpcTransport({ baseUrl: "http://localhost:1" }));
export const titles = async (): Promise<string[]> =>
  (await client.listTopics({ status: [TopicStatus.ACTIVE] })).data.map(({ title }) => title);
console.log(TopicService.typeName, EventSchema.typeName, ErrorReason[ErrorReason.RATE_LIMITED]);
`,
  );
  const options = [
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "esnext",
    "--types",
    "node",
    "--skipLibCheck",
    "false",
  ];
  execFileSync(join(root, "test/node_modules/.bin/tsc"), ["client.ts", ...options], { cwd: folder, encoding: "utf8" });
  const output = execFileSync(process.execPath, ["client.js"], { cwd: folder, encoding: "utf8" });
  expect(output).toBe("ems.catalog.v1.TopicService ems.events.v1.Event RATE_LIMITED\n");
});

test("each public event has a self-contained JSON Schema", () => {
  const folder = join(directory, artefacts.events);
  const event = set.file.find(({ name }) => name === "ems/events/v1/event.proto");
  const types = event?.sourceCodeInfo?.location.flatMap(
    ({ leadingComments }) => leadingComments.match(/(?<=^ Event type: )\S+(?=;)/gm) ?? [],
  );
  expect(readdirSync(folder).sort()).toEqual(types?.map((type) => `${type}.schema.json`).sort());
  const text = readFileSync(join(folder, "topic.created.schema.json"), "utf8");
  const schema = JSON.parse(text);
  expect(schema).toMatchObject({ $ref: "#/$defs/TopicCreatedEvent" });
  expect(schema.$defs.TopicCreatedEvent.properties.type.enum).toEqual(["topic.created"]);
  const references = [...text.matchAll(/"\$ref": "(.*)"/g)].map(([, reference]) => reference);
  expect(references.length).toBeGreaterThan(0);
  const definitions = Object.keys(schema.$defs).map((name) => `#/$defs/${name}`);
  expect(references.filter((reference) => !definitions.includes(reference ?? ""))).toEqual([]);
});

test("the OpenAPI document has the version and all routes", () => {
  const document = JSON.parse(readFileSync(join(directory, artefacts.openApi), "utf8"));
  expect(document).toMatchObject({ openapi: "3.1.0", info: { version: expect.stringMatching(/^\d+\.\d+\.\d+/) } });
  expect(Object.keys(document.paths)).toContain("/v0/topics");
});
