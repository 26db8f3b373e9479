// Requests in progress, to which background work yields: they share the process's cores and event loop.

export class RequestLoad {
  #count = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /** Resolves when no request is in progress, or after `maxMs`: consecutive requests must not stop background work. */
  async yieldToRequests(maxMs: number): Promise<void> {
    if (this.#count === 0) return;
    this.#idle ??= Promise.withResolvers();
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, maxMs);
    await Promise.race([this.#idle.promise, over.promise]);
    clearTimeout(timer);
  }
}

/** Shared by all services in this process. */
export const requestLoad = new RequestLoad();
