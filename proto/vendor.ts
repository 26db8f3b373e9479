// Third-party protos for buf, from npm packages: google/api is source in protobufjs; buf/validate is printed from the
// descriptor in @bufbuild/protovalidate, as far as a compiler needs it (types, numbers, extension ranges).

import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

export async function writeVendor(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(join(directory, "google/api"), { recursive: true });
  await mkdir(join(directory, "buf/validate"), { recursive: true });
  const protobufjs = dirname(createRequire(import.meta.url).resolve("protobufjs/package.json"));
  for (const name of ["annotations.proto", "http.proto"]) {
    await cp(join(protobufjs, "google/api", name), join(directory, "google/api", name));
  }
  await writeFile(join(directory, "buf/validate/validate.proto"), validateProto());
}

function validateProto(): string {
  const file = file_buf_validate_validate.proto;
  return [
    'syntax = "proto2";',
    `package ${file.package};`,
    ...file.dependency.map((path) => `import "${path}";`),
    ...extendBlocks(file.extension, ""),
    ...file.enumType.flatMap((one) => enumLines(one, "")),
    ...file.messageType.flatMap((one) => messageLines(one, "")),
    "",
  ].join("\n");
}

function messageLines(message: DescriptorProto, indent: string): string[] {
  const inner = `${indent}  `;
  const inOneof = (index: number) => (field: FieldDescriptorProto) =>
    Object.hasOwn(field, "oneofIndex") && field.oneofIndex === index && !field.proto3Optional;
  const oneofs = message.oneofDecl.flatMap((oneof, index) => [
    `${inner}oneof ${oneof.name} {`,
    ...message.field.filter(inOneof(index)).map((field) => fieldLine(field, `${inner}  `, false)),
    `${inner}}`,
  ]);
  const plain = message.field.filter((field) => !Object.hasOwn(field, "oneofIndex") || field.proto3Optional);
  return [
    `${indent}message ${message.name} {`,
    ...message.enumType.flatMap((one) => enumLines(one, inner)),
    ...message.nestedType.flatMap((one) => messageLines(one, inner)),
    ...plain.map((field) => fieldLine(field, inner, true)),
    ...oneofs,
    ...message.extensionRange.map(
      ({ start, end }) => `${inner}extensions ${start} to ${end > 536870911 ? "max" : end - 1};`,
    ),
    ...message.reservedRange.map(({ start, end }) => `${inner}reserved ${start} to ${end - 1};`),
    ...extendBlocks(message.extension, inner),
    `${indent}}`,
  ];
}

function extendBlocks(extensions: FieldDescriptorProto[], indent: string): string[] {
  return extensions.flatMap((field) => [
    `${indent}extend ${field.extendee} {`,
    fieldLine(field, `${indent}  `, true),
    `${indent}}`,
  ]);
}

function fieldLine(field: FieldDescriptorProto, indent: string, withLabel: boolean): string {
  const label = { [Label.OPTIONAL]: "optional ", [Label.REPEATED]: "repeated ", [Label.REQUIRED]: "required " }[
    field.label
  ];
  const type = field.typeName || Type[field.type].toLowerCase();
  return `${indent}${withLabel ? label : ""}${type} ${field.name} = ${field.number};`;
}

function enumLines(enumeration: EnumDescriptorProto, indent: string): string[] {
  const alias = enumeration.options?.allowAlias ? [`${indent}  option allow_alias = true;`] : [];
  const values = enumeration.value.map((value) => `${indent}  ${value.name} = ${value.number};`);
  return [`${indent}enum ${enumeration.name} {`, ...alias, ...values, `${indent}}`];
}
