// Streamed responses: the pages of an RPC, one after another, as fast as the client reads. The first page decides on the
// status. A later failure closes the connection before the last chunk, so that no client takes a part for the whole.

import { pipeline as connect, Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { constants, createGzip } from "node:zlib";
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, unavailable } from "@ems/kit/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { splitIntoChunks } from "../http/http-server.ts";
import { acceptsGzip } from "../openapi/static-file.ts";
import type { AdmittedRequest, Pipeline } from "../pipeline.ts";
import { ParquetFile } from "./parquet.ts";
import { getRowType, type Route } from "./routes.ts";

/** Media types of lines of JSON, and of Parquet. */
export const linesType = "application/x-ndjson";
export const parquetType = "application/vnd.apache.parquet";

export interface StreamedRequest {
  readonly route: Route;
  readonly admitted: AdmittedRequest;
  readonly message: Message;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
  /** Aborted when the process stops: the client continues with another replica. */
  readonly stopping: AbortSignal;
}

/** The fields that `streamed_response` requires. */
interface Page {
  readonly payload: Uint8Array;
  readonly next?: string;
  readonly rows?: readonly Message[];
}

/** Delays before a page is read again after a temporary failure. */
const retryDelaysMs = [500, 1_000, 2_000, 4_000];
const temporary = new Set([Code.Unavailable, Code.ResourceExhausted, Code.DeadlineExceeded, Code.Aborted]);

/** Sends the pages. Throws if the first one fails. */
export async function streamPages(
  pipeline: Pipeline,
  streamed: StreamedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { route, admitted, message } = streamed;
  admitted.budget.holdStream(reply.raw);
  const read = async (input: Message): Promise<Page> => {
    const options = { requestId: request.id, signal: streamed.disconnected };
    const response = await pipeline.call(route, admitted, input, options);
    // Safe cast: routes.ts checks the fields.
    return response.message as Message & Page;
  };
  const first = await read(message);
  const { format } = message as Message & { readonly format?: string };
  const rowType = format === "parquet" ? getRowType(route.method) : undefined;
  reply.headers({
    "cache-control": "no-store",
    "content-disposition": `attachment; filename="${route.path.split("/").at(-2)}.${rowType === undefined ? "jsonl" : "parquet"}"`,
    vary: "accept-encoding",
  });
  reply.code(route.successStatus).type(rowType === undefined ? `${linesType}; charset=utf-8` : parquetType);
  if (request.method === "HEAD") return void reply.send("");
  const readNext = (after: string) => {
    // A failure from here on must not become an error response, even if the first page is still being compressed.
    if (!reply.raw.headersSent) reply.raw.flushHeaders();
    return retry(streamed, async () => {
      pipeline.budgets.checkProcess();
      await admitted.recheck();
      return read({ ...message, after } as Message);
    });
  };
  const chunks = Readable.from(readChunks(toBytes(readPages(first, readNext), rowType), admitted), {
    objectMode: false,
  });
  // Without chunks, in HTTP/1.0, only a reset shows that the response is incomplete.
  if (request.raw.httpVersion === "1.0") chunks.once("error", () => reply.raw.socket?.resetAndDestroy());
  if (!acceptsGzip(request.headers["accept-encoding"])) return void reply.send(chunks);
  // Flushed, so that a client can decompress all lines that arrived before a failure.
  const compressed = createGzip({ flush: constants.Z_SYNC_FLUSH });
  // The errors reach the reply through the last stream.
  connect(chunks, compressed, () => undefined);
  reply.header("content-encoding", "gzip").send(compressed);
}

async function* readPages(first: Page, readNext: (after: string) => Promise<Page>): AsyncGenerator<Page> {
  for (let page = first; ; page = await readNext(page.next)) {
    yield page;
    if (page.next === undefined) return;
  }
}

/** Yields the bytes of each page: its lines, or those of a Parquet file that its rows complete. */
async function* toBytes(pages: AsyncIterable<Page>, rowType: DescMessage | undefined): AsyncGenerator<Uint8Array> {
  const file = rowType && new ParquetFile(rowType);
  for await (const { payload, rows = [] } of pages) yield file === undefined ? payload : file.add(rows);
  if (file !== undefined) yield file.finish();
}

async function* readChunks(bodies: AsyncIterable<Uint8Array>, { budget }: AdmittedRequest): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of bodies) {
    const release = budget.holdPage(byteLength);
    try {
      yield* splitIntoChunks(Buffer.from(buffer, byteOffset, byteLength));
    } finally {
      release();
    }
  }
}

/** Runs `attempt` until it succeeds, fails permanently, or has failed too often. */
async function retry<T>({ disconnected, stopping }: StreamedRequest, attempt: () => Promise<T>): Promise<T> {
  for (const delayMs of retryDelaysMs) {
    if (stopping.aborted) throw unavailable();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConnectError && temporary.has(error.code))) throw error;
      await setTimeout(delayMs, undefined, { signal: disconnected });
    }
  }
  return attempt();
}
