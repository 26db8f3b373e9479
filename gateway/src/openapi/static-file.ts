// Answers that do not change while the process runs: made when first asked for, known by their tag after that.

import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";

export interface StaticAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly gzip: Buffer;
}

/** Kept by clients for a minute, then asked for by its tag: a new release shows soon and costs little. */
export async function staticAnswer(
  type: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<StaticAnswer> {
  const body = Buffer.from(text);
  return {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "public, max-age=60",
      etag: `W/"${hash("sha256", body, "base64url")}"`,
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
      ...headers,
    },
    body,
    gzip: await promisify(gzip)(body),
  };
}

export function serve(app: FastifyInstance, url: string, answer: () => Promise<StaticAnswer>): void {
  app.get(url, async (request, reply) => {
    const { headers, body, gzip: packed } = await answer();
    reply.headers(headers);
    if (request.headers["if-none-match"]?.includes(headers.etag ?? "")) return reply.code(304).send();
    if (!takesGzip(request.headers["accept-encoding"])) return reply.send(body);
    return reply.header("content-encoding", "gzip").send(packed);
  });
}

/** Keeps what was made; a failure is not kept. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(accepted ?? ""));
}
