// The complexity of a message, measured before its values are allocated: an empty submessage of two bytes becomes an object
// of a hundred.

import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** Fewer bytes cannot hold values that matter. */
const smallBytes = 1024;

/** Fields, elements and members; counted up to one more than `valuesMax`. Throws for bytes that are no message. */
export function measureMessage(desc: DescMessage, bytes: Uint8Array, valuesMax: number): number {
  if (bytes.length <= smallBytes) return 0;
  return new Measure(bytes, valuesMax).message(desc, bytes.length, 0);
}

/** As deep as protobuf's own reader goes. */
export const messageDepthMax = 128;

class Measure {
  readonly #reader: BinaryReader;
  readonly #valuesMax: number;
  #values = 0;

  constructor(bytes: Uint8Array, valuesMax: number) {
    this.#reader = new BinaryReader(bytes);
    this.#valuesMax = valuesMax;
  }

  message(desc: DescMessage, end: number, depth: number): number {
    const reader = this.#reader;
    if (depth > messageDepthMax) throw new Error(`nested deeper than ${messageDepthMax} messages`);
    while (reader.pos < end && this.#values <= this.#valuesMax) {
      const [number, wireType] = reader.tag();
      this.#values += 1;
      const field = fieldsOf(desc).get(number);
      if (wireType !== WireType.LengthDelimited || field === undefined) {
        reader.skip(wireType, number);
        continue;
      }
      const length = reader.uint32();
      const next = reader.pos + length;
      if (next > end) throw new RangeError("a field ends beyond its message");
      const inner = field.fieldKind === "map" ? undefined : field.message;
      if (inner !== undefined) this.message(inner, next, depth + 1);
      else if (field.fieldKind === "map" && field.message !== undefined) this.#entry(field.message, next, depth + 1);
      // Packed numbers of at least a byte each.
      else if (field.fieldKind === "list" && field.packed) this.#values += length;
      if (this.#values <= this.#valuesMax) reader.pos = next;
    }
    return this.#values;
  }

  /** The value of a map's entry is its field 2. */
  #entry(value: DescMessage, end: number, depth: number): void {
    const reader = this.#reader;
    while (reader.pos < end && this.#values <= this.#valuesMax) {
      const [number, wireType] = reader.tag();
      if (number !== 2 || wireType !== WireType.LengthDelimited) {
        reader.skip(wireType, number);
        continue;
      }
      const next = reader.uint32() + reader.pos;
      if (next > end) throw new RangeError("a field ends beyond its message");
      this.message(value, next, depth);
    }
  }
}

const fields = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsOf(desc: DescMessage): ReadonlyMap<number, DescField> {
  const cached = fields.get(desc) ?? new Map(desc.fields.map((field) => [field.number, field]));
  fields.set(desc, cached);
  return cached;
}
