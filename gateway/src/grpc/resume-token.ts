// Resume tokens: a position in an application's event log, opaque to clients. A digest binds it to the application to
// catch mistakes. It protects nothing: clients may start anywhere in their own log.

import { hash } from "node:crypto";
import { invalidField } from "@ems/kit/errors";

const version = 1;
const digestBytes = 8;
const tokenBytes = 1 + 8 + digestBytes;

export function resumeToken(applicationId: string, position: bigint): string {
  const bytes = Buffer.alloc(tokenBytes);
  bytes.writeUInt8(version);
  bytes.writeBigUInt64BE(position, 1);
  digest(applicationId, bytes).copy(bytes, tokenBytes - digestBytes);
  return bytes.toString("base64url");
}

/** Decodes a token. Throws an error that names the field when the token belongs to another application. */
export function decodePosition(applicationId: string, token: string): bigint {
  const bytes = Buffer.from(token, "base64url");
  const isWhole = bytes.length === tokenBytes && bytes.toString("base64url") === token && bytes[0] === version;
  if (!isWhole || !digest(applicationId, bytes).equals(bytes.subarray(tokenBytes - digestBytes))) {
    throw invalidField(["resume_token"], "Must be a resume token of this application");
  }
  return bytes.readBigUInt64BE(1);
}

function digest(applicationId: string, bytes: Buffer): Buffer {
  const text = `${applicationId}:${bytes.toString("hex", 0, tokenBytes - digestBytes)}`;
  return hash("sha256", text, "buffer").subarray(0, digestBytes);
}
