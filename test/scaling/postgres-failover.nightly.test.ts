// PostgreSQL on three machines (Patroni, etcd, HAProxy) loses its primary under load in several ways: each acknowledged
// write exists once, and clients receive 503 with Retry-After for a few seconds.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PatroniCluster, startPatroniCluster } from "../harness/patroni/cluster.ts";
import type { Member } from "../harness/patroni/member.ts";
import { patroniPrograms } from "../harness/patroni/programs.ts";
import { newWriter } from "../harness/writer.ts";
import { acknowledged, lostOrDouble } from "./evidence.ts";
import { type ScaledProduct, startScaledProduct } from "./product.ts";
import { errorSeconds, isFailure, report, startTraffic, type Traffic, unexplained } from "./traffic.ts";

const programs = await patroniPrograms().catch((error: Error) => {
  console.warn(`Left out: ${error.message}`);
  return undefined;
});
/** Number of repetitions of each loss. */
const repeats = Number(process.env.FAILOVER_REPEATS ?? 2);

let postgres: PatroniCluster;
let product: ScaledProduct;

interface Loss {
  readonly name: string;
  lose(primary: Member, traffic: Traffic): Promise<void>;
  /** Restores the lost member. */
  mend(lost: Member): Promise<void>;
  /** Maximum duration of errors in seconds. */
  readonly secondsMax: number;
  /** Statuses that clients may see in addition to 503 with Retry-After. */
  readonly statuses?: readonly number[];
}

const nothing = async () => undefined;
const findStandbys = (primary: Member) => postgres.members.filter((member) => member !== primary);
const losses: readonly Loss[] = [
  {
    name: "PostgreSQL killed",
    lose: async (primary) => void process.kill(await primary.postmaster(), "SIGKILL"),
    mend: nothing,
    secondsMax: 20,
  },
  {
    name: "the machine lost",
    lose: (primary) => primary.signalAll("SIGKILL"),
    mend: (lost) => lost.start(),
    secondsMax: 40,
  },
  // Clients do not notice the loss of connections; later the member resumes as if nothing had happened.
  {
    name: "the machine hanging",
    lose: (primary) => primary.signalAll("SIGSTOP"),
    mend: (lost) => lost.signalAll("SIGCONT"),
    secondsMax: 40,
  },
  { name: "a switchover", lose: () => postgres.switchOver(), mend: nothing, secondsMax: 20 },
  {
    name: "first both standbys hanging for longer than a deadline, then the machine lost",
    lose: async (primary, traffic) => {
      for (const standby of findStandbys(primary)) await standby.signalAll("SIGSTOP");
      const answersBefore = traffic.answers.length;
      const failures = () => traffic.answers.slice(answersBefore).filter(isFailure).length;
      // Failures are writes past their deadline, and their retries.
      await expect.poll(failures, { timeout: 60_000 }).toBeGreaterThan(40);
      await primary.signalAll("SIGKILL");
      for (const standby of findStandbys(primary)) await standby.signalAll("SIGCONT");
    },
    mend: (lost) => lost.start(),
    secondsMax: 90,
    // Commits wait for a standby beyond their deadline.
    statuses: [504],
  },
];

describe.skipIf(programs === undefined)("with Patroni", () => {
  beforeAll(async () => {
    if (programs === undefined) return;
    postgres = await startPatroniCluster(programs);
    product = await startScaledProduct({ postgresUrl: postgres.url });
  });
  afterAll(async () => {
    await product?.close();
    await postgres?.close();
  });

  const cases = losses.flatMap((loss) => Array.from({ length: repeats }, (_, at) => ({ ...loss, time: at + 1 })));
  test.each(cases)("$name, time $time: nothing acknowledged is lost, nothing is there twice", async (loss) => {
    await postgres.complete();
    const writer = await newWriter(product, product.receiver.url);
    const traffic = startTraffic(() => product.baseUrl, writer);
    await acknowledged(traffic, 50);
    const primary = await postgres.primary();
    const lostAtMs = performance.now();
    await loss.lose(primary, traffic);
    const another = async () => (await postgres.primary()).name;
    await expect.poll(another, { timeout: 90_000, interval: 100 }).not.toBe(primary.name);
    const takenOver = ((performance.now() - lostAtMs) / 1_000).toFixed(1);
    await acknowledged(traffic, 50);
    await loss.mend(primary);
    await postgres.complete();
    await acknowledged(traffic, 50);
    await traffic.stop();

    console.log(`${loss.name}: another primary after ${takenOver} s, ${report(traffic)}`);
    expect(await lostOrDouble(product, writer, traffic)).toEqual([]);
    expect(product.crashes).toEqual([]);
    expect(unexplained(traffic.answers, loss.statuses)).toEqual([]);
    expect(errorSeconds(traffic.answers)).toBeLessThan(loss.secondsMax);
  });
});
