// Format of a backup: an identifying line and frames, compressed with zstd as a whole (`zstd -d` prints the content).
// A frame is a letter, the length of its content (32 bits, big-endian) and the content. The frames are: a header; for
// each table name and columns, data in COPY's text format, and counts; a manifest with the SHA-256 of all bytes before.

import { createHash } from "node:crypto";
import { z } from "@ems/kit/config";

export const formatLine = Buffer.from("ems-backup 1\n");

/** Kinds of frames. A table's data is split into frames at arbitrary bytes. */
export type FrameKind = "header" | "table" | "data" | "end" | "manifest";

const letters: Readonly<Record<FrameKind, string>> = { header: "H", table: "T", data: "D", end: "E", manifest: "M" };
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter, kind as FrameKind]));
const headBytes = 5;
/** Maximum size of a frame's content in bytes. A larger length means that the file is damaged. */
const contentMax = 64 << 20;

const names = z.array(z.string());

export const headerShape = z.object({
  /** Version of the product that wrote the backup. */
  version: z.string(),
  /** The snapshot has every change acknowledged before `takenAt`, and no change that began after `takenBy`. */
  takenAt: z.iso.datetime(),
  takenBy: z.iso.datetime(),
  /** PostgreSQL's name of the snapshot, and the server's version. */
  snapshot: z.string(),
  postgres: z.string(),
  /** Migrations of each schema, oldest first. */
  migrations: z.record(z.string(), names),
  /**
   * Counts of batches and rows that only the archive has, which are not in the backup; and the last batch number.
   * `lasts` has the last number by schema. It is missing in backups of older versions, which shared one numbering.
   */
  dropped: z
    .object({
      batches: z.number(),
      rows: z.number(),
      last: z.number(),
      lasts: z.record(z.string(), z.number()).optional(),
    })
    .optional(),
});
export type Header = z.infer<typeof headerShape>;

export const tableShape = z.object({
  schema: z.string(),
  name: z.string(),
  columns: names,
  /** First day of each month that has a partition. */
  months: names,
});
export type TableHead = z.infer<typeof tableShape>;

export const countsShape = z.object({ rows: z.number(), bytes: z.number() });
export type Counts = z.infer<typeof countsShape>;

export const manifestShape = z.object({
  tables: z.array(countsShape.extend({ table: z.string() })),
  sha256: z.string(),
});
export type Manifest = z.infer<typeof manifestShape>;

/** Thrown if a backup is invalid or cannot be restored here. The message is a sentence. */
export class BackupError extends Error {
  override name = "BackupError";
}

export function frameHead(kind: FrameKind, length: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write(letters[kind], 0, "latin1");
  head.writeUInt32BE(length, 1);
  return head;
}

export function jsonFrame(kind: FrameKind, value: unknown): Buffer {
  const content = Buffer.from(JSON.stringify(value));
  return Buffer.concat([frameHead(kind, content.length), content]);
}

export interface Frame {
  readonly kind: FrameKind;
  readonly content: Buffer;
}

/** Reads frames and hashes them up to the manifest. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash("sha256");
  #buffered: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads the identifying line before the first frame. */
  async begin(): Promise<void> {
    const line = await this.#readBytes(formatLine.length);
    if (!line.equals(formatLine)) throw new BackupError("This is not a backup, or it is of a newer version.");
    this.#hash.update(line);
  }

  async next(): Promise<Frame> {
    const head = await this.#readBytes(headBytes);
    const kind = kinds.get(head.toString("latin1", 0, 1));
    const length = head.readUInt32BE(1);
    if (kind === undefined || length > contentMax) throw new BackupError("The backup was altered.");
    const content = await this.#readBytes(length);
    if (kind !== "manifest") this.#hash.update(head).update(content);
    return { kind, content };
  }

  /** Reads the content of the next frame. Throws if the frame is not of the given kind. */
  async expect<Shape extends z.ZodType>(kind: FrameKind, shape: Shape): Promise<z.infer<Shape>> {
    return parseFrame(await this.next(), kind, shape);
  }

  /** Verifies the manifest's hash, and that nothing follows the manifest. */
  async finish({ sha256 }: Manifest): Promise<void> {
    const isMore = this.#buffered.length > 0 || !(await this.#chunks.next()).done;
    if (isMore || this.#hash.digest("hex") !== sha256) throw new BackupError("The backup was altered.");
  }

  async #readBytes(length: number): Promise<Buffer> {
    const parts = [this.#buffered];
    let found = this.#buffered.length;
    while (found < length) {
      const { value, done } = await this.#chunks.next();
      if (done) throw new BackupError("The backup is truncated.");
      parts.push(value);
      found += value.length;
    }
    const all = parts.length === 1 ? this.#buffered : Buffer.concat(parts);
    this.#buffered = all.subarray(length);
    return all.subarray(0, length);
  }
}

export function parseFrame<Shape extends z.ZodType>(frame: Frame, kind: FrameKind, shape: Shape): z.infer<Shape> {
  if (frame.kind !== kind) throw new BackupError("The backup was altered.");
  const parsed = shape.safeParse(parseJson(frame.content));
  if (!parsed.success) throw new BackupError("The backup was altered.");
  return parsed.data;
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}
