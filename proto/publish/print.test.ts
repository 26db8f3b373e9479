import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clone, create, fromBinary, toJson } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, test } from "vitest";
import { printProto } from "./print.ts";
import { published } from "./published.ts";

const buf = join(import.meta.dirname, "../node_modules/.bin/buf");
const directory = mkdtempSync(join(tmpdir(), "ems-print-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Compiles `files` in a separate directory. */
function compiled(folder: string, files: ReadonlyMap<string, string>): FileDescriptorSet {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, folder, path)), { recursive: true });
    writeFileSync(join(directory, folder, path), text);
  }
  const args = ["build", join(directory, folder), "--as-file-descriptor-set", "--exclude-source-info", "-o", "-"];
  return fromBinary(FileDescriptorSetSchema, execFileSync(buf, args, { maxBuffer: 2 ** 26 }));
}

/** Returns the descriptors by path, as JSON, which omits default values. */
const byName = ({ file }: FileDescriptorSet) =>
  new Map(file.map((each) => [each.name, toJson(FileDescriptorProtoSchema, each)]));

test("printed protos of the published schema compile to the same descriptors", () => {
  const ours = published.file.filter(({ name }) => name.startsWith("ems/"));
  const printed = new Map(ours.map((file) => [file.name, printProto(file, () => "")]));
  const [expected, actual] = [byName(published), byName(compiled("published", printed))];
  for (const { name } of ours) expect({ [name]: actual.get(name) }).toEqual({ [name]: expected.get(name) });
});

test("every element of a proto file is printed", () => {
  const source = `syntax = "proto2";
package things.v1;
import "google/protobuf/descriptor.proto";
option go_package = "things/v1;thingsv1";
extend google.protobuf.FieldOptions {
  optional Thing thing = 51000;
}
service ThingService {
  option deprecated = true;
  rpc Get(Thing) returns (Thing);
  rpc Watch(stream Thing) returns (stream Thing) {
    option idempotency_level = IDEMPOTENT;
  }
}
enum Kind {
  option allow_alias = true;
  reserved 5, 7 to max;
  reserved "OLD";
  KIND_UNKNOWN = 0;
  KIND_NONE = 0 [deprecated = true];
}
message Thing {
  reserved 4, 8 to 9;
  reserved "old";
  required string name = 1 [default = "a \\"name\\"", json_name = "Name"];
  repeated int64 numbers = 2 [packed = true];
  map<string, Part> parts = 3;
  oneof which {
    Kind kind = 5;
    google.protobuf.FieldOptions options = 6;
  }
  extensions 100 to 199, 1000 to max;
  enum Size {
    SIZE_SMALL = 0;
  }
  message Part {
    optional things.v1.Thing.Size size = 1;
  }
}
message Empty {}
`;
  const first = compiled("source", new Map([["things/v1/things.proto", source]]));
  const file = first.file.find(({ name }) => name.startsWith("things/")) ?? create(FileDescriptorProtoSchema);
  const text = printProto(clone(FileDescriptorProtoSchema, file), () => "");
  const second = compiled("printed", new Map([[file.name, text]]));
  expect(byName(second).get(file.name)).toEqual(byName(first).get(file.name));
});

test("comments are printed above their elements, in lines of limited length", () => {
  const file = published.file.find(({ name }) => name === "ems/type/v1/pagination.proto");
  if (file === undefined) throw new Error("pagination.proto is not published");
  const long = `${"word ".repeat(40)}end`;
  const comments: Record<string, string> = {
    "ems.type.v1.Pagination": `First.\n\n${long}`,
    "ems.type.v1.Pagination.skip": "Rows before.",
  };
  const lines = printProto(file, (name) => comments[name] ?? "").split("\n");
  const first = lines.indexOf("// First.");
  expect(lines[first + 1]).toBe("//");
  expect(lines.slice(first).indexOf("message Pagination {")).toBeGreaterThan(2);
  expect(lines[lines.findIndex((line) => / skip = /.test(line)) - 1]).toBe("  // Rows before.");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
});
