// Decodes `grpc-status-details-bin` as programs in other languages do, with the published google.rpc messages.

import protobuf from "protobufjs";

const schema = protobuf.parse(
  `syntax = "proto3"; package google.rpc;
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
  message Duration { int64 seconds = 1; int32 nanos = 2; }
  message RetryInfo { Duration retry_delay = 1; }
  message FieldViolation { string field = 1; string description = 2; string reason = 3; }
  message BadRequest { repeated FieldViolation field_violations = 1; }`,
  { keepCase: true },
).root;

// biome-ignore lint/suspicious/noExplicitAny: tests read any details and assert their values
type Details = Record<string, any>;

/** Returns the details of an error by type name; details of unknown types as bytes. */
export function getDetails({ metadata }: { metadata: { get(name: string): (string | Buffer)[] } }): Details {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (bytes === undefined) return {};
  const statusType = schema.lookupType("google.rpc.Status");
  const { details } = statusType.toObject(statusType.decode(bytes as Buffer), { arrays: true }) as {
    details: { type_url: string; value: Uint8Array }[];
  };
  return Object.fromEntries(
    details.map(({ type_url, value }) => {
      const name = type_url.slice(type_url.lastIndexOf("/") + 1);
      const type = schema.nested?.google && name.startsWith("google.rpc.") ? schema.lookupType(name) : undefined;
      return [name, type === undefined ? value : type.toObject(type.decode(value), { longs: Number, defaults: true })];
    }),
  );
}
