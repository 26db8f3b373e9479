// Faults of requests to a bucket: each with a cause, and a sentence that names the next step. None contains the key.

import { ConnectFailure } from "@ems/kit/hosts";
import type { ErrorCause } from "../entity.ts";

export class BucketFault extends Error {
  override name = "BucketFault";
  readonly reason: ErrorCause;

  constructor(reason: ErrorCause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

interface ErrorAnswer {
  readonly status: number;
  readonly isRedirect: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Place {
  readonly bucket: string;
  /** The request's purpose, such as `write objects`. */
  readonly action: string;
}

const sentences: Readonly<Partial<Record<ErrorCause, (place: Place) => string>>> = {
  CREDENTIALS_REFUSED: () => "The storage does not accept the access key. Check accessKeyId and secretAccessKey",
  CLOCK_SKEW: () =>
    "The storage rejects the time of the request. Correct the clock of the storage, or of this service's machine",
  BUCKET_MISSING: ({ bucket }) => `The bucket ${bucket} does not exist. Create it, or correct its name`,
  PERMISSION_MISSING: ({ bucket, action }) =>
    `The access key may not ${action} in the bucket ${bucket}. Grant it the permission`,
};

/** Causes by error code; other codes are decided by the status. */
const causes: Readonly<Record<string, ErrorCause>> = {
  InvalidAccessKeyId: "CREDENTIALS_REFUSED",
  SignatureDoesNotMatch: "CREDENTIALS_REFUSED",
  InvalidToken: "CREDENTIALS_REFUSED",
  ExpiredToken: "CREDENTIALS_REFUSED",
  RequestTimeTooSkewed: "CLOCK_SKEW",
  RequestExpired: "CLOCK_SKEW",
  NoSuchBucket: "BUCKET_MISSING",
  AccessDenied: "PERMISSION_MISSING",
  AllAccessDisabled: "PERMISSION_MISSING",
  AuthorizationHeaderMalformed: "WRONG_REGION",
  PermanentRedirect: "WRONG_REGION",
  TemporaryRedirect: "WRONG_REGION",
};

/** Returns the fault of an answer that reports an error. */
export function toFault({ status, isRedirect, headers, body }: ErrorAnswer, place: Place): BucketFault {
  const text = body.toString("utf8");
  const code = /<Code>([A-Za-z0-9.]{1,100})<\/Code>/.exec(text)?.[1];
  const region = headers["x-amz-bucket-region"] ?? /<Region>([A-Za-z0-9-]{1,64})<\/Region>/.exec(text)?.[1];
  const cause = isRedirect ? "WRONG_REGION" : (causes[code ?? ""] ?? causeByStatus(status, code));
  if (cause === "WRONG_REGION") return new BucketFault(cause, wrongRegion(region));
  const sentence = sentences[cause]?.(place);
  if (sentence !== undefined) return new BucketFault(cause, sentence);
  const reported = code === undefined ? `${status}` : `${status} ${code}`;
  if (cause === "STORAGE_ERROR") return new BucketFault(cause, `The storage answered ${reported}. Check its log`);
  return new BucketFault(cause, `The endpoint answered ${reported}, which is not an answer of S3. Check the endpoint`);
}

function wrongRegion(region: string | undefined): string {
  const advice = "Set the bucket's region and the endpoint of that region";
  return region === undefined
    ? `The bucket is in another region or at another endpoint; redirects are not followed. ${advice}`
    : `The bucket is in the region ${region.slice(0, 64)}. ${advice}`;
}

function causeByStatus(status: number, code: string | undefined): ErrorCause {
  if (status === 401) return "CREDENTIALS_REFUSED";
  if (status === 403) return "PERMISSION_MISSING";
  if (status === 404 && code === undefined) return "BUCKET_MISSING";
  if (status >= 500 || status === 429 || code !== undefined) return "STORAGE_ERROR";
  return "BAD_ANSWER";
}

/** Returns the fault of a request that was not answered. */
export function toNetworkFault(error: unknown): BucketFault {
  const codes = listCauses(error).flatMap((cause) =>
    cause instanceof Error && "code" in cause ? [String(cause.code)] : [],
  );
  const code = codes.at(-1);
  if (code !== undefined && /CERT|SIGNED|ALTNAME|SSL|^ERR_TLS/.test(code)) {
    return new BucketFault("CERTIFICATE", `The certificate of the endpoint is not valid (${code})`, { cause: error });
  }
  if (code?.startsWith("HPE_") || code === "UND_ERR_RESPONSE") {
    const message = "The endpoint's answer is not HTTP. Check the endpoint's port";
    return new BucketFault("BAD_ANSWER", message, { cause: error });
  }
  const why = isTimeout(error) ? "no answer in time" : (code ?? "the connection failed");
  const message = `The endpoint cannot be reached (${why}). Check the endpoint, and that the storage is running`;
  return new BucketFault("UNREACHABLE", message, { cause: error });
}

function isTimeout(error: unknown): boolean {
  return listCauses(error).some(
    (cause) => (cause instanceof DOMException && cause.name === "TimeoutError") || isConnectTimeout(cause),
  );
}

const isConnectTimeout = (cause: unknown) => cause instanceof ConnectFailure && cause.code === "CONNECT_TIMEOUT";

const causesMax = 10;

function listCauses(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let at = error; at !== undefined && all.length < causesMax; at = at instanceof Error ? at.cause : undefined) {
    all.push(at);
  }
  return all;
}
