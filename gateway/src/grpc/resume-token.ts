// Resume tokens: a position in an application's log, opaque to clients. A digest binds it to the application, so that nobody
// goes on in another one's log by mistake; it protects nothing, since a client may begin anywhere in its own log.

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

/** Throws an error that names the field when the token is none of this application's. */
export function positionOf(applicationId: string, token: string): bigint {
  const bytes = Buffer.from(token, "base64url");
  const isWhole = bytes.length === tokenBytes && bytes.toString("base64url") === token && bytes[0] === version;
  if (!isWhole || !digest(applicationId, bytes).equals(bytes.subarray(tokenBytes - digestBytes))) {
    throw invalidField(["resume_token"], "Not a resume token of this application");
  }
  return bytes.readBigUInt64BE(1);
}

function digest(applicationId: string, bytes: Buffer): Buffer {
  const text = `${applicationId}:${bytes.toString("hex", 0, tokenBytes - digestBytes)}`;
  return hash("sha256", text, "buffer").subarray(0, digestBytes);
}
