// Objects of a bucket of S3-compatible storage: signed requests, one object each.

import { hash } from "node:crypto";
import type { Clock } from "@ems/kit/clock";
import type { CheckedAnswer, CheckedHttp } from "@ems/kit/hosts";
import { AwsV4Signer } from "aws4fetch";
import type { ExportSettingRow } from "../entity.ts";
import { BucketFault, toFault, toNetworkFault } from "./fault.ts";

export type BucketPlace = Pick<
  ExportSettingRow,
  "endpoint" | "region" | "bucket" | "prefix" | "pathStyle" | "accessKeyId"
>;

export interface Bucket {
  /** Stores an object. It becomes visible as a whole, in place of an object of the same name. */
  put(name: string, body: Buffer<ArrayBuffer>, contentType: string, signal: AbortSignal): Promise<void>;
  /** Returns an object; of a larger one, the beginning. */
  get(name: string, signal: AbortSignal): Promise<Buffer>;
  delete(name: string, signal: AbortSignal): Promise<void>;
}

export interface BucketDeps {
  readonly http: Pick<CheckedHttp, "send">;
  readonly clock: Clock;
}

type Method = "PUT" | "GET" | "DELETE";

const actions: Readonly<Record<Method, string>> = {
  PUT: "write objects",
  GET: "read objects",
  DELETE: "delete objects",
};

/** Returns a bucket whose requests are signed by the key. All methods reject with a `BucketFault`. */
export function openBucket(place: BucketPlace, secretAccessKey: string, { http, clock }: BucketDeps): Bucket {
  const { region, bucket, prefix, accessKeyId } = place;
  const base = bucketUrl(place);
  const send = async (method: Method, name: string, signal: AbortSignal, object?: Stored): Promise<Buffer> => {
    const url = `${base}/${prefix === null ? "" : `${prefix}/`}${name}`;
    const body = object?.body ?? Buffer.alloc(0);
    const signer = new AwsV4Signer({
      method,
      url,
      headers: {
        // The storage compares the body with the digest.
        "x-amz-content-sha256": hash("sha256", body, "hex"),
        ...(object !== undefined && { "content-type": object.contentType }),
      },
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
      datetime: clock
        .now()
        .toISOString()
        .replaceAll(/[-:]|\.\d+/g, ""),
    });
    const signed = await signer.sign();
    const init = { method, headers: [...signed.headers], signal, ...(object !== undefined && { body }) };
    const answer = await http.send(String(signed.url), init).catch((error: unknown) => {
      throw toNetworkFault(error);
    });
    return readAnswer(answer, { bucket, action: actions[method] });
  };
  return {
    put: async (name, body, contentType, signal) => void (await send("PUT", name, signal, { body, contentType })),
    get: (name, signal) => send("GET", name, signal),
    delete: async (name, signal) => void (await send("DELETE", name, signal)),
  };
}

interface Stored {
  readonly body: Buffer<ArrayBuffer>;
  readonly contentType: string;
}

/** URL of the bucket, with its name in the path or in the host. */
export function bucketUrl({ endpoint, bucket, pathStyle }: Pick<BucketPlace, "endpoint" | "bucket" | "pathStyle">) {
  const { protocol, host } = new URL(endpoint);
  return pathStyle ? `${protocol}//${host}/${bucket}` : `${protocol}//${bucket}.${host}`;
}

const refusals = {
  not_public: {
    cause: "ADDRESS_REFUSED",
    message:
      "The endpoint must be https and resolve to a public host. The operator may allow private addresses (EXPORT_ALLOW_CIDRS)",
  },
  name_not_found: {
    cause: "UNREACHABLE",
    message: "The endpoint's name does not resolve. Check the endpoint",
  },
  resolver: { cause: "UNREACHABLE", message: "The name servers do not answer for the endpoint's name" },
} as const;

function readAnswer(answer: CheckedAnswer, place: { readonly bucket: string; readonly action: string }): Buffer {
  if (!answer.ok) {
    const { cause, message } = refusals[answer.reason];
    throw new BucketFault(cause, message);
  }
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw toFault(answer, place);
}
