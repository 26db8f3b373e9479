// The server's reaction to a request.

export type Step =
  /** Answers; by default the scripted model's answer as JSON. */
  | {
      readonly kind: "answer";
      /** The structured answer. */
      readonly object?: unknown;
      /** Text instead of the structured answer, such as half a JSON. */
      readonly text?: string;
      readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
      /** `length`, `refusal` or `content_filter` instead of a regular end. */
      readonly stop?: "length" | "refusal" | "content_filter";
      readonly delayMs?: number;
    }
  /** An error in the protocol's format. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly message?: string;
      /** The faulty parameter, in OpenAI's error. */
      readonly param?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly delayMs?: number;
    }
  /** Any bytes with status 200 (or `status`). */
  | {
      readonly kind: "raw";
      readonly body: string | Uint8Array;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Headers, then nothing. */
  | { readonly kind: "hang" }
  /** An endless answer, byte by byte. */
  | { readonly kind: "drip"; readonly everyMs: number }
  /** An answer with this many bytes. */
  | { readonly kind: "huge"; readonly bytes: number }
  /** Closes the connection without an answer. */
  | { readonly kind: "reset" };
