import { setTimeout as delay } from "node:timers/promises";
import { relayPool } from "@ems/kit/db/relay-pool";
import { createLog } from "@ems/kit/log";
import type { FeedbackRow } from "@ems/notifications/feedback/entity";
import { unsent as kept } from "@ems/notifications/feedback/unsent";

export interface KeptFeedback {
  readonly applicationId: string;
  readonly id: string;
  readonly createdAt: Date;
  /** Why it did not go out; `IN_DOUBT` when nobody knows whether it did. */
  readonly reason: string;
  /** Sealed. */
  readonly text: string;
}

/** What came of asking for one again. */
export interface Resent {
  /** `BUSY`: it is being sent for somebody else. `IGNORED`: nobody took it up, and nobody will. */
  readonly outcome: "SENT" | "FAILED" | "IGNORED" | "ALREADY_SENT" | "BUSY" | "UNKNOWN";
  /** Why it did not go out. */
  readonly reason?: string;
}

/** Application and id. */
type Key = readonly [string, string];

const lookEveryMs = 200;
/** Notifications looks every second. */
const takeUpMs = 30_000;
/** A little more than sending may take. */
const wholeMs = 60_000;

/** Feedback that did not go out. Notifications sends it again: it has the relay's password and the keys to the text. */
export function openKeptFeedback(relayUrl: string) {
  const pool = relayPool({ url: relayUrl, poolMax: 1, log: createLog("ems", "error") });

  /** Asks for it; answers the key of its row, if it is one that is kept. */
  const ask = async (id: string): Promise<Key | undefined> => {
    const { rows } = await pool.query<{ applicationId: string; id: string }>(
      `UPDATE notifications.feedback SET status = 'ASKED', asked_at = now(), error = coalesce(error, 'IN_DOUBT')
       WHERE id::text = $1 AND ${kept} RETURNING application_id AS "applicationId", id`,
      [id],
    );
    return rows[0] && [rows[0].applicationId, rows[0].id];
  };
  /** Why there is nothing to ask for. */
  const whyNot = async (id: string): Promise<Resent["outcome"]> => {
    const { rows } = await pool.query("SELECT status FROM notifications.feedback WHERE id::text = $1", [id]);
    if (rows.length === 0) return "UNKNOWN";
    return rows[0].status === "SENT" ? "ALREADY_SENT" : "BUSY";
  };
  const look = async (key: Key) => {
    const sql = "SELECT status, error FROM notifications.feedback WHERE application_id = $1 AND id = $2";
    return (await pool.query<Pick<FeedbackRow, "status" | "error">>(sql, [...key])).rows[0];
  };
  /** Takes the question back; false when it has been taken up. */
  const withdraw = async (key: Key): Promise<boolean> => {
    const { rowCount } = await pool.query(
      `UPDATE notifications.feedback SET status = 'FAILED'
       WHERE application_id = $1 AND id = $2 AND status = 'ASKED'`,
      [...key],
    );
    return rowCount === 1;
  };

  return {
    async list(limit: number): Promise<KeptFeedback[]> {
      const sql = `SELECT application_id AS "applicationId", id, created_at AS "createdAt", text,
          coalesce(error, 'IN_DOUBT') AS reason
        FROM notifications.feedback WHERE ${kept} ORDER BY created_at DESC, id LIMIT $1`;
      return (await pool.query<KeptFeedback>(sql, [limit])).rows;
    },
    /** All that are kept, oldest first. */
    async ids(): Promise<string[]> {
      const sql = `SELECT id FROM notifications.feedback WHERE ${kept} ORDER BY created_at, id`;
      return (await pool.query<{ id: string }>(sql)).rows.map(({ id }) => id);
    },
    /** Has one sent again, once, and waits for what comes of it. What nobody takes up is not sent later either. */
    async resend(id: string, stopped: AbortSignal): Promise<Resent> {
      const key = await ask(id);
      if (key === undefined) return { outcome: await whyNot(id) };
      const startMs = Date.now();
      for (;;) {
        const row = await look(key);
        if (row?.status === "SENT") return { outcome: "SENT" };
        if (row?.status === "FAILED") return { outcome: "FAILED", reason: row.error ?? "" };
        const waitedMs = Date.now() - startMs;
        if (row?.status === "ASKED" && (waitedMs > takeUpMs || stopped.aborted) && (await withdraw(key))) {
          return { outcome: "IGNORED", reason: "NOT_TAKEN_UP" };
        }
        if (waitedMs > wholeMs || stopped.aborted) return { outcome: "FAILED", reason: "IN_DOUBT" };
        await delay(lookEveryMs, undefined, { signal: stopped }).catch(() => undefined);
      }
    },
    close: () => pool.end(),
  };
}
