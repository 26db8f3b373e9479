// grpc.reflection.v1: the served schema, for tools such as grpcurl. Written here because no package serves selected
// descriptors on Connect's router: the published ones, without internal options.

import { createFileRegistry, createRegistry, type DescFile, type Registry, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { Code } from "@ems/kit/errors";
import { BadRequestSchema } from "@ems/proto/google/rpc/error_details";
import { StatusSchema } from "@ems/proto/google/rpc/status";
import { Health } from "@ems/proto/grpc/health/v1/health";
import { ServerReflection, type ServerReflectionRequest } from "@ems/proto/grpc/reflection/v1/reflection";
import { LogsService } from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import { MetricsService } from "@ems/proto/opentelemetry/proto/collector/metrics/v1/metrics_service";
import { TraceService } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { published, withImports } from "@ems/proto/published";

/** Path of the same messages in v1alpha, which older tools call. */
export const alphaPath = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
export const reflectionPath = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

/** Services that the published schema lacks because their owners publish them. */
const unpublishedServices = [Health, ServerReflection, LogsService, MetricsService, TraceService];

/** One message from each file that defines error details: clients resolve the types of `Any` by their names. */
const errorDetails = [StatusSchema, BadRequestSchema, ViolationsSchema];

/**
 * Serves reflection. `names` are the services of the port; `charge` throws when the client sends too many requests,
 * since a stream has many.
 */
export function serveReflection(
  router: ConnectRouter,
  names: readonly string[],
  charge: (context: HandlerContext) => void,
): void {
  const files = new Files();
  const services = [...names, Health.typeName, ServerReflection.typeName].sort().map((name) => ({ name }));
  const listed = { case: "listServicesResponse", value: { service: services } } as const;
  router.rpc(ServerReflection.method.serverReflectionInfo, async function* (requests, context) {
    for await (const request of requests) {
      charge(context);
      const isList = request.messageRequest.case === "listServices";
      const messageResponse = isList ? listed : files.answer(request);
      yield { validHost: request.host, originalRequest: request, messageResponse };
    }
  });
}

class Files {
  readonly #types: Registry;
  readonly #files: ReadonlyMap<string, DescFile>;

  constructor() {
    const schema = createFileRegistry(published);
    const files = [...withImports([...unpublishedServices, ...errorDetails].map(({ file }) => file))];
    this.#types = createRegistry(schema, ...files);
    this.#files = new Map([...schema.files, ...files].map((file) => [`${file.name}.proto`, file]));
  }

  answer({ messageRequest: { case: kind, value } }: ServerReflectionRequest) {
    switch (kind) {
      case "fileByFilename":
        return descriptors(this.#files.get(value), value);
      case "fileContainingSymbol":
        return descriptors(findFile(this.#types, value), value);
      case "allExtensionNumbersOfType":
        return { case: "allExtensionNumbersResponse", value: { baseTypeName: value } } as const;
      case "fileContainingExtension":
        return missing(`Extension ${value.extensionNumber} of ${value.containingType}`);
      default:
        return missing("The requested name");
    }
  }
}

/** Finds the file of a service, message or enum, or of an RPC or field in one. */
function findFile(registry: Registry, symbol: string): DescFile | undefined {
  const found = registry.get(symbol);
  if (found !== undefined) return found.file;
  const [parent, name] = [symbol.slice(0, Math.max(symbol.lastIndexOf("."), 0)), symbol.split(".").at(-1)];
  const within = registry.get(parent);
  const members = within?.kind === "service" ? within.methods : within?.kind === "message" ? within.fields : [];
  return members.some((member) => member.name === name) ? within?.file : undefined;
}

function descriptors(file: DescFile | undefined, name: string) {
  if (file === undefined) return missing(name);
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: serialize(file) } } as const;
}

const serialized = new WeakMap<DescFile, Uint8Array[]>();

/** Serializes the file and its imports, which clients would request next. */
function serialize(file: DescFile): Uint8Array[] {
  const cached = serialized.get(file);
  if (cached !== undefined) return cached;
  const bytes = [...withImports([file])].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  serialized.set(file, bytes);
  return bytes;
}

function missing(what: string) {
  const value = { errorCode: Code.NotFound, errorMessage: `${what} is not served here` };
  return { case: "errorResponse", value } as const;
}
