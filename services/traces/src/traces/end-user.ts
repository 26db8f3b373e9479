// Pure: the end user in a trace's metadata.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { StorableText } from "@ems/kit/readers";
import { endUserKey } from "@ems/traces-client";
import { findId } from "./metadata-id.ts";

export interface EndUser {
  readonly id: StorableText;
  /** Key that replaces the id if a fixed length is needed, or if the id must not be stored. */
  readonly key: string;
}

/** Metadata names that contain the user, in order of precedence. */
const userNames = ["user.id", "enduser.id", "userId", "user_id", "user"] as const;

/** Finds the user that the metadata of a trace specifies. */
export function findEndUser(applicationId: string, metadata: JsonObject | readonly JsonValue[]): EndUser | undefined {
  const id = findId(metadata, userNames);
  return id && readEndUser(applicationId, id);
}

export function readEndUser(applicationId: string, id: StorableText): EndUser {
  return { id, key: endUserKey(applicationId, id) };
}
