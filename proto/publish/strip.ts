// Builds the published schema: everything that a client of any protocol needs, without conflicts with other protos in
// the client. It has no custom options, whose numbers all projects share, and imports only google/protobuf.

import {
  clone,
  create,
  createFileRegistry,
  type DescEnum,
  type DescFile,
  type DescMessage,
  type DescService,
  isFieldSet,
  type Message,
} from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProto_ReservedRangeSchema,
  DescriptorProtoSchema,
  type EnumDescriptorProto,
  EnumDescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
  type ServiceDescriptorProto,
  ServiceDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { PublicContract } from "./public.ts";

/** Returns the published schema without comments, which gen/comments.ts contains by name. */
export function publishedSchema(set: FileDescriptorSet): FileDescriptorSet {
  const contract = new PublicContract(createFileRegistry(set));
  const files = contract.files
    .map((file) => stripFile(file, contract))
    .filter(({ service, messageType, enumType }) => service.length + messageType.length + enumType.length > 0);
  const imports = new Set(files.flatMap(({ dependency }) => dependency));
  const standard = set.file.filter(({ name }) => name.startsWith("google/protobuf/") && imports.has(name));
  return create(FileDescriptorSetSchema, { file: [...standard.map(withoutSource), ...files] });
}

function withoutSource(file: FileDescriptorProto): FileDescriptorProto {
  const proto = clone(FileDescriptorProtoSchema, file);
  delete proto.sourceCodeInfo;
  return proto;
}

function stripFile(file: DescFile, contract: PublicContract): FileDescriptorProto {
  const messages = file.messages.filter((message) => contract.hasType(message));
  const services = file.services.filter((service) => listPublicMethods(service, contract).length > 0);
  const used = new Set([
    ...messages.flatMap((message) => listFieldFiles(message, contract)),
    ...services.flatMap((service) =>
      listPublicMethods(service, contract).flatMap((rpc) => [rpc.input.file, rpc.output.file]),
    ),
  ]);
  const proto = withoutSource(file.proto);
  removeCustomOptions(proto);
  proto.dependency = [...used].filter((other) => other !== file).map((other) => other.proto.name);
  proto.dependency.sort();
  proto.messageType = messages.map((message) => stripMessage(message, contract));
  proto.enumType = file.enums.filter((desc) => contract.hasType(desc)).map(stripEnum);
  proto.service = services.map((service) => stripService(service, contract));
  proto.extension = [];
  return proto;
}

/** Returns the files that define the types of a message's fields. */
function listFieldFiles(message: DescMessage, contract: PublicContract): DescFile[] {
  const fieldFiles = message.fields
    .filter((field) => contract.hasField(field))
    .flatMap((field) => [field.message?.file ?? [], field.enum?.file ?? []].flat());
  const nested = message.nestedMessages.filter((each) => contract.hasType(each));
  return [...fieldFiles, ...nested.flatMap((each) => listFieldFiles(each, contract))];
}

function stripMessage(desc: DescMessage, contract: PublicContract): DescriptorProto {
  const proto = clone(DescriptorProtoSchema, desc.proto);
  const removed = desc.fields.filter((field) => !contract.hasField(field));
  const isRemoved = ({ number }: FieldDescriptorProto) => removed.some((field) => field.number === number);
  proto.field = proto.field.filter((field) => !isRemoved(field));
  removeEmptyOneofs(proto);
  for (const { name, number } of removed) {
    proto.reservedName.push(name);
    proto.reservedRange.push(create(DescriptorProto_ReservedRangeSchema, { start: number, end: number + 1 }));
  }
  const maps = proto.nestedType.filter(
    ({ name, options }) => options?.mapEntry && proto.field.some(({ typeName }) => typeName.endsWith(`.${name}`)),
  );
  const nested = desc.nestedMessages
    .filter((each) => contract.hasType(each))
    .map((each) => stripMessage(each, contract));
  for (const each of [proto, ...proto.field, ...proto.oneofDecl]) removeCustomOptions(each);
  proto.nestedType = [...maps, ...nested];
  proto.enumType = desc.nestedEnums.filter((each) => contract.hasType(each)).map(stripEnum);
  proto.extension = [];
  return proto;
}

/** Removes empty oneofs and renumbers the others, because fields refer to their oneof by position. */
function removeEmptyOneofs(proto: DescriptorProto): void {
  const inOneof = proto.field.filter((field) => isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex));
  const used = proto.oneofDecl.map((_, index) => index).filter((index) => inOneof.some((f) => f.oneofIndex === index));
  proto.oneofDecl = used.flatMap((index) => proto.oneofDecl[index] ?? []);
  for (const field of inOneof) field.oneofIndex = used.indexOf(field.oneofIndex);
}

function stripEnum(desc: DescEnum): EnumDescriptorProto {
  const proto = clone(EnumDescriptorProtoSchema, desc.proto);
  for (const each of [proto, ...proto.value]) removeCustomOptions(each);
  return proto;
}

function stripService(desc: DescService, contract: PublicContract): ServiceDescriptorProto {
  const proto = clone(ServiceDescriptorProtoSchema, desc.proto);
  const names = new Set(listPublicMethods(desc, contract).map(({ name }) => name));
  proto.method = proto.method.filter(({ name }) => names.has(name));
  for (const each of [proto, ...proto.method]) removeCustomOptions(each);
  return proto;
}

function listPublicMethods({ methods }: DescService, contract: PublicContract): DescService["methods"] {
  return methods.filter((method) => contract.hasMethod(method));
}

/** Removes custom options, which are unknown fields in the descriptors. */
function removeCustomOptions(element: { options?: Message | undefined }): void {
  if (element.options === undefined) return;
  delete element.options.$unknown;
  const isEmpty = Object.keys(element.options).every((key) => key === "$typeName" || isEmptyList(element.options, key));
  if (isEmpty) delete element.options;
}

function isEmptyList(options: object | undefined, key: string): boolean {
  const value = (options as Record<string, unknown>)[key];
  return Array.isArray(value) && value.length === 0;
}
