// Receives a request's body within its size and the memory of all bodies, and decompresses it within the same.

import { once } from "node:events";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { tooLarge } from "@ems/kit/errors";
import { sizeText } from "@ems/proto/limits";
import type { HeldBody } from "./body-memory.ts";

const gunzipChunkBytes = 64 * 1024;

export function bodyTooLarge(bytesMax: number): Error {
  return tooLarge(`The request body is larger than ${sizeText(bytesMax)}`);
}

/**
 * The whole body. What exceeds a limit is discarded as it comes, up to the size of a second body: a client that is still
 * sending would miss a response.
 */
export function receiveBody(
  stream: Readable,
  bytesMax: number,
  held: HeldBody,
  discardedBytesMax = bytesMax,
): Promise<Buffer> {
  // Over HTTP/2 the stream of an empty body ends before anybody reads it: its event is over.
  if (stream.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let refused: unknown;
    const stop = (error: unknown) => {
      stream.off("data", onData).off("end", onEnd).off("error", stop);
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (refused !== undefined) return length > bytesMax + discardedBytesMax ? stop(refused) : undefined;
      try {
        if (length > bytesMax) throw bodyTooLarge(bytesMax);
        held.add(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refused = error;
        chunks.length = 0;
        held.release();
        if (discardedBytesMax === 0) stop(error);
      }
    };
    const onEnd = () => {
      if (refused !== undefined) return stop(refused);
      stream.off("data", onData).off("end", onEnd).off("error", stop);
      // Copied, so that no view of the socket's read buffer stays.
      resolve(Buffer.concat(chunks, length));
    };
    stream.on("data", onData).on("end", onEnd).on("error", stop);
    stream.resume();
  });
}

/** The decompressed body; undefined when it is not valid gzip. */
export async function gunzipBody(bytes: Buffer, bytesMax: number, held: HeldBody): Promise<Buffer | undefined> {
  const gunzip = createGunzip({ chunkSize: gunzipChunkBytes });
  const received = receiveBody(gunzip, bytesMax, held, 0);
  gunzip.end(bytes);
  try {
    return await received;
  } catch (error) {
    if (isZlibError(error)) return undefined;
    throw error;
  } finally {
    gunzip.destroy();
    if (!gunzip.closed) await once(gunzip, "close");
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "errno" in error && String(Reflect.get(error, "code")).startsWith("Z_");
}
