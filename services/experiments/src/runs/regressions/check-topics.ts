// Checks live traffic daily: opens an issue for a topic whose pass rate regressed, and closes the issue on recovery.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../../deps.ts";
import { openIssue } from "../../review/issues/index.ts";
import {
  type Day,
  daysBefore,
  daysRead,
  findRegression,
  getRate,
  hasRecovered,
  type Regression,
  recentDaysMax,
  sumDays,
} from "./regression.ts";

type LookDeps = Pick<Deps, "publish" | "clock" | "newId">;
type Owner = Parameters<typeof openIssue>[2]["tenant"];

/** Stands for the missing topic of a test (rollups.ts). */
const noTopic = "00000000-0000-0000-0000-000000000000";
const noTopicSubject = "MONITORING BUG live traffic without a topic";

interface TopicDay extends Day {
  readonly topicId: string;
  /** Number of days between this day and the last one. */
  readonly age: number;
}

// Only judged tests count: an error of a judge is no regression.
const topicDays = `SELECT topic_id AS "topicId", ($2::date - day) AS age,
    sum(CASE status WHEN 'COMPLETED' THEN passed_rows ELSE 0 END)::integer AS total,
    sum(CASE status WHEN 'COMPLETED' THEN passed_true ELSE 0 END)::integer AS passed
  FROM experiments.test_day
  WHERE application_id = $1 AND day > $2::date - $3::integer AND day <= $2::date AND run_type = 'MONITORING'
  GROUP BY topic_id, day`;

interface OpenRegression {
  readonly id: string;
  readonly topicId: string | null;
  /** Number of days between the creation of the issue and the last day. */
  readonly age: number;
}

const openRegressions = `SELECT id, topic_id AS "topicId", ($2::date - (created_at AT TIME ZONE 'UTC')::date) AS age
  FROM experiments.issue WHERE application_id = $1 AND source = 'MONITORING' AND type = 'BUG' AND status = 'OPEN'
    AND title = $3 FOR NO KEY UPDATE`;
const close = `UPDATE experiments.issue SET status = 'RESOLVED', modified_at = $3 WHERE application_id = $1 AND id = $2`;

/** Identifies the stored issues; if the title changes, issues that are open then will never be resolved. */
const title = "The pass rate of live traffic fell";
/** Maximum age in days of the issues that recovery closes; older ones stay open until a person closes them. */
const openDaysMax = 90;

/** Checks an application's live traffic until `day`, which must have ended. */
export async function checkTopics(deps: LookDeps, tx: Transaction, tenant: Owner, day: string): Promise<void> {
  const { applicationId } = tenant;
  const [rows, open] = await Promise.all([
    tx.query<TopicDay>(topicDays, [applicationId, day, daysRead + openDaysMax]),
    tx.query<OpenRegression>(openRegressions, [applicationId, day, title]),
  ]);
  const openByTopic = new Map(open.map((regression) => [regression.topicId ?? noTopic, regression]));
  for (const [topicId, found] of Map.groupBy(rows, (row) => row.topicId)) {
    const history = buildHistory(found);
    const regression = findRegression(history.slice(-daysRead));
    const before = openByTopic.get(topicId);
    if (regression !== undefined) await openRegression(deps, tx, tenant, topicId, regression);
    else if (before !== undefined && isBack(history, before))
      tx.defer(close, [applicationId, before.id, deps.clock.now()]);
  }
}

/** Returns one entry per date, oldest first, including dates without tests. */
function buildHistory(rows: readonly TopicDay[]): Day[] {
  const byAge = new Map(rows.map((row) => [row.age, row]));
  return Array.from({ length: daysRead + openDaysMax }, (_, index) => {
    const { total = 0, passed = 0 } = byAge.get(daysRead + openDaysMax - 1 - index) ?? {};
    return { total, passed };
  });
}

function isBack(history: readonly Day[], { age }: OpenRegression): boolean {
  if (age < 0 || age >= openDaysMax) return false;
  // An issue is created on the day after the last day of its regression.
  const since = age + 1;
  const end = history.length - since - recentDaysMax;
  return hasRecovered(history.slice(-since), sumDays(history.slice(end - daysBefore, end)));
}

function openRegression(deps: LookDeps, tx: Transaction, tenant: Owner, topicId: string, regression: Regression) {
  const about = topicId === noTopic ? { topicId: null, subject: noTopicSubject } : { topicId };
  const fields = {
    title,
    source: "MONITORING",
    type: "BUG",
    priority: "HIGH",
    impact: formatImpact(regression),
  } as const;
  return openIssue(deps, tx, { tenant }, { ...fields, ...about });
}

/** Formats the numbers found by the latest check. */
function formatImpact({ recent, before, z }: Regression): string {
  const share = (day: Day) => `${(100 * getRate(day)).toFixed(1)} % (${day.passed} of ${day.total})`;
  const days = recent.days === 1 ? "day" : `${recent.days} days`;
  return `Passed in the last ${days}: ${share(recent)}; in the ${daysBefore} days before: ${share(before)}. Difference: ${z.toFixed(1)} standard errors.`;
}
