// The published schema: all that a client of any protocol needs, and nothing that clashes with other protos of its program. It has
// no custom options, whose numbers are everybody's, and imports google/protobuf only.

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

/** Without comments: gen/comments.ts has them by name. */
export function publishedSchema(set: FileDescriptorSet): FileDescriptorSet {
  const contract = new PublicContract(createFileRegistry(set));
  const files = contract.files
    .map((file) => fileOf(file, contract))
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

function fileOf(file: DescFile, contract: PublicContract): FileDescriptorProto {
  const messages = file.messages.filter((message) => contract.hasType(message));
  const services = file.services.filter((service) => methodsOf(service, contract).length > 0);
  const used = new Set([
    ...messages.flatMap((message) => filesOf(message, contract)),
    ...services.flatMap((service) => methodsOf(service, contract).flatMap((rpc) => [rpc.input.file, rpc.output.file])),
  ]);
  const proto = withoutSource(file.proto);
  removeCustomOptions(proto);
  proto.dependency = [...used].filter((other) => other !== file).map((other) => other.proto.name);
  proto.dependency.sort();
  proto.messageType = messages.map((message) => messageOf(message, contract));
  proto.enumType = file.enums.filter((desc) => contract.hasType(desc)).map(enumOf);
  proto.service = services.map((service) => serviceOf(service, contract));
  proto.extension = [];
  return proto;
}

/** The files of the types of a message's fields. */
function filesOf(message: DescMessage, contract: PublicContract): DescFile[] {
  const ofFields = message.fields
    .filter((field) => contract.hasField(field))
    .flatMap((field) => [field.message?.file ?? [], field.enum?.file ?? []].flat());
  const nested = message.nestedMessages.filter((each) => contract.hasType(each));
  return [...ofFields, ...nested.flatMap((each) => filesOf(each, contract))];
}

function messageOf(desc: DescMessage, contract: PublicContract): DescriptorProto {
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
  const nested = desc.nestedMessages.filter((each) => contract.hasType(each)).map((each) => messageOf(each, contract));
  for (const each of [proto, ...proto.field, ...proto.oneofDecl]) removeCustomOptions(each);
  proto.nestedType = [...maps, ...nested];
  proto.enumType = desc.nestedEnums.filter((each) => contract.hasType(each)).map(enumOf);
  proto.extension = [];
  return proto;
}

/** Fields name their oneof by its position. */
function removeEmptyOneofs(proto: DescriptorProto): void {
  const inOneof = proto.field.filter((field) => isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex));
  const used = proto.oneofDecl.map((_, index) => index).filter((index) => inOneof.some((f) => f.oneofIndex === index));
  proto.oneofDecl = used.flatMap((index) => proto.oneofDecl[index] ?? []);
  for (const field of inOneof) field.oneofIndex = used.indexOf(field.oneofIndex);
}

function enumOf(desc: DescEnum): EnumDescriptorProto {
  const proto = clone(EnumDescriptorProtoSchema, desc.proto);
  for (const each of [proto, ...proto.value]) removeCustomOptions(each);
  return proto;
}

function serviceOf(desc: DescService, contract: PublicContract): ServiceDescriptorProto {
  const proto = clone(ServiceDescriptorProtoSchema, desc.proto);
  const names = new Set(methodsOf(desc, contract).map(({ name }) => name));
  proto.method = proto.method.filter(({ name }) => names.has(name));
  for (const each of [proto, ...proto.method]) removeCustomOptions(each);
  return proto;
}

function methodsOf({ methods }: DescService, contract: PublicContract): DescService["methods"] {
  return methods.filter((method) => contract.hasMethod(method));
}

/** Descriptors hold custom options as unknown fields. */
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
