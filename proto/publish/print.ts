// Prints a proto file from its descriptor.

import { type DescMessage, isFieldSet, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  EnumOptionsSchema,
  EnumValueOptionsSchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileOptionsSchema,
  FieldDescriptorProto_Label as Label,
  MessageOptionsSchema,
  MethodOptionsSchema,
  type ServiceDescriptorProto,
  ServiceOptionsSchema,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";

/** Returns the comment of the element with the full name, or an empty string. */
export type FindComment = (name: string) => string;

const lineWidth = 120;
const lastNumber = 536_870_911;

export function printProto(file: FileDescriptorProto, findComment: FindComment): string {
  const syntax = file.syntax || "proto2";
  const scope: Scope = { name: file.package, package: file.package, isProto3: syntax === "proto3", findComment };
  const blocks = [
    [`syntax = "${syntax}";`],
    [...comment(scope, file.package), `package ${file.package};`],
    file.dependency.map((path) => `import "${path}";`),
    optionLines(FileOptionsSchema, file.options),
    ...extendBlocks(file.extension, scope),
    ...file.service.map((service) => serviceLines(service, scope)),
    ...file.enumType.map((each) => enumLines(each, scope)),
    ...file.messageType.map((each) => messageLines(each, scope)),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(""))
    .join("\n");
}

interface Scope {
  /** Full name of the enclosing element. */
  readonly name: string;
  readonly package: string;
  readonly isProto3: boolean;
  readonly findComment: FindComment;
}

/** Returns the type's name. Omits the package if it is the file's own package. */
const shortName = (typeName: string, scope: Scope) =>
  typeName.startsWith(`.${scope.package}.`) ? typeName.slice(scope.package.length + 2) : typeName.slice(1);
const within = (scope: Scope, name: string): Scope => ({ ...scope, name: `${scope.name}.${name}` });
const indented = (lines: readonly string[]) => lines.map((line) => (line === "" ? "" : `  ${line}`));
const block = (head: string, lines: readonly string[]) =>
  lines.length === 0 ? [`${head} {}`] : [`${head} {`, ...indented(lines), "}"];

function serviceLines({ name, method, options }: ServiceDescriptorProto, outer: Scope): string[] {
  const scope = within(outer, name);
  const rpcs = method.flatMap((rpc, index) => {
    const input = `${rpc.clientStreaming ? "stream " : ""}${shortName(rpc.inputType, scope)}`;
    const output = `${rpc.serverStreaming ? "stream " : ""}${shortName(rpc.outputType, scope)}`;
    const head = `rpc ${rpc.name}(${input}) returns (${output})`;
    const body = optionLines(MethodOptionsSchema, rpc.options);
    return [
      ...(index > 0 ? [""] : []),
      ...comment(scope, `${scope.name}.${rpc.name}`),
      ...(body.length === 0 ? [`${head};`] : block(head, body)),
    ];
  });
  return [
    ...comment(outer, scope.name),
    ...block(`service ${name}`, [...optionLines(ServiceOptionsSchema, options), ...rpcs]),
  ];
}

function enumLines({ name, value, options, reservedName, reservedRange }: EnumDescriptorProto, outer: Scope): string[] {
  const scope = within(outer, name);
  const ranges = reservedRange.map(({ start, end }) => rangeText(start, end, 2 ** 31 - 1));
  const body = [
    ...optionLines(EnumOptionsSchema, options),
    ...reserved(ranges, reservedName),
    ...value.flatMap((entry) => [
      ...comment(scope, `${scope.name}.${entry.name}`),
      `${entry.name} = ${entry.number}${bracketed(optionTexts(EnumValueOptionsSchema, entry.options))};`,
    ]),
  ];
  return [...comment(outer, scope.name), ...block(`enum ${name}`, body)];
}

function messageLines(message: DescriptorProto, outer: Scope): string[] {
  const scope = within(outer, message.name);
  const findOneof = (field: FieldDescriptorProto) =>
    isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex) && !field.proto3Optional
      ? message.oneofDecl[field.oneofIndex]
      : undefined;
  const lines = (field: FieldDescriptorProto, inOneof: boolean) => fieldLines(field, scope, message, inOneof);
  const printed = new Set<object>();
  // Print a oneof, with all its fields, in place of its first field.
  const fields = message.field.flatMap((field) => {
    const oneof = findOneof(field);
    if (oneof === undefined) return lines(field, false);
    if (printed.has(oneof)) return [];
    printed.add(oneof);
    const members = message.field.filter((other) => findOneof(other) === oneof);
    return [
      ...comment(scope, `${scope.name}.${oneof.name}`),
      ...block(
        `oneof ${oneof.name}`,
        members.flatMap((member) => lines(member, true)),
      ),
    ];
  });
  const body = [
    ...optionLines(MessageOptionsSchema, message.options),
    ...reserved(
      message.reservedRange.map(({ start, end }) => rangeText(start, end - 1, lastNumber)),
      message.reservedName,
    ),
    ...fields,
    ...message.extensionRange.map(({ start, end }) => `extensions ${rangeText(start, end - 1, lastNumber)};`),
    ...message.enumType.flatMap((each) => enumLines(each, scope)),
    ...message.nestedType.filter(({ options }) => !options?.mapEntry).flatMap((each) => messageLines(each, scope)),
    ...extendBlocks(message.extension, scope).flat(),
  ];
  return [...comment(outer, scope.name), ...block(`message ${message.name}`, body)];
}

function fieldLines(field: FieldDescriptorProto, scope: Scope, owner?: DescriptorProto, inOneof = false): string[] {
  const defaultName = field.name.replaceAll(/_+(.)/g, (_, letter: string) => letter.toUpperCase());
  const options = [
    ...(isFieldSet(field, FieldDescriptorProtoSchema.field.defaultValue) ? [`default = ${defaultText(field)}`] : []),
    ...(field.jsonName && field.jsonName !== defaultName ? [`json_name = ${JSON.stringify(field.jsonName)}`] : []),
    ...optionTexts(FieldOptionsSchema, field.options),
  ];
  const text = `${inOneof ? "" : typePrefix(field, scope, owner)}${typeText(field, scope, owner)} ${field.name} = ${field.number}`;
  return [...comment(scope, `${scope.name}.${field.name}`), `${text}${bracketed(options)};`];
}

function typePrefix(field: FieldDescriptorProto, { isProto3 }: Scope, owner: DescriptorProto | undefined): string {
  if (mapEntry(field, owner) !== undefined) return "";
  if (field.label === Label.REPEATED) return "repeated ";
  if (field.label === Label.REQUIRED) return "required ";
  return isProto3 && !field.proto3Optional ? "" : "optional ";
}

function typeText(field: FieldDescriptorProto, scope: Scope, owner?: DescriptorProto): string {
  const [key, value] = mapEntry(field, owner)?.field ?? [];
  if (key !== undefined && value !== undefined) return `map<${typeText(key, scope)}, ${typeText(value, scope)}>`;
  return shortName(field.typeName, scope) || Type[field.type].toLowerCase();
}

function mapEntry({ typeName }: FieldDescriptorProto, owner?: DescriptorProto): DescriptorProto | undefined {
  return owner?.nestedType.find(
    ({ name, options }) => options?.mapEntry && typeName.endsWith(`.${owner.name}.${name}`),
  );
}

function defaultText({ type, defaultValue }: FieldDescriptorProto): string {
  return type === Type.STRING || type === Type.BYTES ? JSON.stringify(defaultValue) : defaultValue;
}

function extendBlocks(extensions: readonly FieldDescriptorProto[], scope: Scope): string[][] {
  return extensions.map((field) => block(`extend ${shortName(field.extendee, scope)}`, fieldLines(field, scope)));
}

function rangeText(start: number, last: number, max: number): string {
  if (start === last) return String(start);
  return `${start} to ${last === max ? "max" : last}`;
}

function reserved(ranges: readonly string[], names: readonly string[]): string[] {
  const quoted = names.map((name) => `"${name}"`);
  return [ranges, quoted].filter(({ length }) => length > 0).map((parts) => `reserved ${parts.join(", ")};`);
}

function optionLines(desc: DescMessage, options: Message | undefined): string[] {
  return optionTexts(desc, options).map((text) => `option ${text};`);
}

/** Returns `name = value` for each standard option that is set. Omits custom options. */
function optionTexts(desc: DescMessage, options: Message | undefined): string[] {
  if (options === undefined) return [];
  const message = reflect(desc, options);
  return desc.fields.flatMap((field) => {
    if (!message.isSet(field) || field.name === "map_entry") return [];
    const value: unknown = message.get(field);
    if (field.fieldKind === "enum") return `${field.name} = ${field.enum.value[Number(value)]?.name}`;
    if (field.fieldKind === "scalar") return `${field.name} = ${JSON.stringify(value)}`;
    throw new Error(`the option ${field.name} is not supported: add its kind to optionTexts`);
  });
}

function bracketed(options: readonly string[]): string {
  return options.length === 0 ? "" : ` [${options.join(", ")}]`;
}

/** Returns the element's comment, with each paragraph wrapped. Blank lines separate paragraphs. */
function comment({ findComment }: Scope, name: string): string[] {
  const text = findComment(name);
  if (text === "") return [];
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [""];
    for (const word of paragraph.split(" ")) {
      const last = lines.at(-1) ?? "";
      if (last !== "" && last.length + word.length + 4 > lineWidth) lines.push(word);
      else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
    }
    return lines.map((line) => (line === "" ? "//" : `// ${line}`));
  });
}
