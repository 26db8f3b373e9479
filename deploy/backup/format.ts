// The form of a backup: a line that names it, then frames, compressed by zstd as a whole (`zstd -d` shows what is in it). A frame is
// a letter, the length of its content (32 bits, big-endian) and the content. In order: a header; for each table its name and
// columns, data in COPY's text format, and its counts; at the end a manifest with the SHA-256 of all bytes before it.

import { createHash } from "node:crypto";
import { z } from "@ems/kit/config";

export const formatLine = Buffer.from("ems-backup 1\n");

/** Data of a table is cut anywhere. */
export type FrameKind = "header" | "table" | "data" | "end" | "manifest";

const letters: Readonly<Record<FrameKind, string>> = { header: "H", table: "T", data: "D", end: "E", manifest: "M" };
const kinds = new Map(Object.entries(letters).map(([kind, letter]) => [letter, kind as FrameKind]));
const headBytes = 5;
/** A length beyond it is no length. */
const contentMax = 64 << 20;

const names = z.array(z.string());

export const headerShape = z.object({
  /** Of the product. */
  version: z.string(),
  /** The rows were seen between these two: what was acknowledged before the first is there, what began after the second is not. */
  takenAt: z.iso.datetime(),
  takenBy: z.iso.datetime(),
  /** PostgreSQL's name of that point, and its version. */
  snapshot: z.string(),
  postgres: z.string(),
  /** The migrations of each schema, oldest first. */
  migrations: z.record(z.string(), names),
  /**
   * Batches of rows that are in the archive alone, and thus not in the backup; and the last batch of all. Each schema numbers its own:
   * the last one of each is not in backups of versions that had one.
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
  /** The first days of the months that have a partition. */
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

/** A backup that cannot be restored; the message is a sentence. */
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

/** Reads frames, and hashes them up to the manifest. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash("sha256");
  #buffered: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Before the first frame. */
  async begin(): Promise<void> {
    const line = await this.#readBytes(formatLine.length);
    if (!line.equals(formatLine)) throw new BackupError("This is no backup, or one of a newer version.");
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

  /** The content of the next frame, which must be of that kind. */
  async expect<Shape extends z.ZodType>(kind: FrameKind, shape: Shape): Promise<z.infer<Shape>> {
    return parseFrame(await this.next(), kind, shape);
  }

  /** After the manifest. */
  async finish({ sha256 }: Manifest): Promise<void> {
    const isMore = this.#buffered.length > 0 || !(await this.#chunks.next()).done;
    if (isMore || this.#hash.digest("hex") !== sha256) throw new BackupError("The backup was altered.");
  }

  async #readBytes(length: number): Promise<Buffer> {
    const parts = [this.#buffered];
    let found = this.#buffered.length;
    while (found < length) {
      const { value, done } = await this.#chunks.next();
      if (done) throw new BackupError("The backup is cut off.");
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
  const parsed = shape.safeParse(jsonOf(frame.content));
  if (!parsed.success) throw new BackupError("The backup was altered.");
  return parsed.data;
}

function jsonOf(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}
