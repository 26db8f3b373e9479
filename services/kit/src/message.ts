import type { DescField, DescMessage, JsonObject, Message, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { enumValue } from "./enum.ts";

/** A row with the fields of a message: null if unset, dates for timestamps, enum values by name. */
export type MessageRow<Desc extends DescMessage> = Fields<Omit<MessageShape<Desc>, "$typeName" | "$unknown">>;

type Fields<Shape> = {
  readonly [K in keyof Shape]: undefined extends Shape[K] ? Value<Shape[K]> | null : Value<Shape[K]>;
};

type Value<T> = T extends Timestamp
  ? Date
  : T extends Message | readonly Message[] | JsonObject
    ? object
    : T extends bigint
      ? bigint | number
      : T extends number
        ? EnumOrNumber<T>
        : T;
type EnumOrNumber<T extends number> = number extends T ? number : string;

/** Builds the message from the row's fields; ignores columns that are not fields. */
export function buildMessage<Desc extends DescMessage>(desc: Desc, row: MessageRow<Desc>): MessageInitShape<Desc> {
  const values = row as Readonly<Record<string, unknown>>;
  const message: Record<string, unknown> = {};
  // A loop with few checks, because pages build hundreds of messages.
  for (const field of desc.fields) {
    const value = values[field.localName];
    if (value !== null && value !== undefined) message[field.localName] = fieldValue(field, value);
  }
  // The cast is safe: MessageRow has checked each field against the descriptor's message.
  return message as MessageInitShape<Desc>;
}

function fieldValue(field: DescField, value: unknown): unknown {
  switch (typeof value) {
    case "string":
      return field.fieldKind === "enum" ? enumValue(field.enum, value) : value;
    case "number":
      return field.scalar === ScalarType.INT64 ? BigInt(value) : value;
    case "object":
      return value instanceof Date ? timestampFromDate(value) : value;
    default:
      return value;
  }
}
