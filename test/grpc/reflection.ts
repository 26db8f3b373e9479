// A client of server reflection that works like grpcurl: it requests services by name, their files and all imports.

import grpc from "@grpc/grpc-js";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";
import protobuf from "protobufjs";

/** The used part of grpc.reflection.v1 as published; v1alpha differs only in its package. */
const schema = protobuf.parse(
  `syntax = "proto3";
  message Request { string host = 1; oneof message_request {
    string file_by_filename = 3; string file_containing_symbol = 4; ExtensionRequest file_containing_extension = 5;
    string all_extension_numbers_of_type = 6; string list_services = 7; } }
  message ExtensionRequest { string containing_type = 1; int32 extension_number = 2; }
  message Response { string valid_host = 1; oneof message_response {
    Files file_descriptor_response = 4; Services list_services_response = 6; Failure error_response = 7; } }
  message Files { repeated bytes file_descriptor_proto = 1; }
  message Services { repeated Service service = 1; }
  message Service { string name = 1; }
  message Failure { int32 error_code = 1; string error_message = 2; }
  message Set { repeated bytes file = 1; }
  message File { string name = 1; repeated string dependency = 3; }`,
  { keepCase: true },
).root;
const [requestType, responseType, setType, fileType] = ["Request", "Response", "Set", "File"].map((name) =>
  schema.lookupType(name),
) as [protobuf.Type, protobuf.Type, protobuf.Type, protobuf.Type];

/** One kind of answer of the server; the field's name says which kind it is. */
export interface Reflected {
  readonly file_descriptor_response?: { readonly file_descriptor_proto: Uint8Array[] };
  readonly list_services_response?: { readonly service: { readonly name: string }[] };
  readonly error_response?: { readonly error_code: number; readonly error_message: string };
}

export class Reflection {
  readonly #call: grpc.ClientDuplexStream<object, Reflected>;
  readonly #waiting: { resolve(answer: Reflected): void; reject(error: Error): void }[] = [];

  constructor(client: grpc.Client, metadata: grpc.Metadata, version: "v1" | "v1alpha" = "v1") {
    this.#call = client.makeBidiStreamRequest(
      `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
      (request: object) => Buffer.from(requestType.encode(requestType.create(request)).finish()),
      (bytes: Buffer) => responseType.toObject(responseType.decode(bytes)) as Reflected,
      metadata,
    );
    this.#call.on("data", (answer: Reflected) => this.#waiting.shift()?.resolve(answer));
    this.#call.on("error", (error: Error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  /** Sends one request on the stream; answers arrive in the order of the requests. */
  request(message: object): Promise<Reflected> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#call.write(message);
    });
  }

  async services(): Promise<string[]> {
    const { list_services_response: list } = await this.request({ list_services: "*" });
    return (list?.service ?? []).map(({ name }) => name);
  }

  /** Returns the files that define `symbols`, with all their imports, as a FileDescriptorSet. */
  async descriptorSet(symbols: readonly string[]): Promise<Buffer> {
    const files = new Map<string, Uint8Array>();
    const add = async (message: object) => {
      const { file_descriptor_response: found, error_response: failure } = await this.request(message);
      if (found === undefined) throw new Error(`${JSON.stringify(message)}: ${JSON.stringify(failure)}`);
      for (const bytes of found.file_descriptor_proto) {
        const { name = "", dependency = [] } = fileType.toObject(fileType.decode(bytes)) as {
          name?: string;
          dependency?: string[];
        };
        if (files.has(name)) continue;
        files.set(name, bytes);
        for (const each of dependency) if (!files.has(each)) await add({ file_by_filename: each });
      }
    };
    for (const symbol of symbols) await add({ file_containing_symbol: symbol });
    return Buffer.from(setType.encode(setType.create({ file: [...files.values()] })).finish());
  }

  end(): void {
    this.#call.end();
  }
}

/** Returns the names of the server's services, and the FileDescriptorSet that defines them. */
export async function reflect(
  address: string,
  credentials: grpc.ChannelCredentials,
  metadata: grpc.Metadata,
  options: grpc.ChannelOptions = {},
): Promise<{ readonly names: string[]; readonly set: Buffer }> {
  const client = new grpc.Client(address, credentials, options);
  try {
    const reflection = new Reflection(client, metadata);
    const names = await reflection.services();
    const set = await reflection.descriptorSet(names);
    reflection.end();
    return { names, set };
  } finally {
    client.close();
  }
}

/** Returns grpc-js client constructors by the full names of the services. */
export function serviceConstructors(names: readonly string[], set: Buffer): Map<string, grpc.ServiceClientConstructor> {
  const options = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true } as const;
  const definition = loadFileDescriptorSetFromBuffer(set, options);
  return new Map(
    names.map((name) => {
      const methods = definition[name];
      if (methods === undefined) throw new Error(`reflection lists ${name}, but no file defines it`);
      return [name, grpc.makeGenericClientConstructor(methods as grpc.ServiceDefinition, name)];
    }),
  );
}
