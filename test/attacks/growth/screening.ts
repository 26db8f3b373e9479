// Finds attacks whose cost grows faster than their size, or that hold the event loop.

import type { Cost, Meter, Work } from "./meter.ts";

export const limits = {
  /** CPU time below which growth is not looked at. */
  floorMs: 20,
  /**
   * Four times the size costs four times as much when the cost is linear, sixteen times when it is quadratic; megabytes that
   * leave the processor's caches cost up to six times as much.
   */
  ratioMax: 8,
  /** The same for twice the size. */
  halfRatioMax: Math.sqrt(8),
  holdMaxMs: 100,
} as const;

/** Shares of the limits at which one measurement is not enough. */
const suspicious = { ratio: 6, holdMs: 75 } as const;
const repeats = 3;
/** A request costs at least this much more than a plain one, so that noise does not make a ratio. */
const leastMs = 2;

export interface Trial {
  readonly operation: string;
  readonly field: string;
  readonly kind: string;
  readonly sizeMax: number;
  readonly isLimited: boolean;
  /** Makes a request of the size; another one of the same kind for each salt. */
  work(size: number, salt: number): Work;
}

export interface Result extends Omit<Trial, "work"> {
  readonly size: number;
  readonly status: number;
  readonly quarterMs: number;
  readonly fullMs: number;
  readonly ratio: number;
  readonly holdMs: number;
  /** Undefined if the product withstood the attack. */
  readonly fault?: string;
}

export class Screening {
  readonly results: Result[] = [];
  made = 0;
  accepted = 0;
  readonly #meter: Meter;
  readonly #holdMaxMs: number;
  #salt = 0;

  constructor(meter: Meter, holdMaxMs: number = limits.holdMaxMs) {
    this.#meter = meter;
    this.#holdMaxMs = holdMaxMs;
  }

  /** Cost of a plain request of the same operation. */
  async measureBase(work: Work): Promise<number> {
    const costs = [await this.#meter.measure(work), await this.#meter.measure(work)];
    return Math.min(...costs.map(({ cpuMs }) => cpuMs));
  }

  /** Tries the attack at its limit, and where the document states none, at smaller sizes until it is accepted. */
  async try(trial: Trial, baseMs: number): Promise<void> {
    const { sizeMax, isLimited } = trial;
    const sizes = isLimited ? [sizeMax] : [sizeMax, 100_000, 10_000, 1_000].filter((size) => size <= sizeMax);
    for (const size of sizes) {
      const cost = await this.#measure(trial, size).catch((error: unknown) => {
        const { operation, field, kind } = trial;
        throw new Error(`${operation} ${field}: ${kind} of size ${size}, or one before, does not end`, {
          cause: error,
        });
      });
      this.made++;
      if (cost.cpuMs - baseMs >= limits.floorMs || cost.holdMs >= suspicious.holdMs) {
        this.results.push(await this.#look(trial, size, cost, baseMs));
      }
      if (cost.status > 0 && cost.status < 300) {
        this.accepted++;
        return;
      }
    }
  }

  /** Measures background work as well: blocks of the event loop, and growth faster than the request's. */
  async tryAlone(trial: Trial, baseMs: number): Promise<void> {
    this.results.push(await this.#confirm(trial, trial.sizeMax, baseMs));
  }

  #measure(trial: Trial, size: number): Promise<Cost> {
    return this.#meter.measure(trial.work(size, this.#salt++));
  }

  #alone(trial: Trial, size: number): Promise<Cost> {
    return this.#meter.measureAlone(trial.work(size, this.#salt++));
  }

  async #look(trial: Trial, size: number, cost: Cost, baseMs: number): Promise<Result> {
    const quarter = await this.#measure(trial, Math.ceil(size / 4));
    const isSuspicious = growth(cost, quarter, baseMs) >= suspicious.ratio || cost.holdMs >= suspicious.holdMs;
    return isSuspicious ? this.#confirm(trial, size, baseMs) : result(trial, size, cost, quarter, baseMs);
  }

  /** Measures each size; repeats while a limit is exceeded, since garbage collection and compilation add costs. */
  async #confirm(trial: Trial, size: number, baseMs: number): Promise<Result> {
    let full = await this.#alone(trial, size);
    let quarter = await this.#alone(trial, Math.ceil(size / 4));
    for (let count = 1; count < repeats; count++) {
      const isGrowing = full.cpuMs - baseMs >= limits.floorMs && growth(full, quarter, baseMs) > limits.ratioMax;
      if (!isGrowing && full.holdMs < this.#holdMaxMs) return result(trial, size, full, quarter, baseMs);
      full = least(full, await this.#alone(trial, size));
      quarter = greatest(quarter, await this.#alone(trial, Math.ceil(size / 4)));
    }
    const measured = result(trial, size, full, quarter, baseMs);
    if (full.holdMs >= this.#holdMaxMs) return { ...measured, fault: "holds the event loop" };
    if (measured.ratio <= limits.ratioMax) return measured;
    const half = await this.#alone(trial, Math.ceil(size / 2));
    if (growth(full, half, baseMs) <= limits.halfRatioMax) return measured;
    return { ...measured, fault: "grows faster than its size" };
  }
}

const least = (a: Cost, b: Cost): Cost => ({
  status: a.status,
  cpuMs: Math.min(a.cpuMs, b.cpuMs),
  holdMs: Math.min(a.holdMs, b.holdMs),
});
const greatest = (a: Cost, b: Cost): Cost => ({ ...a, cpuMs: Math.max(a.cpuMs, b.cpuMs) });

function growth(larger: Cost, smaller: Cost, baseMs: number): number {
  return Math.max(larger.cpuMs - baseMs, leastMs) / Math.max(smaller.cpuMs - baseMs, leastMs);
}

function result({ work: _, ...trial }: Trial, size: number, cost: Cost, quarter: Cost, baseMs: number): Result {
  const { status, cpuMs: fullMs, holdMs } = cost;
  const ratio = growth(cost, quarter, baseMs);
  return { ...trial, size, status, quarterMs: quarter.cpuMs, fullMs, ratio, holdMs };
}

/** Returns Markdown: every fault, then the worst attacks without a fault. */
export function formatTable(results: readonly Result[], rowsMax = 30): string {
  const weight = ({ ratio, fullMs, holdMs, fault }: Result) =>
    (fault === undefined ? 0 : 1e9) +
    Math.max(holdMs / limits.holdMaxMs, fullMs >= 2 * limits.floorMs ? ratio / limits.ratioMax : 0);
  const sorted = results.toSorted((a, b) => weight(b) - weight(a));
  const faults = sorted.filter(({ fault }) => fault !== undefined).length;
  const rows = sorted.slice(0, Math.max(rowsMax, faults)).map((each) => {
    const { operation, field, kind, size, status, quarterMs, fullMs, ratio, holdMs, fault = "" } = each;
    const numbers = [size, status, quarterMs.toFixed(0), fullMs.toFixed(0), ratio.toFixed(1), holdMs.toFixed(0)];
    return `| ${operation} | ${field} | ${kind} | ${numbers.join(" | ")} | ${fault} |`;
  });
  return [
    "| operation | field | content | size | status | CPU ms of a quarter | CPU ms | ratio | longest hold ms | fault |",
    "|---|---|---|--:|--:|--:|--:|--:|--:|---|",
    ...rows,
  ].join("\n");
}
