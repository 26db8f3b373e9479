// The model that judges call: keeps its connection's limits and the application's budgets, counts and charges calls.

import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@ems/kit/clock";
import { isTransient } from "@ems/kit/db/errors";
import { retryTransient } from "@ems/kit/db/retry";
import type { NewId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { type Budgets, type Charge, hasBudget, hasMoneyBudget, type Reservation } from "../budgets/index.ts";
import {
  type ModelAnswer,
  type ModelCaller,
  ModelFault,
  type ModelRequest,
  type Transmission,
  type Usage,
} from "../judges/index.ts";
import { type ModelLimits, startWithinMs } from "../limits/index.ts";
import { tokensMax } from "../model/index.ts";
import type { SettingRow } from "../setting.ts";
import { type CallTokens, countTokens } from "./call-tokens.ts";
import type { Connection, Connections } from "./connections.ts";
import { addConsumed, type Consumed, nothing } from "./outcome.ts";
import { countCall } from "./telemetry.ts";
import { Waiting } from "./waiting.ts";

export interface MeterDeps {
  readonly limits: ModelLimits;
  readonly budgets: Budgets;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Time after which a call has certainly ended, or its process has died. */
  readonly callTimeoutMs: number;
}

/**
 * Maximum wait of a job that has already made calls, without releasing its place in the worker. A job that has made
 * none releases its place immediately.
 */
const waitInPlaceMs = 30_000;
/** A job waits for less than this without releasing its place, even before its first call. */
const shortWaitMs = 300;
/** Retry delay for a paused connection, needed if a process dies between parking a job and `resumeIfOver`. */
const pausedRetryMs = 10 * 60_000;

export class MeteredModel implements ModelCaller {
  readonly #deps: MeterDeps;
  readonly #tenant: Tenant;
  readonly #connection: Connection;
  readonly #setting: SettingRow | null;
  #consumed: Consumed = nothing;
  #calls = 0;

  constructor(deps: MeterDeps, tenant: Tenant, connection: Connection, setting: SettingRow | null) {
    this.#deps = deps;
    this.#tenant = tenant;
    this.#connection = connection;
    this.#setting = setting;
  }

  /** Number of calls that were begun. */
  get calls(): number {
    return this.#calls;
  }

  get consumed(): Consumed {
    return this.#consumed;
  }

  async generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>> {
    const call = await this.#begin(request);
    const startedMs = performance.now();
    this.#calls += 1;
    const transmission: Transmission = { state: "unknown" };
    const outcome = await this.#connection.caller.generate({ ...request, transmission }).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    const tokens = countTokens(request, outcome, transmission);
    if ("answer" in outcome) {
      await this.#end(call, tokens, startedMs, "ok", request.signal);
      await book(() => this.#deps.connections.succeeded(this.#tenant, this.#connection), request.signal);
      return outcome.answer;
    }
    const { error } = outcome;
    const fault = error instanceof ModelFault ? error : undefined;
    const kind = request.signal.aborted ? "aborted" : (fault?.kind ?? "error");
    await this.#end(call, tokens, startedMs, kind, request.signal);
    if (!request.signal.aborted && fault !== undefined && !fault.isOfAnswer) {
      const isPaused = await book(
        () => this.#deps.connections.failed(this.#tenant, this.#connection, fault),
        request.signal,
      );
      if (isPaused === true) throw this.#paused(fault.message);
    }
    throw error;
  }

  #paused(reason: string): Waiting {
    return new Waiting("model_connection", new Date(this.#deps.clock.now().getTime() + pausedRetryMs), reason);
  }

  /** Waits for room in the limits and budgets, and returns the reservation. */
  async #begin<T>(request: ModelRequest<T>): Promise<Reservation> {
    const { limits, budgets, newId, callTimeoutMs } = this.#deps;
    const connection = this.#connection;
    if (connection.pauseReason !== undefined) throw this.#paused(connection.pauseReason);
    // Prices may disappear from the price table. A call of unknown cost is not allowed with a budget in money.
    if (connection.cost === undefined && hasMoneyBudget(this.#setting))
      throw new ModelFault("rejected", "The model connection has no prices, which a budget in money requires");
    const most = tokensMax(request);
    const reserved = {
      id: newId(),
      tokens: most.inputTokens + most.outputTokens,
      costMicro: connection.cost?.(most) ?? 0,
    };
    const { id } = reserved;
    const call = {
      ...reserved,
      connectionId: connection.id,
      timeoutMs: callTimeoutMs,
      isUnbudgeted: !hasBudget(this.#setting),
    };
    let isReserved = false;
    for (const endMs = performance.now() + waitInPlaceMs; ; ) {
      const acquired = await limits.acquire(this.#tenant, connection.limits, call);
      if (acquired !== undefined) {
        isReserved = false;
        await this.#wait(acquired.waitMs, endMs, request.signal);
        continue;
      }
      if (isReserved) return reserved;
      const acquiredMs = performance.now();
      const refusal = await budgets.reserve(this.#tenant, this.#setting, call).catch(async (error: unknown) => {
        await limits.release(this.#tenant, id);
        throw error;
      });
      if (refusal !== undefined) {
        await limits.release(this.#tenant, id);
        throw new Waiting(refusal.isSpent ? "budget" : "rate_limit", refusal.until);
      }
      if (performance.now() - acquiredMs < startWithinMs / 2) return reserved;
      // Reserving took so long that the limits must be checked a second time, but not the budgets.
      isReserved = true;
    }
  }

  async #wait(waitMs: number, endMs: number, signal: AbortSignal): Promise<void> {
    const leftMs = this.#calls === 0 ? shortWaitMs : endMs - performance.now();
    if (waitMs > leftMs) throw new Waiting("rate_limit", new Date(this.#deps.clock.now().getTime() + waitMs));
    await delay(waitMs, undefined, { signal });
  }

  /** Records the usage of the call; if unknown, that is the whole reservation. */
  async #end(
    reserved: Reservation,
    tokens: CallTokens | undefined,
    startedMs: number,
    outcome: string,
    signal: AbortSignal,
  ): Promise<void> {
    const charge = this.#chargeOf(reserved, tokens);
    const durationMs = Math.round(performance.now() - startedMs);
    this.#consumed = addConsumed(this.#consumed, {
      ...(tokens?.usage ?? nothing),
      estimatedTokens: charge.estimated?.tokens ?? 0,
      costMicro: charge.isUncertain ? 0 : charge.costMicro,
      uncertainCostMicro: charge.isUncertain ? charge.costMicro : 0,
      durationMs,
    });
    countCall({ outcome, provider: this.#connection.provider });
    await book(() => this.#deps.budgets.complete(this.#tenant, this.#setting, charge), signal);
  }

  #chargeOf(reserved: Reservation, tokens: CallTokens | undefined): Charge {
    if (tokens === undefined) return { ...reserved, isUncertain: true };
    const getCost = (usage: Usage) => this.#connection.cost?.(usage) ?? 0;
    const { usage, estimated } = tokens;
    return {
      id: reserved.id,
      tokens: usage.inputTokens + usage.outputTokens,
      costMicro: getCost(usage),
      isUncertain: false,
      estimated: { tokens: estimated.inputTokens + estimated.outputTokens, costMicro: getCost(estimated) },
    };
  }
}

/**
 * Writes the usage of a call, and retries if the database is unavailable, because the call must be paid for. A call
 * that cannot be charged before `signal` aborts is charged as uncertain when it expires.
 */
function book<T>(write: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return retryTransient(write, { signal }).catch((error: unknown) => {
    if (!isTransient(error)) throw error;
    return undefined;
  });
}
