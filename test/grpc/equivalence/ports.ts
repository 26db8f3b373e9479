// Sends a request to both ports and returns the outcomes in one form.

import { type DescMethodUnary, hasOption, type Message } from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";
import { countOmitted } from "@ems/kit/error-reasons";
import type { Issue } from "@ems/kit/json/issue";
import { issuesOfError } from "@ems/kit/json/violations";
import { writeJson } from "@ems/kit/json/write";
import { ErrorInfoSchema } from "@ems/proto/google/rpc/error_details";
import { location } from "@ems/proto/rest/v1/rest";
import type { Operation } from "../../client-reference/operations.ts";
import { type Request, send } from "../../client-reference/requests.ts";
import type { TestTenant } from "../../harness/tenant.ts";
import { statusOfReason } from "./reasons.ts";

export interface Outcome {
  readonly isSuccess: boolean;
  /** REST's status; of a gRPC error, the REST status of its reason. 200 for any success. */
  readonly status: number;
  /** The answer, or the message and the issues of the error. */
  readonly body: unknown;
  readonly isReplayed: boolean;
}

export async function byRest({ api }: TestTenant, operation: Operation, request: Request): Promise<Outcome> {
  const { body = {}, ...answer } = await send(api, operation, request);
  return outcomeOfRest(answer, body);
}

export function outcomeOfRest(
  { status, headers }: Pick<Response, "status" | "headers">,
  body: { readonly issues?: readonly Issue[] },
): Outcome {
  const isSuccess = status < 300;
  const path = headers.get("location");
  return {
    isSuccess,
    status: isSuccess ? 200 : status,
    // Answers without a body name the created resource in a header.
    body: path === null ? ordered(body) : { made: path.split("/").at(-1) },
    isReplayed: headers.get("idempotency-replayed") === "true",
  };
}

/** Sorts the issues: REST lists absent fields first, gRPC lists them in the order of the message. */
function ordered<Body extends { readonly issues?: readonly Issue[] }>(body: Body): Body {
  const { issues } = body;
  if (issues === undefined) return body;
  const key = ({ path, message }: Issue) => `${path.join("/")} ${message}`;
  return { ...body, issues: issues.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)) };
}

/** Reduces REST's outcome to the issues that gRPC lists: trailers have less room than a body. */
export function asFarAsListed(rest: Outcome, grpc: Outcome): Outcome {
  const [all, listed] = [rest, grpc].map(({ body }) => body as InvalidBody | undefined);
  if (all?.issues === undefined || listed?.issues === undefined || listed.issuesOmitted === undefined) return rest;
  const keys = new Set(listed.issues.map((issue) => JSON.stringify(issue)));
  const issues = all.issues.filter((issue) => keys.has(JSON.stringify(issue)));
  const issuesOmitted = (all.issuesOmitted ?? 0) + all.issues.length - issues.length;
  return { ...rest, body: ordered({ ...all, issues, issuesOmitted }) };
}

interface InvalidBody {
  readonly issues?: readonly Issue[];
  readonly issuesOmitted?: number;
}

export async function byGrpc(
  transport: Transport,
  tenant: TestTenant,
  method: DescMethodUnary,
  message: Message,
  headers: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const sent = new Headers({ authorization: `Bearer ${tenant.apiKey}`, "x-application-id": tenant.applicationId });
  for (const [name, value] of Object.entries(headers)) sent.set(name, String(value));
  try {
    const answer = await transport.unary(method, undefined, 30_000, sent, message as never);
    const isReplayed = answer.header.get("idempotency-replayed") === "true";
    return { isSuccess: true, status: 200, body: answerBody(method, answer.message), isReplayed };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const issues = issuesOfError(error, method.input, message);
    const omitted = countOmitted(error);
    const body = {
      message: error.rawMessage,
      ...(issues.length > 0 && { issues }),
      ...(omitted > 0 && { issuesOmitted: omitted }),
    };
    const [info] = error.findDetails(ErrorInfoSchema);
    const status = statusOfReason(info?.reason ?? "", error.code);
    return { isSuccess: false, status, body: ordered(body), isReplayed: false };
  }
}

/** Returns the answer in REST's form: bytes over gRPC are JSON over REST, unless protobuf was requested. */
function answerBody(method: DescMethodUnary, message: Message): unknown {
  const { output } = method;
  if (hasOption(method, location)) return { made: Object.values(writeJson(output, message))[0] };
  if (!("payload" in message)) return writeJson(output, message);
  const text = new TextDecoder().decode(message.payload as Uint8Array);
  return text === "" ? {} : JSON.parse(text);
}
