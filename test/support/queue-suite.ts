// Guarantees of every queue with two workers, independent of its table and statements.

import { afterEach, describe, expect, test, vi } from "vitest";

/** A claimed job with the fields that identify its lease. */
export interface ClaimedJob {
  /** The id that `add` returned. */
  readonly id: string;
}

/** Two workers with connections of their own. */
export type Worker = 0 | 1;

/** A queue under test. Unsupported operations are left out, and so are their tests. */
export interface TestQueue<Job extends ClaimedJob> {
  /** Deletes all jobs. */
  clear(): Promise<unknown>;
  /** Adds a due job; returns its id. */
  add(): Promise<string>;
  claim(worker: Worker): Promise<readonly Job[]>;
  /** Renews leases; returns those that still hold, with their new tokens. */
  renew?(worker: Worker, jobs: readonly Job[]): Promise<readonly Job[]>;
  /** Ends a job. */
  finish?(worker: Worker, job: Job): Promise<unknown>;
  /** Releases a job, to be due at once or later. */
  release?(worker: Worker, job: Job): Promise<unknown>;
  /** The row's part that a worker without its lease must not change; undefined if deleted. */
  row(id: string): Promise<unknown>;
  /** Ends the job's lease: the worker died, or PostgreSQL's clock jumped ahead. */
  expire(id: string): Promise<unknown>;
  /** Locks the job's row, as an open transaction does, until the returned function is called. */
  lock?(id: string): Promise<() => Promise<unknown>>;
  /**
   * Permitted late work of a worker without its lease: nothing; or ending the job, since its effect is acknowledged and idempotent.
   * An ended job stays ended in both cases.
   */
  readonly late: "nothing" | "finish";
}

const jumpMs = 3_600_000;
/** Maximum number of jobs that repeated claims of any queue return. */
const jobsCount = 12;
const claimsMax = 30;

/** Runs the suite on a queue. */
export function queueSuite<Job extends ClaimedJob>(name: string, queue: TestQueue<Job>): void {
  const getIds = (jobs: readonly Job[]) => jobs.map(({ id }) => id);
  const claimOne = async (worker: Worker, id: string): Promise<Job> => {
    const job = (await queue.claim(worker)).find((each) => each.id === id);
    if (job === undefined) throw new Error(`worker ${worker} did not get the job`);
    return job;
  };
  /** A job that worker 0 has lost to worker 1. */
  const lose = async () => {
    await queue.clear();
    const id = await queue.add();
    const lost = await claimOne(0, id);
    await queue.expire(id);
    const held = await claimOne(1, id);
    return { id, lost, held, row: await queue.row(id) };
  };
  afterEach(() => {
    vi.useRealTimers();
  });

  describe(`two workers, one queue: ${name}`, () => {
    test("each job is claimed by one worker", async () => {
      await queue.clear();
      const ids: string[] = [];
      while (ids.length < jobsCount) ids.push(await queue.add());
      const claimed: string[] = [];
      for (let claims = 0; claims < claimsMax && claimed.length < jobsCount; claims++) {
        const both = await Promise.all([queue.claim(0), queue.claim(1)]);
        claimed.push(...both.flatMap(getIds));
      }
      expect(claimed.toSorted()).toEqual(ids.toSorted());
    });

    test("a claimed job is not claimed again while its lease holds", async () => {
      await queue.clear();
      const id = await queue.add();
      await claimOne(0, id);
      const row = await queue.row(id);
      expect([await queue.claim(1), await queue.claim(0)]).toEqual([[], []]);
      expect(await queue.row(id)).toEqual(row);
    });

    test("a worker that dies leaves its job to the other when the lease ends", async () => {
      await queue.clear();
      const id = await queue.add();
      await claimOne(0, id);
      expect(await queue.claim(1)).toEqual([]);
      await queue.expire(id);
      expect(getIds(await queue.claim(1))).toEqual([id]);
    });

    const { lock, renew, finish, release } = queue;
    if (lock !== undefined) {
      test("a claim does not wait for a transaction that has the job's row", async () => {
        await queue.clear();
        const [locked, free] = [await queue.add(), await queue.add()];
        const unlock = await lock(locked);
        try {
          const claimed: string[] = [];
          for (let claims = 0; claims < claimsMax && claimed.length === 0; claims++) {
            claimed.push(...getIds(await queue.claim(1)));
          }
          expect(claimed).toEqual([free]);
        } finally {
          await unlock();
        }
        await claimOne(0, locked);
      });
    }

    test.each([
      ["ahead of", jumpMs],
      ["behind", -jumpMs],
    ])("a worker whose clock is an hour %s the others' takes no job whose lease holds", async (_, ms) => {
      await queue.clear();
      const id = await queue.add();
      await claimOne(0, id);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
      expect(await queue.claim(1)).toEqual([]);
      vi.useRealTimers();
      await queue.expire(id);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
      const claimedByIt = await queue.claim(1);
      vi.useRealTimers();
      // A slow clock may find no due job until it is right; the lease's length follows PostgreSQL's clock in any case.
      if (claimedByIt.length === 0) await claimOne(1, id);
      expect(await queue.claim(0)).toEqual([]);
    });

    if (renew !== undefined) {
      test("a renewed lease holds, by its new token alone", async () => {
        await queue.clear();
        const id = await queue.add();
        const job = await claimOne(0, id);
        // A token is the lease's end in milliseconds.
        const claimedMs = performance.now();
        await expect.poll(() => performance.now() - claimedMs).toBeGreaterThan(2);
        const [renewed] = await renew(0, [job]);
        expect(renewed?.id).toBe(id);
        const row = await queue.row(id);
        expect([await queue.claim(1), await renew(0, [job])]).toEqual([[], []]);
        if (finish !== undefined && queue.late === "nothing") await finish(0, job);
        expect(await queue.row(id)).toEqual(row);
        if (finish === undefined || renewed === undefined) return;
        await finish(0, renewed);
        expect(await queue.row(id)).not.toEqual(row);
      });

      test("a lost lease is not renewed", async () => {
        const { id, lost, held, row } = await lose();
        expect(await renew(0, [lost])).toEqual([]);
        expect(await queue.row(id)).toEqual(row);
        expect(getIds(await renew(1, [held]))).toEqual([id]);
      });
    }

    if (finish !== undefined) {
      test(`a worker that returns after its lease ${queue.late === "nothing" ? "ends nothing" : "may end the job, once"}`, async () => {
        const { id, lost, held, row } = await lose();
        await finish(0, lost);
        if (queue.late === "nothing") {
          expect(await queue.row(id)).toEqual(row);
          expect(await queue.claim(0)).toEqual([]);
        }
        await finish(1, held);
        const ended = await queue.row(id);
        expect(ended).not.toEqual(row);
        await finish(0, lost);
        expect(await queue.row(id)).toEqual(ended);
        expect([await queue.claim(0), await queue.claim(1)]).toEqual([[], []]);
      });
    }

    if (release !== undefined) {
      test("a worker that returns after its lease does not release the other's job", async () => {
        const { id, lost, row } = await lose();
        await release(0, lost);
        expect(await queue.row(id)).toEqual(row);
        expect(await queue.claim(0)).toEqual([]);
      });
    }

    if (release !== undefined && finish !== undefined) {
      test("a worker that returns after its lease does not reopen a job that has ended", async () => {
        const { id, lost, held } = await lose();
        await finish(1, held);
        const ended = await queue.row(id);
        await release(0, lost);
        expect(await queue.row(id)).toEqual(ended);
        expect(await queue.claim(0)).toEqual([]);
      });
    }
  });
}
