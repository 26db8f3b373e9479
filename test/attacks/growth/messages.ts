// Attacks with binary gRPC messages, which pass no JSON reader: lists, maps and texts of every size.

import { clone, create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { createGrpcTransport } from "@connectrpc/connect-node";
import type { Operation } from "../../client-reference/operations.ts";
import type { Request } from "../../client-reference/requests.ts";
import { byGrpc } from "../../grpc/equivalence/ports.ts";
import { getPair, rpcs } from "../../grpc/equivalence/rpcs.ts";
import type { TestTenant } from "../../harness/tenant.ts";
import { sample } from "./contents.ts";
import type { Trial } from "./screening.ts";
import { makeText, type TextKind, textKinds } from "./texts.ts";

const bytesMax = 900_000;
const depthMax = 4;
const uuid = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;

/** Sets the attacked part of a message. */
type Change = (message: Message, size: number, salt: number) => void;

interface Part {
  readonly field: string;
  readonly kind: string;
  readonly sizeMax: number;
  readonly change: Change;
}

export class MessageAttacks {
  readonly #transport: ReturnType<typeof createGrpcTransport>;
  readonly #tenant: TestTenant;
  readonly #seed: number;

  constructor(grpcUrl: string, tenant: TestTenant, seed: number) {
    this.#transport = createGrpcTransport({ baseUrl: grpcUrl });
    this.#tenant = tenant;
    this.#seed = seed;
  }

  /** All lists and maps of the RPC's request, and a few kinds of text in its texts; empty if there is no RPC. */
  trials(operation: Operation, request: Request): Trial[] {
    const method = rpcs.get(operation.name);
    if (method === undefined) return [];
    const base = getPair(operation, method, { ...request, headers: {} })?.message ?? create(method.input);
    const kinds = sample(textKinds, 4, this.#seed);
    return findParts(method.input, kinds).map(({ field, kind, sizeMax, change }) => ({
      operation: `${operation.name} by gRPC`,
      field,
      kind,
      sizeMax,
      isLimited: true,
      work: (size, salt) => {
        const message = clone(method.input, base);
        change(message, size, salt);
        return async () => (await byGrpc(this.#transport, this.#tenant, method, message, {})).status;
      },
    }));
  }
}

function findParts(desc: DescMessage, kinds: readonly TextKind[], depth = 0): Part[] {
  if (depth > depthMax || desc.typeName.startsWith("google.protobuf.")) return [];
  return desc.fields.flatMap((field) => {
    const { localName: name } = field;
    /** Adds the number of bytes per element or character. */
    const at = (kind: string, bytes: number, value: (size: number, salt: number) => unknown): Part => ({
      field: name,
      kind,
      sizeMax: Math.floor(bytesMax / bytes),
      change: (message, size, salt) => set(message, field, value(size, salt)),
    });
    if (field.fieldKind === "map") {
      const values = (value: (index: number) => unknown) => (size: number) =>
        Object.fromEntries(Array.from({ length: size }, (_, index) => [`key-${index}`, value(index)]));
      return [
        at(
          "distinct keys",
          20,
          values((index) => element(field, index)),
        ),
      ];
    }
    const inner = field.message ? findParts(field.message, kinds, depth + 1) : [];
    if (field.fieldKind === "list") {
      const list = (value: (index: number) => unknown) => (size: number) =>
        Array.from({ length: size }, (_, index) => value(index));
      const bytes = field.listKind === "scalar" ? 45 : 12;
      return [
        at(
          "distinct items",
          bytes,
          list((index) => element(field, index)),
        ),
        at(
          "equal items",
          bytes,
          list(() => element(field, 1)),
        ),
        ...inner.map((part) => within(field, part)),
      ];
    }
    if (field.scalar === ScalarType.STRING) {
      return kinds.map((kind) => at(kind.name, 4, (size, salt) => makeText(kind, size, salt)));
    }
    return inner.map((part) => within(field, part));
  });
}

/** The field's message, or the only element of its list. */
function within(field: DescField, { field: name, change, ...part }: Part): Part {
  return {
    ...part,
    field: `${field.localName}.${name}`,
    change: (message, size, salt) => {
      if (field.message === undefined) return;
      const inner = create(field.message);
      change(inner, size, salt);
      set(message, field, field.fieldKind === "list" ? [inner] : inner);
    },
  };
}

function set(message: Message, { localName, oneof }: DescField, value: unknown): void {
  const properties: Record<string, unknown> = message;
  if (oneof === undefined) properties[localName] = value;
  else properties[oneof.localName] = { case: localName, value };
}

/** An element of a list or a value of a map. */
function element(field: DescField, index: number): unknown {
  if (field.message !== undefined) return create(field.message);
  if (field.enum !== undefined) return field.enum.values[index % field.enum.values.length]?.number;
  switch (field.fieldKind === "list" || field.fieldKind === "map" ? field.scalar : undefined) {
    case ScalarType.STRING:
      return uuid(index);
    case ScalarType.BOOL:
      return index % 2 === 0;
    case ScalarType.BYTES:
      return new Uint8Array([index % 256]);
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
      return BigInt(index);
    default:
      return index;
  }
}
