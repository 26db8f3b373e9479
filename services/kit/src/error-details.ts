// Errors for gRPC clients outside the mesh: with google.rpc's details, limited to sizes that their libraries accept.
// Within the mesh, errors contain only reason and violations.

import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import {
  type FieldPath,
  type Violation,
  ViolationSchema,
  ViolationsSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { ConnectError } from "@connectrpc/connect";
import {
  type BadRequest_FieldViolation,
  BadRequest_FieldViolationSchema,
  BadRequestSchema,
  RetryInfoSchema,
} from "@ems/proto/google/rpc/error_details";
import { countOmitted, errorInfo, findErrorInfo, getReason, issuesOmitted } from "./error-reasons.ts";
import { withDetails } from "./errors.ts";
import { issuesFromWire } from "./json/violations.ts";
import { messageBytes } from "./message-bytes.ts";

/** gRPC's C core, which Python and Ruby use, rejects trailers over 8,192 bytes; details are in them as base64. */
const violationsBytesMax = 4_500;

/** Header with the delay for gRPC libraries that are configured to retry automatically (gRFC A6). */
export const retryPushbackHeader = "grpc-retry-pushback-ms";

/** Bytes for an element's tag and length. */
const frameBytes = 4;

/** Adds google.rpc's details. With `input`, the RPC's request type, violations read like REST's issues. */
export function forClients(error: ConnectError, input?: DescMessage): ConnectError {
  const { metadata = {} } = findErrorInfo(error) ?? {};
  const violations = error.findDetails(ViolationsSchema).flatMap((details) => details.violations);
  const retryAfter = error.metadata.get("retry-after");
  const { listed, details } = faults(violations, input);
  const omitted = issuesOmitted(countOmitted(error) + violations.length - listed);
  const copy = withDetails(error, [
    errorInfo(getReason(error), { ...metadata, ...omitted }),
    ...(retryAfter === null ? [] : [retryInfo(Number(retryAfter))]),
    ...details,
  ]);
  if (retryAfter !== null) copy.metadata.set(retryPushbackHeader, String(Number(retryAfter) * 1000));
  return copy;
}

function retryInfo(seconds: number) {
  return { desc: RetryInfoSchema, value: { retryDelay: { seconds: BigInt(seconds) } } };
}

/** Returns the first violations, each in both formats, and their number. */
function faults(violations: readonly Violation[], input: DescMessage | undefined) {
  if (violations.length === 0) return { listed: 0, details: [] };
  const fields = issuesFromWire({ violations }, input).map(({ code, message }, index) => {
    const { field, ruleId } = violations[index] ?? {};
    const path = pathText(field) || rulePath(ruleId, input);
    return create(BadRequest_FieldViolationSchema, { field: path, description: message, reason: code.toUpperCase() });
  });
  let bytes = 0;
  const tooMany = fields.findIndex((field, index) => {
    bytes += measure(BadRequest_FieldViolationSchema, field) + measure(ViolationSchema, violations[index]);
    return bytes > violationsBytesMax && index > 0;
  });
  const listed = tooMany < 0 ? fields.length : tooMany;
  return { listed, details: buildDetails(violations.slice(0, listed), fields.slice(0, listed)) };
}

function buildDetails(violations: readonly Violation[], fieldViolations: BadRequest_FieldViolation[]) {
  return [
    { desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) },
    { desc: ViolationsSchema, value: create(ViolationsSchema, { violations: [...violations] }) },
  ];
}

function measure(desc: DescMessage, message: Message | undefined): number {
  return message === undefined ? 0 : messageBytes(desc, message) + frameBytes;
}

/** Formats a path, such as `items[0].short_name`. */
function pathText(path: FieldPath | undefined): string {
  const parts = (path?.elements ?? []).map(({ fieldName, subscript }) => {
    if (subscript.case === undefined) return fieldName;
    const key = subscript.case === "stringKey" ? JSON.stringify(subscript.value) : String(subscript.value);
    return `${fieldName}[${key}]`;
  });
  return parts.join(".");
}

/** Returns the field at the start of a message rule's id, such as `style_guide_id.needed`. */
function rulePath(ruleId = "", input: DescMessage | undefined): string {
  const names: string[] = [];
  let within = input;
  for (const name of ruleId.split(".")) {
    const field = within?.fields.find((detail) => detail.name === name);
    if (field === undefined) break;
    names.push(name);
    within = field.fieldKind === "message" ? field.message : undefined;
  }
  return names.join(".");
}
