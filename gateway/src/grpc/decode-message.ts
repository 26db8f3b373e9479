// Decodes protobuf messages in parts between which other requests run, because tens of thousands of elements take long.

import { create, type DescField, type DescMessage, fromBinary, type Message } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { applyExactField } from "@ems/kit/codec";
import { messageDepthMax } from "../budget/index.ts";

/** Yields to other requests if decoding a large message has run for long. */
export type NextTurn = () => Promise<void>;

/** Smaller messages are decoded at once. */
const partBytes = 16 * 1024;
const elementsPerPart = 500;

/** Decodes as `fromBinary` does, with the same errors. The caller has already checked the message's depth. */
export async function decodeInParts(desc: DescMessage, bytes: Uint8Array, nextTurn: NextTurn): Promise<Message> {
  const message = await decodeParts(desc, bytes, nextTurn);
  applyExactField(desc, message, bytes);
  return message;
}

async function decodeParts(desc: DescMessage, bytes: Uint8Array, nextTurn: NextTurn): Promise<Message> {
  const lists = findLists(desc);
  if (bytes.length <= partBytes || lists.size === 0) return decodeAtOnce(desc, bytes);
  const reader = new BinaryReader(bytes);
  const elements = new Map<DescField, Message[]>();
  const rest: Uint8Array[] = [];
  for (let count = 1; reader.pos < reader.len; count++) {
    const start = reader.pos;
    const [number, wireType] = reader.tag();
    const list = lists.get(number);
    if (list === undefined || wireType !== WireType.LengthDelimited) {
      reader.skip(wireType, number);
      rest.push(bytes.subarray(start, reader.pos));
      continue;
    }
    const element = reader.bytes();
    const isLarge = element.length > partBytes;
    const decoded = isLarge ? await decodeParts(list.message, element, nextTurn) : decodeAtOnce(list.message, element);
    const group = elements.get(list.field);
    if (group === undefined) elements.set(list.field, [decoded]);
    else group.push(decoded);
    if (isLarge || count % elementsPerPart === 0) await nextTurn();
  }
  const message = rest.length === 0 ? create(desc) : decodeAtOnce(desc, Buffer.concat(rest));
  for (const [{ localName }, list] of elements) Reflect.set(message, localName, list);
  return message;
}

function decodeAtOnce(desc: DescMessage, bytes: Uint8Array): Message {
  return fromBinary(desc, bytes, { readUnknownFields: false, recursionLimit: messageDepthMax });
}

interface List {
  readonly field: DescField;
  readonly message: DescMessage;
}

const lists = new WeakMap<DescMessage, ReadonlyMap<number, List>>();

/** Finds lists of messages, by field number. */
function findLists(desc: DescMessage): ReadonlyMap<number, List> {
  const cached = lists.get(desc);
  if (cached !== undefined) return cached;
  const found = desc.fields.flatMap((field) =>
    field.fieldKind === "list" && field.message !== undefined
      ? [[field.number, { field, message: field.message }]]
      : [],
  ) as [number, List][];
  const byNumber = new Map(found);
  lists.set(desc, byNumber);
  return byNumber;
}
