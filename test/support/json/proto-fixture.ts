// Test support: protos built in a test, for features that the product's own protos lack (so far).

import {
  create,
  createFileRegistry,
  type DescEnum,
  type DescFile,
  type DescMessage,
  type DescService,
  type MessageInitShape,
  setExtension,
} from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  DescriptorProtoSchema,
  EnumOptionsSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
  MessageOptionsSchema,
  MethodOptionsSchema,
  OneofOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import * as validate from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { http } from "@ems/proto/google/api/annotations";
import { HttpRuleSchema } from "@ems/proto/google/api/http";
import { id, inline, internal, sparse, success_status, tolerant, type WordCase, words } from "@ems/proto/rest/v1/rest";

export type Rules = MessageInitShape<typeof validate.FieldRulesSchema>;

export interface FieldSpec {
  /** A scalar's name in upper case, or the name of an enum or message: "STRING", "Color", "google.protobuf.Struct". */
  type: string;
  isOptional?: boolean;
  isRepeated?: boolean;
  isMap?: boolean;
  oneof?: string;
  rules?: Rules;
  isInternal?: boolean;
  /** The field with the fault of an element. */
  tolerant?: string;
}

export interface MessageSpec {
  fields: Record<string, FieldSpec>;
  rules?: MessageInitShape<typeof validate.MessageRulesSchema>;
  requiredOneofs?: string[];
  isInline?: boolean;
  isSparse?: boolean;
}

export interface MethodSpec {
  input: string;
  output: string;
  http?: MessageInitShape<typeof HttpRuleSchema>;
  status?: number;
  isStream?: boolean;
}

export interface FileSpec {
  /** Values after the zero value *_UNSPECIFIED; names have no prefix here. */
  enums?: Record<string, string[]>;
  /** Case of enum values in JSON. */
  wordCases?: Record<string, WordCase>;
  messages: Record<string, MessageSpec>;
  methods?: Record<string, MethodSpec>;
}

export interface Fixture {
  message: (name: string) => DescMessage;
  getEnum: (name: string) => DescEnum;
  service: DescService;
}

const imports: DescFile[] = [
  file_google_protobuf_timestamp,
  file_google_protobuf_struct,
  file_google_protobuf_duration,
  file_google_protobuf_wrappers,
];

export function protoFixture({ enums = {}, wordCases = {}, messages, methods = {} }: FileSpec): Fixture {
  const file = create(FileDescriptorProtoSchema, {
    name: "fixture.proto",
    package: "fixture",
    syntax: "proto3",
    dependency: imports.map(({ proto }) => proto.name),
    enumType: Object.entries(enums).map(([name, values]) => {
      const prefix = name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
      const options = create(EnumOptionsSchema);
      const wordCase = wordCases[name];
      if (wordCase !== undefined) setExtension(options, words, wordCase);
      return {
        name,
        options,
        value: ["UNSPECIFIED", ...values].map((value, number) => ({ name: `${prefix}_${value}`, number })),
      };
    }),
    messageType: Object.entries(messages).map(([name, spec]) => messageProto(name, spec, Object.keys(enums))),
    service: [{ name: "FixtureService", method: Object.entries(methods).map(methodProto) }],
  });
  const registry = createFileRegistry(file, (name) => imports.find(({ proto }) => proto.name === name));
  const message = (name: string) => found(registry.getMessage(`fixture.${name}`), name);
  const getEnum = (name: string) => found(registry.getEnum(`fixture.${name}`), name);
  return { message, getEnum, service: found(registry.getService("fixture.FixtureService"), "service") };
}

/** Rules of a string with a resource id. */
export function idRules(): Rules {
  const rules = create(validate.StringRulesSchema);
  setExtension(rules, id, true);
  return { type: { case: "string", value: rules } };
}

function messageProto(name: string, { fields, rules, requiredOneofs = [], ...spec }: MessageSpec, enums: string[]) {
  const groups = [...new Set(Object.values(fields).flatMap(({ oneof }) => oneof ?? []))];
  const options = create(MessageOptionsSchema);
  if (rules !== undefined) setExtension(options, validate.message, create(validate.MessageRulesSchema, rules));
  if (spec.isInline) setExtension(options, inline, true);
  if (spec.isSparse) setExtension(options, sparse, true);
  const entries = Object.entries(fields).filter(([, { isMap }]) => isMap);
  return create(DescriptorProtoSchema, {
    name,
    options,
    field: Object.entries(fields).map(([field, each], index) => {
      const type = each.isMap ? `${name}.${entryName(field)}` : each.type;
      const proto = fieldProto(
        field,
        index + 1,
        { ...each, type, isRepeated: each.isRepeated || each.isMap || false },
        enums,
      );
      if (each.oneof !== undefined) proto.oneofIndex = groups.indexOf(each.oneof);
      return proto;
    }),
    nestedType: entries.map(([field, { type }]) => ({
      name: entryName(field),
      options: { mapEntry: true },
      field: [fieldProto("key", 1, { type: "STRING" }, enums), fieldProto("value", 2, { type }, enums)],
    })),
    oneofDecl: groups.map((group) => {
      const groupOptions = create(OneofOptionsSchema);
      const isRequired = requiredOneofs.includes(group);
      if (isRequired) setExtension(groupOptions, validate.oneof, create(validate.OneofRulesSchema, { required: true }));
      return { name: group, options: groupOptions };
    }),
  });
}

function entryName(field: string): string {
  return `${protoCamelCase(`_${field}`)}Entry`;
}

function fieldProto(name: string, number: number, spec: FieldSpec, enums: string[]) {
  const { type, isOptional, isRepeated, rules } = spec;
  const scalar = Object.entries(FieldDescriptorProto_Type).find(([key]) => key === type)?.[1];
  const options = create(FieldOptionsSchema);
  if (rules !== undefined) setExtension(options, validate.field, create(validate.FieldRulesSchema, rules));
  if (spec.isInternal) setExtension(options, internal, true);
  if (spec.tolerant !== undefined) setExtension(options, tolerant, spec.tolerant);
  const named = enums.includes(type) ? FieldDescriptorProto_Type.ENUM : FieldDescriptorProto_Type.MESSAGE;
  return create(FieldDescriptorProtoSchema, {
    name,
    number,
    jsonName: protoCamelCase(name),
    label: isRepeated ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
    type: typeof scalar === "number" ? scalar : named,
    ...(typeof scalar !== "number" && { typeName: type.startsWith("google.") ? `.${type}` : `.fixture.${type}` }),
    ...(isOptional && { proto3Optional: true }),
    options,
  });
}

function methodProto([name, { input, output, http: rule, status, isStream = false }]: [string, MethodSpec]) {
  const options = create(MethodOptionsSchema);
  if (rule !== undefined) setExtension(options, http, create(HttpRuleSchema, rule));
  if (status !== undefined) setExtension(options, success_status, status);
  return { name, inputType: `.fixture.${input}`, outputType: `.fixture.${output}`, serverStreaming: isStream, options };
}

function found<Found>(value: Found | undefined, name: string): Found {
  if (value === undefined) throw new Error(`The fixture has no ${name}`);
  return value;
}
