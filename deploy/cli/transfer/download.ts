// Downloads of streamed exports. A broken connection, or a command that was stopped, continues after the last complete line.

import { createWriteStream } from "node:fs";
import { open, rename, rm, truncate } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type ApiClient, ApiFailure } from "../api.ts";
import { Failure, usage } from "../failure.ts";

/** Attempts without a new line. */
const attemptsMax = 6;
const backoffMaxMs = 30_000;

export interface Download {
  readonly api: ApiClient;
  /** Path of the export, without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Downloads the lines into a file. An interrupted download of the same file continues. Returns the number of new lines. */
export async function downloadLines(file: string, download: Download): Promise<number> {
  const part = `${file}.part`;
  const { cursor, bytes } = await findLastLine(part);
  await truncate(part, bytes).catch(() => undefined);
  const count = { lines: 0 };
  const lines = countLines(readLines(download, cursor), count);
  await pipeline(lines, createWriteStream(part, { flags: "a", mode: 0o600 })).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 400 && cursor !== undefined)
      throw usage(`${part} is of another export. Delete it to start again.\n${error.message}`);
    throw error;
  });
  await rename(part, file);
  return count.lines;
}

/** Yields the lines of an export, each with its line break. */
export async function* readLines({ api, path, query }: Download, after?: string): AsyncGenerator<Buffer> {
  let last: Buffer | undefined;
  let failures = 0;
  for (;;) {
    const cursor = last === undefined ? after : readCursor(last);
    try {
      for await (const line of splitLines(await openBody(api, path, query, cursor))) {
        last = line;
        failures = 0;
        yield line;
      }
      return;
    } catch (error) {
      failures += 1;
      if (!isTemporary(error) || api.isStopped || failures === attemptsMax) throw error;
      await delay(Math.min(100 * 2 ** failures, backoffMaxMs));
    }
  }
}

/** Downloads a Parquet file, which cannot be continued. */
export async function downloadParquet(file: string, { api, path, query }: Download): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(await openBody(api, path, query), createWriteStream(part, { mode: 0o600 }));
  } catch (error) {
    await rm(part, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure(`The connection broke: ${error instanceof Error ? error.message : error}. Start again.`);
  }
  await rename(part, file);
}

/** True if the connection broke, or the server has too much to do. */
function isTemporary(error: unknown): boolean {
  return error instanceof ApiFailure ? error.status === 429 || error.status >= 500 : !(error instanceof Failure);
}

async function openBody(api: ApiClient, path: string, query: URLSearchParams, after?: string): Promise<Readable> {
  const parameters = new URLSearchParams(query);
  if (after !== undefined) parameters.set("after", after);
  const body = await api.stream(`${path}?${parameters}`);
  return Readable.fromWeb(body);
}

async function* countLines(lines: AsyncIterable<Buffer>, count: { lines: number }) {
  for await (const line of lines) {
    yield line;
    count.lines += 1;
  }
}

/** Yields complete lines only: a broken connection may end within a line. */
async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end + 1)]);
      rest = [];
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
}

function readCursor(line: Buffer): string {
  const { cursor } = JSON.parse(line.toString());
  if (typeof cursor !== "string") throw new Failure("A line of the export has no cursor.");
  return cursor;
}

const blockBytes = 64 * 1024;

/** Finds the cursor of the last complete line of a file, and the length of its complete lines. */
async function findLastLine(file: string): Promise<{ cursor?: string; bytes: number }> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return { bytes: 0 };
  try {
    let tail = Buffer.alloc(0);
    for (let { size: start } = await handle.stat(); start > 0; ) {
      const length = Math.min(blockBytes, start);
      start -= length;
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, start);
      tail = Buffer.concat([buffer, tail]);
      const end = tail.lastIndexOf(10);
      const begin = end <= 0 ? -1 : tail.lastIndexOf(10, end - 1);
      if (end < 0 || (begin < 0 && start > 0)) continue;
      return { cursor: readCursor(tail.subarray(begin + 1, end)), bytes: start + end + 1 };
    }
    return { bytes: 0 };
  } finally {
    await handle.close();
  }
}
