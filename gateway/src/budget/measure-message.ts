// Complexity of a message, measured before its values are allocated: an empty submessage of 2 bytes becomes an object
// of 100.

import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { beginsJson, measureJson } from "@ems/kit/readers";

export interface BodyMeasure {
  /** Number of lists, objects, elements and members. Counting stops at one above the maximum. */
  readonly values: number;
  /** Values of JSON inside text fields, counted the same way. */
  readonly textValues: number;
  readonly isTooDeep: boolean;
}

/** Limits beyond which counting stops. */
export interface ValueLimits {
  readonly values: number;
  /** Limit for the sum of values, including values inside text fields. */
  readonly allValues: number;
}

/** Smaller messages cannot contain enough values to matter. */
const smallBytes = 1024;

/** Measures fields, elements, members, and values of JSON in text fields. Throws for bytes that are not a message. */
export function measureMessage(desc: DescMessage, bytes: Uint8Array, limits: ValueLimits): BodyMeasure {
  if (bytes.length <= smallBytes) return { values: 0, textValues: 0, isTooDeep: false };
  const measure = new Measure(bytes, limits);
  measure.message(desc, bytes.length, 0);
  return { values: measure.values, textValues: measure.textValues, isTooDeep: false };
}

/** Maximum nesting depth, the same as protobuf's own reader. */
export const messageDepthMax = 128;

class Measure {
  values = 0;
  textValues = 0;
  readonly #bytes: Uint8Array;
  readonly #reader: BinaryReader;
  readonly #limits: ValueLimits;

  constructor(bytes: Uint8Array, limits: ValueLimits) {
    this.#bytes = bytes;
    this.#reader = new BinaryReader(bytes);
    this.#limits = limits;
  }

  message(desc: DescMessage, end: number, depth: number): void {
    const reader = this.#reader;
    if (depth > messageDepthMax) throw new Error(`nested deeper than ${messageDepthMax} messages`);
    while (reader.pos < end && this.#isWithin()) {
      const [number, wireType] = reader.tag();
      this.values += 1;
      const field = getFields(desc).get(number);
      if (wireType !== WireType.LengthDelimited || field === undefined) {
        reader.skip(wireType, number);
        continue;
      }
      const length = reader.uint32();
      const next = reader.pos + length;
      if (next > end) throw new RangeError("a field ends after its message");
      const inner = field.fieldKind === "map" ? undefined : field.message;
      if (inner !== undefined) this.message(inner, next, depth + 1);
      else if (field.fieldKind === "map" && field.message !== undefined) this.#entry(field.message, next, depth + 1);
      else if (field.scalar === ScalarType.STRING) this.#text(next);
      // Packed numbers take at least one byte each, so the length is the maximum number of values.
      else if (field.fieldKind === "list" && field.packed) this.values += length;
      if (this.#isWithin()) reader.pos = next;
    }
  }

  #isWithin(): boolean {
    return this.values <= this.#limits.values && this.values + this.textValues <= this.#limits.allValues;
  }

  #text(end: number): void {
    const start = this.#reader.pos;
    if (!beginsJson(this.#bytes, start, end)) return;
    const { values, textValues } = measureJson(
      this.#bytes,
      { allValues: this.#limits.allValues - this.values - this.textValues },
      start,
      end,
    );
    this.textValues += values + textValues;
  }

  /** In an entry of a map, field 2 is the value. */
  #entry(value: DescMessage, end: number, depth: number): void {
    const reader = this.#reader;
    while (reader.pos < end && this.#isWithin()) {
      const [number, wireType] = reader.tag();
      if (number !== 2 || wireType !== WireType.LengthDelimited) {
        reader.skip(wireType, number);
        continue;
      }
      const next = reader.uint32() + reader.pos;
      if (next > end) throw new RangeError("a field ends after its message");
      this.message(value, next, depth);
    }
  }
}

const fields = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function getFields(desc: DescMessage): ReadonlyMap<number, DescField> {
  const cached = fields.get(desc) ?? new Map(desc.fields.map((field) => [field.number, field]));
  fields.set(desc, cached);
  return cached;
}
