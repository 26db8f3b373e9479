// Published schema of the current protos, for gRPC reflection. Computed from the generated descriptors.

import { create, type DescFile } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_ems_events_v1_event } from "../gen/ems/events/v1/event_pb.ts";
import { file_ems_type_v1_error_reason } from "../gen/ems/type/v1/error_reason_pb.ts";
import { services } from "../gen/services.ts";
import { publishedSchema } from "./strip.ts";

/** Returns the files and everything they import, each file after its imports. */
export function withImports(roots: Iterable<DescFile>, files = new Set<DescFile>()): ReadonlySet<DescFile> {
  for (const file of roots) {
    if (files.has(file)) continue;
    withImports(file.dependencies, files);
    files.add(file);
  }
  return files;
}

/** Files with public types that no RPC uses. */
const further = [file_ems_events_v1_event, file_ems_type_v1_error_reason];
const all = withImports([...services.map(({ file }) => file), ...further]);

/** Every public service, message and event type, without custom options and comments. */
export const published = publishedSchema(create(FileDescriptorSetSchema, { file: [...all].map(({ proto }) => proto) }));
