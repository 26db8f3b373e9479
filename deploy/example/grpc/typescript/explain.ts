// Reads the details of a gRPC error: its stable reason, and the invalid fields of a request.

import grpc from "@grpc/grpc-js";
import protobuf from "protobufjs";

/** Types of google/rpc/status.proto and google/rpc/error_details.proto. */
const { root } = protobuf.parse(`syntax = "proto3"; package google.rpc;
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
  message FieldViolation { string field = 1; string description = 2; }
  message BadRequest { repeated FieldViolation field_violations = 1; }`);

const read = <T>(type: string, bytes: Uint8Array) => {
  const found = root.lookupType(`google.rpc.${type}`);
  return found.toObject(found.decode(bytes), { arrays: true }) as T;
};

export function explain(error: grpc.ServiceError): string {
  const lines = [`${grpc.status[error.code] ?? "UNKNOWN"}: ${error.details ?? error.message}`];
  const [bytes] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (!Buffer.isBuffer(bytes)) return lines.join("");
  const { details } = read<{ details: { typeUrl: string; value: Uint8Array }[] }>("Status", bytes);
  for (const { typeUrl, value } of details) {
    if (typeUrl.endsWith("/google.rpc.ErrorInfo")) {
      lines.push(`  reason ${read<{ reason: string }>("ErrorInfo", value).reason}`);
    } else if (typeUrl.endsWith("/google.rpc.BadRequest")) {
      const { fieldViolations } = read<{ fieldViolations: { field: string; description: string }[] }>(
        "BadRequest",
        value,
      );
      lines.push(...fieldViolations.map(({ field, description }) => `  ${field}: ${description}`));
    }
  }
  return lines.join("\n");
}
