// Compares reasons, and errors as clients receive them, with the contract.

import { create } from "@bufbuild/protobuf";
import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { Code } from "@connectrpc/connect";
import { CreateTopicRequestSchema, UpdateTopicsRequestSchema } from "@ems/proto/catalog/v1/topic_service";
import { comments } from "@ems/proto/comments";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "@ems/proto/google/rpc/error_details";
import { ErrorReasonSchema } from "@ems/proto/type/v1/error_reason";
import { describe, expect, test } from "vitest";
import { forClients } from "./error-details.ts";
import { codeOfReason, getReason } from "./error-reasons.ts";
import {
  ConnectError,
  invalidField,
  invalidFields,
  invalidRequest,
  notFound,
  rateLimited,
  tooLarge,
} from "./errors.ts";
import { findViolations } from "./json/validate.ts";

test("every reason of the contract has the code that its comment names", () => {
  const documented = ErrorReasonSchema.values.slice(1).map(({ name, localName }) => {
    const [, code] =
      /\n\n([A-Z_]+), \d{3}\. Retry: .*\.$/.exec(comments[`ems.type.v1.ErrorReason.${name}`] ?? "") ?? [];
    return [localName, code];
  });
  const upper = (code: Code) =>
    code === Code.Canceled ? "CANCELLED" : Code[code].replace(/\B[A-Z]/g, "_$&").toUpperCase();
  const made = Object.entries(codeOfReason).map(([reason, code]) => [reason, upper(code)]);
  expect(made).toEqual(documented);
});

test("an error from a library has the reason of its code", () => {
  expect(getReason(new ConnectError("a proxy's", Code.Unavailable))).toBe("UPSTREAM_UNAVAILABLE");
  expect(getReason(new ConnectError("refused", Code.Unauthenticated))).toBe("CALLER_TOKEN_INVALID");
  expect(getReason(notFound("Topic"))).toBe("RESOURCE_NOT_FOUND");
});

describe("an error for clients", () => {
  test("has the reason with its metadata, and a retry delay if a retry helps", () => {
    const limited = forClients(rateLimited("ingest", "Too many rows", 2_500));
    expect(limited).toMatchObject({ code: Code.ResourceExhausted, rawMessage: "Too many rows" });
    expect(limited.findDetails(ErrorInfoSchema)).toMatchObject([
      { reason: "RATE_LIMITED", domain: "ems", metadata: { policy: "ingest" } },
    ]);
    expect(limited.findDetails(RetryInfoSchema)).toMatchObject([{ retryDelay: { seconds: 3n } }]);
    expect(limited.metadata.get("grpc-retry-pushback-ms")).toBe("3000");
    const large = forClients(tooLarge("Too large"));
    expect(large.code).toBe(Code.ResourceExhausted);
    expect(large.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "REQUEST_TOO_LARGE" }]);
    expect(large.findDetails(RetryInfoSchema)).toEqual([]);
  });

  test("names each field like the contract, with the messages of REST", () => {
    const request = create(CreateTopicRequestSchema, { title: "" });
    const error = forClients(
      invalidRequest(findViolations(CreateTopicRequestSchema, request)),
      CreateTopicRequestSchema,
    );
    const [faults] = error.findDetails(BadRequestSchema);
    expect(faults?.fieldViolations).toMatchObject([
      { field: "title", description: "String must contain at least 1 character(s)", reason: "TOO_SMALL" },
    ]);
    expect(error.findDetails(ViolationsSchema)[0]?.violations).toHaveLength(1);
    const nested = forClients(invalidField(["items", 1, "short_name"], "No such column"), UpdateTopicsRequestSchema);
    expect(nested.findDetails(BadRequestSchema)[0]?.fieldViolations).toMatchObject([
      { field: "items[1].short_name", description: "No such column", reason: "CUSTOM" },
    ]);
  });

  test("fits into the metadata that gRPC's C clients accept, and counts omitted issues", () => {
    const many = invalidFields(
      Array.from({ length: 200 }, (_, index) => ({ path: ["rows", index], message: "Wrong" })),
    );
    const [faults] = forClients(many).findDetails(BadRequestSchema);
    const listed = faults?.fieldViolations.length ?? 0;
    expect(listed).toBeGreaterThan(30);
    expect(forClients(many).findDetails(ErrorInfoSchema)[0]?.metadata).toEqual({ issuesOmitted: String(200 - listed) });
    expect(forClients(many).findDetails(ViolationsSchema)[0]?.violations).toHaveLength(
      faults?.fieldViolations.length ?? 0,
    );
  });
});
