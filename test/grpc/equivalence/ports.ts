// One request through both ports, and what came of it in one form.

import type { DescMethodUnary, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { Issue } from "@ems/kit/json/issue";
import { issuesOfError } from "@ems/kit/json/violations";
import { writeJson } from "@ems/kit/json/write";
import type { Operation } from "../../client-reference/operations.ts";
import { type Request, send } from "../../client-reference/requests.ts";
import type { TestTenant } from "../../harness/tenant.ts";

export interface Outcome {
  readonly isSuccess: boolean;
  /** gRPC's code, or those that a status of REST may be there; 0 is OK. */
  readonly codes: readonly number[];
  /** The answer, or the error's message with its issues. */
  readonly body: unknown;
  readonly isReplayed: boolean;
}

/** The table of codes: what REST's statuses are over gRPC. */
const codes: Readonly<Record<number, readonly Code[]>> = {
  // A page that is too large.
  400: [Code.InvalidArgument, Code.ResourceExhausted],
  401: [Code.Unauthenticated],
  403: [Code.PermissionDenied],
  404: [Code.NotFound],
  409: [Code.Aborted, Code.AlreadyExists, Code.FailedPrecondition],
  413: [Code.ResourceExhausted],
  422: [Code.FailedPrecondition],
  429: [Code.ResourceExhausted],
  500: [Code.Internal],
  503: [Code.Unavailable],
  504: [Code.DeadlineExceeded],
};

export async function byRest({ api }: TestTenant, operation: Operation, request: Request): Promise<Outcome> {
  const { status, headers, body = {} } = await send(api, operation, request);
  const isSuccess = status < 300;
  return {
    isSuccess,
    codes: isSuccess ? [0] : (codes[status] ?? []),
    body: ordered(body),
    isReplayed: headers.get("idempotency-replayed") === "true",
  };
}

/** REST names first what is absent, gRPC what comes first in the message. */
function ordered<Body extends { readonly issues?: readonly Issue[] }>(body: Body): Body {
  const { issues } = body;
  if (issues === undefined) return body;
  const key = ({ path, message }: Issue) => `${path.join("/")} ${message}`;
  return { ...body, issues: issues.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)) };
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
    return { isSuccess: true, codes: [0], body: writeJson(method.output, answer.message), isReplayed };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const issues = issuesOfError(error, method.input, message);
    const body = { message: error.rawMessage, ...(issues.length > 0 && { issues }) };
    return { isSuccess: false, codes: [error.code], body: ordered(body), isReplayed: false };
  }
}

/** REST's outcome with gRPC's code, where its status allows that. */
export function withCodeOf(rest: Outcome, grpc: Outcome): Outcome {
  return grpc.codes.every((code) => rest.codes.includes(code)) ? { ...rest, codes: grpc.codes } : rest;
}
