// Reads the rows of one object, page by page, and compresses them as they arrive: only compressed bytes stay in memory.

import { once } from "node:events";
import { createGzip } from "node:zlib";
import type { ExportPage } from "./source.ts";

export interface CollectOptions {
  /** Reads the page after the cursor; the first page of the period without one. */
  readonly read: (after: string | undefined) => Promise<ExportPage>;
  readonly after: string | undefined;
  /** The object ends with the page with which it reaches this size. */
  readonly bytesMax: number;
  /** Returns true if the object must end with the page that was read, because time runs out. */
  readonly isLate: () => boolean;
}

export interface Collected {
  readonly body: Buffer<ArrayBuffer>;
  readonly rows: number;
  /** Cursor of the next object; undefined at the end of the period. */
  readonly next: string | undefined;
}

export async function collect({ read, after, bytesMax, isLate }: CollectOptions): Promise<Collected> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  let bytes = 0;
  gzip.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  let rows = 0;
  let next = after;
  try {
    do {
      const page = await read(next);
      rows += countLines(page.payload);
      next = page.next;
      await new Promise<void>((resolve, reject) => {
        gzip.write(page.payload, (error) => (error ? reject(error) : resolve()));
      });
    } while (next !== undefined && bytes < bytesMax && !isLate());
    const ended = once(gzip, "end");
    gzip.end();
    await ended;
  } finally {
    gzip.destroy();
  }
  return { body: Buffer.concat(chunks), rows, next };
}

const lineBreak = 0x0a;

function countLines(payload: Uint8Array): number {
  let count = 0;
  for (let at = payload.indexOf(lineBreak); at >= 0; at = payload.indexOf(lineBreak, at + 1)) count++;
  return count;
}
