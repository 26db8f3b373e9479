// Collects a trace's data from the spans of a request: test, session, user, tags, metadata.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { conversationName, mergeOrigins, type Origin, sessionName } from "../traces/index.ts";
import type { Reading } from "./conventions/read-conventions.ts";
import { isObject, parsedMetadata } from "./json-text.ts";

/** Collects a trace's metadata from its spans; earlier spans take precedence. */
export class TraceFacts {
  readonly resource: JsonObject;
  testId: string | undefined;
  /** The process that created the trace. */
  origin: Origin = {};
  #task: string | undefined;
  #topic: string | undefined;
  #session: JsonValue | undefined;
  #conversation: JsonValue | undefined;
  #user: JsonValue | undefined;
  readonly #tags = new Set<JsonValue>();
  readonly #own: JsonObject = {};

  constructor(resource: JsonObject) {
    this.resource = resource;
    this.testId = testIdIn(resource);
  }

  add(reading: Reading, origin: Origin): void {
    this.origin = mergeOrigins(this.origin, origin);
    this.testId ??= testId(reading.get("testId"));
    this.#task ??= reading.get("taskId");
    this.#topic ??= reading.get("topicId");
    this.#session ??= reading.get("sessionId");
    this.#conversation ??= reading.get("conversationId");
    this.#user ??= reading.get("userId");
    const tags = reading.get("tags");
    for (const tag of Array.isArray(tags) ? tags : [tags]) if (tag !== undefined && tag !== null) this.#tags.add(tag);
    const own = parsedMetadata(reading.get("metadata") ?? null);
    if (!isObject(own)) return;
    for (const [key, value] of Object.entries(own)) if (!Object.hasOwn(this.#own, key)) this.#own[key] = value;
  }

  /** Returns the metadata. The application's keys take precedence over the resource's, which describe the process. */
  metadata(isSmallEnough: (metadata: JsonObject) => boolean): JsonObject {
    // The conversation is stored too, so that a session that a later request states can replace it (traces/merge.ts).
    const session = this.#session ?? this.#conversation;
    const named: JsonObject = {
      ...(this.#task !== undefined && { "ems.task.id": this.#task }),
      ...(this.#topic !== undefined && { "ems.topic.id": this.#topic }),
      ...(session !== undefined && { [sessionName]: session }),
      ...(this.#conversation !== undefined && { [conversationName]: this.#conversation }),
      ...(this.#user !== undefined && { "user.id": this.#user }),
      ...(this.#tags.size > 0 && { tags: [...this.#tags] }),
    };
    const candidates = [{ ...this.resource, ...this.#own, ...named }, { ...this.#own, ...named }, named];
    // Drops the attributes of the process if they exceed the limit, so that the spans can still be stored.
    return candidates.find(isSmallEnough) ?? {};
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function testId(text: string | undefined): string | undefined {
  const id = text?.trim().toLowerCase() ?? "";
  return uuid.test(id) ? id : undefined;
}

function testIdIn(resource: JsonObject): string | undefined {
  const [id] = [resource["avido.test.id"], resource["ems.test.id"]].filter((value) => typeof value === "string");
  return testId(id);
}
