// S3-compatible storage in memory, on loopback: it verifies signatures, and stores, returns and deletes objects.

import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

export const accessKey = { accessKeyId: "EXPORTER", secretAccessKey: "secret/of+the=exporter" };

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts storage with a bucket `exports` in the region `us-east-1`. */
export async function startStorage() {
  const objects = new Map<string, Buffer>();
  const uploads: string[] = [];
  /** Replaces answers while it returns one. */
  let refuse: (request: IncomingMessage) => Answer | undefined | Promise<Answer | undefined> = () => undefined;
  const answer = (response: ServerResponse, { status, code, headers = {} }: Answer, body?: Buffer) => {
    response.writeHead(status, headers);
    response.end(body ?? (code === undefined ? "" : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`));
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await Array.fromAsync(request);
    const body = Buffer.concat(chunks);
    const refusal = (await refuse(request)) ?? checkSignature(request, body);
    if (refusal !== undefined) return answer(response, refusal);
    const [, bucket, ...path] = segments(request);
    if (bucket !== "exports") return answer(response, { status: 404, code: "NoSuchBucket" });
    const name = path.join("/");
    const object = objects.get(name);
    switch (request.method) {
      case "PUT":
        uploads.push(name);
        objects.set(name, body);
        return answer(response, { status: 200 });
      case "DELETE":
        objects.delete(name);
        return answer(response, { status: 204 });
      default:
        return object === undefined
          ? answer(response, { status: 404, code: "NoSuchKey" })
          : answer(response, { status: 200 }, object);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    /** Names of uploaded objects, in order; repeated uploads are repeated. */
    uploads,
    refuseWith(next: typeof refuse) {
      refuse = next;
    },
    /** Lines of the objects whose names begin with `prefix`, in order of the names. */
    lines(prefix: string): string[] {
      const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).toSorted();
      return names.flatMap((name) => {
        const text = gunzipSync(objects.get(name) ?? Buffer.alloc(0)).toString("utf8");
        return text === "" ? [] : text.trimEnd().split("\n");
      });
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const segments = ({ url = "" }: IncomingMessage) => url.split("/").map(decodeURIComponent);

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");

/** Verifies AWS Signature Version 4; returns the error of a request that is not signed by the access key. */
function checkSignature(request: IncomingMessage, body: Buffer): Answer | undefined {
  const { method, headers } = request;
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/([^/]+)\/s3\/aws4_request), SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, keyId, scope = "", region = "", signedHeaders = "", signature] =
    pattern.exec(headers.authorization ?? "") ?? [];
  if (keyId !== accessKey.accessKeyId) return { status: 403, code: "InvalidAccessKeyId" };
  const digest = String(headers["x-amz-content-sha256"]);
  if (digest !== sha256(body)) return { status: 400, code: "XAmzContentSHA256Mismatch" };
  const canonicalHeaders = signedHeaders.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const path = segments(request).map(encodeURIComponent).join("/");
  const canonical = [method, path, "", canonicalHeaders.join(""), signedHeaders, digest].join("\n");
  const date = String(headers["x-amz-date"]);
  const text = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const day = hmac(`AWS4${accessKey.secretAccessKey}`, date.slice(0, 8));
  const key = hmac(hmac(hmac(day, region), "s3"), "aws4_request");
  return hmac(key, text).toString("hex") === signature ? undefined : { status: 403, code: "SignatureDoesNotMatch" };
}
