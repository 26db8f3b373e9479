import {
  create,
  createFileRegistry,
  createRegistry,
  type DescField,
  type DescFile,
  type DescMessage,
  setExtension,
} from "@bufbuild/protobuf";
import {
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { file_ems_events_v1_event } from "../gen/ems/events/v1/event_pb.ts";
import { internal } from "../gen/ems/rest/v1/rest_pb.ts";
import { services } from "../gen/services.ts";
import { published } from "./published.ts";
import { publishedSchema } from "./strip.ts";

const registry = createFileRegistry(published);
const isOurs = ({ name }: FileDescriptorProto) => name.startsWith("ems/");
const descriptor = FileDescriptorProtoSchema.file.proto;
const ours = published.file.filter(isOurs);

/** Lists the numbers of a descriptor's fields that are unknown to google.protobuf's messages. */
function unknownFields(value: unknown): number[] {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return [];
  const { $unknown = [], ...fields } = value as { $unknown?: { no: number }[] };
  return [...$unknown.map(({ no }) => no), ...Object.values(fields).flatMap(unknownFields)];
}

test("the published schema is proto3 without custom options, and imports only itself and google/protobuf", () => {
  expect(ours.length).toBeGreaterThan(30);
  expect(published.file.flatMap(unknownFields)).toEqual([]);
  expect(ours.filter(({ syntax }) => syntax !== "proto3").map(({ name }) => name)).toEqual([]);
  expect(ours.flatMap(({ extension }) => extension)).toEqual([]);
  const paths = new Set(published.file.map(({ name }) => name));
  expect(published.file.filter((file) => !isOurs(file) && !file.name.startsWith("google/protobuf/"))).toEqual([]);
  expect(published.file.flatMap(({ dependency }) => dependency).filter((path) => !paths.has(path))).toEqual([]);
});

test("a file imports exactly the files that it uses", () => {
  for (const file of registry.files) {
    const messages = file.messages.flatMap(function all(message): DescMessage[] {
      return [message, ...message.nestedMessages.flatMap(all)];
    });
    const types = [
      ...messages.flatMap(({ fields }) => fields.flatMap((field) => [field.message, field.enum])),
      ...file.services.flatMap(({ methods }) => methods.flatMap((method) => [method.input, method.output])),
    ];
    const used = new Set(types.flatMap((type) => type?.file.proto.name ?? []));
    used.delete(file.proto.name);
    expect({ [file.proto.name]: file.proto.dependency }).toEqual({ [file.proto.name]: [...used].sort() });
  }
});

test("the published schema includes events and excludes RPCs without a route, their messages and internal fields", () => {
  const names = services.flatMap(({ typeName, methods }) => methods.map(({ name }) => `${typeName}.${name}`));
  const publicNames = [...registry]
    .filter((desc) => desc.kind === "service")
    .flatMap(({ typeName, methods }) => methods.map(({ name }) => `${typeName}.${name}`));
  expect(names).toEqual(expect.arrayContaining(publicNames));
  for (const internal of ["identity.v1.ApiKeyService.Authenticate", "catalog.v1.ReferenceService.CheckReferences"]) {
    expect(names).toContain(`ems.${internal}`);
    expect(publicNames).not.toContain(`ems.${internal}`);
  }
  expect(registry.getService("ems.catalog.v1.ReferenceService")).toBeUndefined();
  expect(registry.getMessage("ems.identity.v1.AuthenticateRequest")).toBeUndefined();
  expect(registry.getFile("ems/rest/v1/rest")).toBeUndefined();

  const event = registry.getMessage("ems.events.v1.Event");
  expect(event?.field.topicCreated?.message?.typeName).toBe("ems.catalog.v1.Topic");
  const { peopleAssigned } = file_ems_events_v1_event.messages.find(({ name }) => name === "Event")?.field ?? {};
  expect(peopleAssigned).toBeDefined();
  expect(event?.field.peopleAssigned).toBeUndefined();
  expect(event?.proto.reservedName).toContain(peopleAssigned?.name);
  expect(event?.proto.reservedRange.map(({ start, end }) => [start, end])).toContainEqual([
    peopleAssigned?.number,
    (peopleAssigned?.number ?? 0) + 1,
  ]);
});

test("messages of the published and the internal schema are the same on the wire", () => {
  const shape = ({ number, name, fieldKind, scalar, oneof, presence, jsonName }: DescField) =>
    [number, name, fieldKind, scalar, oneof?.name, presence, jsonName].join();
  const withImports = (file: DescFile): DescFile[] => [file, ...file.dependencies.flatMap(withImports)];
  const own = createRegistry(...[...services.map(({ file }) => file), file_ems_events_v1_event].flatMap(withImports));
  for (const message of registry) {
    if (message.kind !== "message" || !isOurs(message.file.proto)) continue;
    const fields = own.getMessage(message.typeName)?.fields.map(shape) ?? [];
    const reserved = message.proto.reservedRange.map(({ start }) => `${start},`);
    expect(message.fields.map(shape)).toEqual(
      fields.filter((field) => !reserved.some((number) => field.startsWith(number))),
    );
  }
});

test("a program with other options under the same numbers can load the published schema", () => {
  const theirs = file({
    name: "acme/options.proto",
    package: "acme",
    dependency: ["google/protobuf/descriptor.proto"],
    extension: [50001, 50003, 50005, 50008].flatMap((number) =>
      ["Method", "Message", "Field"].map((element) => ({
        name: `${element.toLowerCase()}_${number}`,
        number,
        type: 8,
        label: 1,
        extendee: `.google.protobuf.${element}Options`,
      })),
    ),
  });
  const numbers = (set: FileDescriptorSet) => {
    const seen = new Set<string>();
    for (const each of createFileRegistry(set)) {
      if (each.kind !== "extension") continue;
      const key = `${each.extendee.typeName} ${each.number}`;
      if (seen.has(key)) throw new Error(`${key} is taken`);
      seen.add(key);
    }
    return seen.size;
  };
  const together = create(FileDescriptorSetSchema, { file: [descriptor, theirs, ...published.file] });
  expect(numbers(together)).toBe(12);
});

test("removing internal fields leaves neither gaps in oneof numbers nor empty oneofs", () => {
  const bool = (name: string, number: number, more: object) => ({ name, number, type: 8, label: 1, ...more });
  const extension = bool("internal", 50008, { extendee: ".google.protobuf.FieldOptions" });
  const options = create(FieldOptionsSchema);
  setExtension(options, internal, true);
  const rest = file({ name: "ems/rest/v1/rest.proto", package: "ems.rest.v1", extension: [extension] });
  const events = file({
    name: "ems/events/v1/event.proto",
    package: "ems.events.v1",
    messageType: [
      {
        name: "Event",
        field: [
          bool("hidden", 1, { oneofIndex: 0, proto3Optional: true, options }),
          bool("shown", 2, { oneofIndex: 1, proto3Optional: true }),
        ],
        oneofDecl: [{ name: "_hidden" }, { name: "_shown" }],
      },
    ],
  });
  const set = create(FileDescriptorSetSchema, { file: [descriptor, rest, events] });
  expect(publishedSchema(set).file).toMatchObject([
    {
      messageType: [
        {
          field: [{ name: "shown", oneofIndex: 0 }],
          oneofDecl: [{ name: "_shown" }],
          reservedName: ["hidden"],
          reservedRange: [{ start: 1, end: 2 }],
        },
      ],
    },
  ]);
});

function file(init: Parameters<typeof create<typeof FileDescriptorProtoSchema>>[1]): FileDescriptorProto {
  return create(FileDescriptorProtoSchema, { syntax: "proto3", ...init });
}
