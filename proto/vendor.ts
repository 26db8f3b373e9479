// Third-party protos for buf, printed from descriptors in npm packages, as far as a compiler needs them (types, numbers, extension
// ranges): google/api from protobufjs, buf/validate from @bufbuild/protovalidate. They are checked in, so that buf alone builds a clone.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clone, fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { printProto } from "./publish/print.ts";

/** Their paths and contents. `env` has buf in its PATH. */
export function vendorFiles(env: NodeJS.ProcessEnv): Map<string, string> {
  const files = [...googleApi(env), file_buf_validate_validate.proto];
  return new Map(files.map((file) => [file.name, printed(file)]));
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
    // Alone: buf has the files of google/protobuf itself.
    const names = ["google/api/annotations.proto", "google/api/http.proto"];
    for (const name of names) cpSync(join(protobufjs, name), join(directory, name));
    const image = execFileSync("buf", ["build", directory, "--as-file-descriptor-set", "-o", "-"], { env });
    return fromBinary(FileDescriptorSetSchema, image).file.filter(({ name }) => names.includes(name));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Their options are for languages that nobody generates here. */
function printed(file: FileDescriptorProto): string {
  const copy = clone(FileDescriptorProtoSchema, file);
  delete copy.options;
  return printProto(copy, () => "");
}
