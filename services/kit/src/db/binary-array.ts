// Arrays in PostgreSQL's binary format, which pg sends unchanged. They take a third of the CPU time of array literals
// on both sides, where each text is escaped, quoted and parsed again.

interface ElementType {
  readonly oid: number;
  readonly countBytes: (value: never) => number;
  readonly write: (buffer: Buffer, value: never, offset: number) => void;
}

const text = (oid: number): ElementType => ({
  oid,
  countBytes: (value: string) => Buffer.byteLength(value),
  write: (buffer, value: string, offset) => void buffer.write(value, offset),
});
const fixed = <T>(
  oid: number,
  bytes: number,
  write: (buffer: Buffer, value: T, offset: number) => void,
): ElementType => ({
  oid,
  countBytes: () => bytes,
  write,
});

/** Element types by column type (table.ts). Their numbers are from the catalog pg_type and never change. */
const elementTypes: Readonly<Record<string, ElementType>> = {
  boolean: fixed(16, 1, (buffer, value: boolean, offset) => void buffer.writeUInt8(value ? 1 : 0, offset)),
  bytea: {
    oid: 17,
    countBytes: (value: Buffer) => value.length,
    write: (buffer, value: Buffer, offset) => void value.copy(buffer, offset),
  },
  bigint: fixed(20, 8, (buffer, value: string, offset) => void buffer.writeBigInt64BE(BigInt(value), offset)),
  integer: fixed(23, 4, (buffer, value: number, offset) => void buffer.writeInt32BE(value, offset)),
  text: text(25),
  json: text(114),
  "double precision": fixed(701, 8, (buffer, value: number, offset) => void buffer.writeDoubleBE(value, offset)),
  timestamptz: fixed(1184, 8, (buffer, value: Date, offset) => {
    void buffer.writeBigInt64BE(BigInt(value.getTime() - epochMs) * 1000n, offset);
  }),
  uuid: fixed(2950, 16, (buffer, value: string, offset) => {
    if (buffer.write(value.replaceAll("-", ""), offset, 16, "hex") < 16) throw new Error(`${value} is not a UUID`);
  }),
  // jsonb's binary format has a version before the text.
  jsonb: {
    oid: 3802,
    countBytes: (value: string) => Buffer.byteLength(value) + 1,
    write: (buffer, value: string, offset) => void buffer.write(value, buffer.writeUInt8(1, offset)),
  },
};

/** PostgreSQL counts time from here, in microseconds. */
const epochMs = Date.UTC(2000);

const headerBytes = 20;

/** Encodes a column's values: JSON is given as text, a time as a Date, and NULL as null. */
export function binaryArray(type: string, values: readonly unknown[]): Buffer {
  const element = elementTypes[type];
  if (element === undefined) throw new Error(`a column of type ${type} cannot be inserted`);
  const sizes = values.map((value) => (value === null ? 0 : element.countBytes(value as never)));
  const buffer = Buffer.allocUnsafe(headerBytes + sizes.reduce((sum, size) => sum + size + 4, 0));
  // Header: dimensions, a flag for NULLs, the element type, the number of elements, the first index.
  const header = [1, values.includes(null) ? 1 : 0, element.oid, values.length, 1];
  let offset = header.reduce((at, field) => buffer.writeInt32BE(field, at), 0);
  for (const [index, size] of sizes.entries()) {
    const value = values[index];
    offset = buffer.writeInt32BE(value === null ? -1 : size, offset);
    if (value !== null) element.write(buffer, value as never, offset);
    offset += size;
  }
  return buffer;
}
