// Memory of request bodies: bytes received and decompressed until their request has ended, per application and in total.

import type { GatewayConfig } from "../config.ts";
import { rejection } from "./rejection.ts";

type Config = Pick<GatewayConfig, "BODIES_MAX_BYTES" | "BODIES_PER_APPLICATION_MAX_BYTES">;

export class BodyMemory {
  readonly #maxBytes: number;
  readonly #maxBytesPerApplication: number;
  readonly #bytesByApplication = new Map<string, number>();
  readonly #reject = rejection("body_bytes", "Too many bytes of request bodies");
  #totalBytes = 0;

  constructor({ BODIES_MAX_BYTES, BODIES_PER_APPLICATION_MAX_BYTES }: Config) {
    this.#maxBytes = BODIES_MAX_BYTES;
    this.#maxBytesPerApplication = BODIES_PER_APPLICATION_MAX_BYTES;
  }

  /** Bytes of all bodies. */
  get bytes(): number {
    return this.#totalBytes;
  }

  open(applicationId: string): HeldBody {
    return new HeldBody(this, applicationId);
  }

  /** Throws, and counts nothing, when the application or all together would exceed their limit. */
  add(applicationId: string, bytes: number): void {
    const held = this.#bytesByApplication.get(applicationId) ?? 0;
    // Dynamic threshold: an application that holds some never holds more than is left for the others.
    const free = this.#maxBytes - this.#totalBytes;
    if (held > 0 && held + bytes > Math.min(this.#maxBytesPerApplication, free)) throw this.#reject("key");
    if (bytes > free) throw this.#reject("all");
    this.#bytesByApplication.set(applicationId, held + bytes);
    this.#totalBytes += bytes;
  }

  release(applicationId: string, bytes: number): void {
    const left = (this.#bytesByApplication.get(applicationId) ?? 0) - bytes;
    if (left > 0) this.#bytesByApplication.set(applicationId, left);
    else this.#bytesByApplication.delete(applicationId);
    this.#totalBytes -= bytes;
  }
}

/** What one request holds. */
export class HeldBody {
  readonly #memory: BodyMemory;
  readonly #applicationId: string;
  #bytes = 0;
  #isReleased = false;

  constructor(memory: BodyMemory, applicationId: string) {
    this.#memory = memory;
    this.#applicationId = applicationId;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(bytes: number): void {
    if (this.#isReleased) return;
    this.#memory.add(this.#applicationId, bytes);
    this.#bytes += bytes;
  }

  release(): void {
    this.#isReleased = true;
    this.#memory.release(this.#applicationId, this.#bytes);
    this.#bytes = 0;
  }
}
