// The server's reaction to a request.

export type Step =
  /** Answers; by default what the scripted model says, as JSON. */
  | {
      readonly kind: "answer";
      /** The structured answer. */
      readonly object?: unknown;
      /** The answer's text instead, such as half a JSON. */
      readonly text?: string;
      readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
      /** `length`, `refusal` or `content_filter` instead of a regular end. */
      readonly stop?: "length" | "refusal" | "content_filter";
      readonly delayMs?: number;
    }
  /** An error in the protocol's form. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly message?: string;
      /** The parameter that is at fault, as OpenAI names it. */
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
  /** Headers, and then nothing. */
  | { readonly kind: "hang" }
  /** A byte of an endless answer at a time. */
  | { readonly kind: "drip"; readonly everyMs: number }
  /** An answer of so many bytes. */
  | { readonly kind: "huge"; readonly bytes: number }
  /** The connection ends without an answer. */
  | { readonly kind: "reset" };
