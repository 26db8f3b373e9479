// Writes third-party protos for buf (google/api, buf/validate) from the npm packages protobufjs and protovalidate, with
// only what a compiler needs (types, numbers, extension ranges). They are checked in, so that buf alone builds a clone.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clone, fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { printProto } from "./publish/print.ts";

/** Returns the protos by path. `env` must have buf in its PATH. */
export function vendorFiles(env: NodeJS.ProcessEnv): Map<string, string> {
  const files = [...googleApi(env), file_buf_validate_validate.proto];
  return new Map(files.map((file) => [file.name, printWithoutOptions(file)]));
}

export function writeVendor(directory: string, files: ReadonlyMap<string, string>): void {
  rmSync(directory, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

function googleApi(env: NodeJS.ProcessEnv): FileDescriptorProto[] {
  const protobufjs = dirname(createRequire(import.meta.url).resolve("protobufjs/package.json"));
  const directory = mkdtempSync(join(tmpdir(), "ems-vendor-"));
  try {
    // Copy only these files, because buf itself provides google/protobuf.
    const names = ["google/api/annotations.proto", "google/api/http.proto"];
    for (const name of names) cpSync(join(protobufjs, name), join(directory, name));
    const image = execFileSync("buf", ["build", directory, "--as-file-descriptor-set", "-o", "-"], { env });
    return fromBinary(FileDescriptorSetSchema, image).file.filter(({ name }) => names.includes(name));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Prints a file without its options, which concern languages for which no code is generated here. */
function printWithoutOptions(file: FileDescriptorProto): string {
  const copy = clone(FileDescriptorProtoSchema, file);
  delete copy.options;
  return printProto(copy, () => "");
}
