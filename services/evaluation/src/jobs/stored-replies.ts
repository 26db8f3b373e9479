// Replies stored with a job: a later attempt, even in another process, requests only the missing ones.

import { createHash } from "node:crypto";
import type { ReplyStore, StoredReply } from "../judges/index.ts";
import type { Connection } from "./connections.ts";

/** Replies as stored in the job's row. */
export interface StoredReplies {
  /** Hash of the connection and its model. Replies of a different one are not used: they measure something else. */
  readonly by: string;
  readonly replies: { readonly [key: string]: StoredReply };
}

export class JobReplies implements ReplyStore {
  readonly #by: string;
  readonly #replies: Map<string, StoredReply>;
  #isSaved = true;

  constructor(
    stored: StoredReplies | null,
    { id, provider, baseUrl, model }: Pick<Connection, "id" | "provider" | "baseUrl" | "model">,
  ) {
    this.#by = createHash("sha256")
      .update(JSON.stringify([id, provider, baseUrl, model]))
      .digest("base64url");
    this.#replies = new Map(stored?.by === this.#by ? Object.entries(stored.replies) : []);
  }

  find(key: string): StoredReply | undefined {
    return this.#replies.get(key);
  }

  keep(key: string, reply: StoredReply): void {
    this.#replies.set(key, reply);
    this.#isSaved = false;
  }

  /** Replies that are not in the row yet; null if there are none. */
  get unsaved(): StoredReplies | null {
    return this.#isSaved ? null : { by: this.#by, replies: Object.fromEntries(this.#replies) };
  }

  saved(): void {
    this.#isSaved = true;
  }
}
