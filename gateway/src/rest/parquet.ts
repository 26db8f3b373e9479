// Parquet files of messages: a row for each message, a column for each field. The file is written in pieces, so that
// memory holds one group of rows and the numbers about earlier groups.

import { zstdCompressSync } from "node:zlib";
import { type DescField, type DescMessage, getOption, type Message, ScalarType } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { valueName } from "@ems/kit/enum";
import { parseDecimal } from "@ems/kit/json/decimal";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { messageBytes } from "@ems/kit/message-bytes";
import { decimal_places } from "@ems/proto/rest/v1/rest";
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";

/** A group of rows is written when it has this size: smaller groups take more space, larger ones block the process. */
const groupBytes = 1024 * 1024;
const groupRowsMax = 5_000;

const timestampName = "google.protobuf.Timestamp";

interface Column {
  readonly element: SchemaElement;
  readonly read: (message: Readonly<Record<string, unknown>>) => unknown;
}

export class ParquetFile {
  readonly #desc: DescMessage;
  readonly #columns: readonly Column[];
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #rows: Message[] = [];
  #rowBytes = 0;

  /** Throws if a field has no column type. */
  constructor(desc: DescMessage) {
    this.#desc = desc;
    this.#columns = desc.fields.map(toColumn);
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: "root", num_children: this.#columns.length }, ...this.#columns.map(({ element }) => element)],
      codec: "ZSTD",
      // The library's own compression is in JavaScript, and several times slower.
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      createdBy: "ems",
    });
  }

  /** Adds rows, and returns the next bytes of the file, if any. */
  add(rows: readonly Message[]): Buffer {
    for (const row of rows) {
      this.#rows.push(row);
      this.#rowBytes += messageBytes(this.#desc, row);
      if (this.#rowBytes >= groupBytes || this.#rows.length >= groupRowsMax) this.#writeGroup();
    }
    return this.#takeBytes();
  }

  /** Returns the rest of the file. */
  finish(): Buffer {
    this.#writeGroup();
    this.#writer.finish();
    return this.#takeBytes();
  }

  #writeGroup(): void {
    if (this.#rows.length === 0) return;
    // Safe cast: fields are properties of their message.
    const rows = this.#rows as unknown as readonly Readonly<Record<string, unknown>>[];
    const columnData = this.#columns.map(({ element, read }) => ({ name: element.name, data: rows.map(read) }));
    this.#writer.write({ columnData, rowGroupSize: rows.length });
    this.#rows = [];
    this.#rowBytes = 0;
  }

  #takeBytes(): Buffer {
    const bytes = Buffer.from(this.#bytes.getBytes());
    this.#bytes.index = 0;
    return bytes;
  }
}

function toColumn(field: DescField): Column {
  const { jsonName: name, localName, parent } = field;
  const type = columnType(field);
  if (type === undefined) throw new Error(`${parent.typeName}.${field.name} has no column type`);
  const { convert, ...element } = type;
  return {
    element: { name, repetition_type: "OPTIONAL", ...element },
    read: (message) => {
      // Own properties only: the prototype has the default of an unset field.
      const value = Object.hasOwn(message, localName) ? message[localName] : undefined;
      return value === undefined ? null : convert(value as never);
    },
  };
}

type ColumnType = Omit<SchemaElement, "name"> & {
  /** Converts a value of the field's type. */
  readonly convert: (value: never) => unknown;
};

const same = (value: unknown) => value;
const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;

function columnType(field: DescField): ColumnType | undefined {
  if (field.fieldKind === "message" && field.message.typeName === timestampName)
    return {
      type: "INT64",
      converted_type: "TIMESTAMP_MILLIS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      convert: (value: Timestamp) => dateFromTimestamp(value),
    };
  if (field.fieldKind === "enum") {
    const names = new Map(field.enum.values.map((value) => [value.number, valueName(value) ?? null]));
    return { ...text, convert: (value: number) => names.get(value) ?? null };
  }
  if (field.fieldKind !== "scalar") return undefined;
  switch (field.scalar) {
    case ScalarType.STRING:
      return { ...text, convert: same };
    case ScalarType.BOOL:
      return { type: "BOOLEAN", convert: same };
    case ScalarType.INT32:
      return { type: "INT32", convert: same };
    case ScalarType.INT64:
      return { type: "INT64", convert: same };
    case ScalarType.DOUBLE:
      return numberType(getOption(field, decimal_places));
    default:
      return undefined;
  }
}

const decimalDigits = 38;

function numberType(scale: number): ColumnType {
  if (scale === 0) return { type: "DOUBLE", convert: same };
  return {
    type: "FIXED_LEN_BYTE_ARRAY",
    type_length: 16,
    converted_type: "DECIMAL",
    logical_type: { type: "DECIMAL", precision: decimalDigits, scale },
    precision: decimalDigits,
    scale,
    convert: (value: number) => toDecimal(value, scale),
  };
}

/** Returns a number with its shortest digits, in units of the last decimal place, where it is cut. */
export function toDecimal(value: number, scale: number): bigint | null {
  if (!Number.isFinite(value)) return null;
  const { digits, exponent } = parseDecimal(String(value));
  const shift = exponent + scale;
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}
