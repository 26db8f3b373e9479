// Tasks with schedules, some of which a test makes due; the others become due within the hour.

import type { FaultMesh } from "../harness/fault-mesh.ts";
import type { Writer } from "../harness/writer.ts";

export interface ScheduledTasks {
  /** Makes the first half due a minute ago. */
  makeDue(): Promise<unknown>;
  /** Number of due schedules. */
  due(): Promise<number>;
  /** Number of runs of each task that became due, and of each other task. */
  runs(): Promise<{ readonly due: readonly number[]; readonly later: readonly number[] }>;
}

type Mesh = Pick<FaultMesh, "sql">;

/** Creates `count` tasks that `makeDue` makes due, and as many that become due in half an hour. */
export async function scheduledTasks({ sql }: Mesh, writer: Writer, count: number): Promise<ScheduledTasks> {
  const { applicationId } = writer;
  const create = async (number: number) => {
    const { task } = (await send(writer, "POST", "/v0/tasks", {
      title: `Scheduled ${number}`,
      description: "Opening hours",
    })) as { task: { id: string } };
    const minute = (new Date().getUTCMinutes() + 30) % 60;
    const schedule = { cron: `${minute} * * * *`, timezone: "UTC", criticality: "HIGH" };
    await send(writer, "PUT", `/v0/tasks/${task.id}/schedule`, schedule);
    return task.id;
  };
  const ids: string[] = [];
  for (let number = 0; number < 2 * count; number++) ids.push(await create(number));
  const [due, later] = [ids.slice(0, count), ids.slice(count)];
  return {
    makeDue: () =>
      sql(
        `UPDATE evaluation.task_schedule SET next_run_at = now() - interval '1 minute'
         WHERE application_id = $1 AND task_id = ANY ($2::uuid[])`,
        [applicationId, due],
      ),
    async due() {
      const [row] = await sql<{ count: number }>(
        `SELECT count(*)::int AS count FROM evaluation.task_schedule
         WHERE application_id = $1 AND next_run_at <= now()`,
        [applicationId],
      );
      return row?.count ?? Number.NaN;
    },
    async runs() {
      const rows = await sql<{ id: string; runs: number }>(
        `SELECT task_id AS id, count(DISTINCT run_id)::int AS runs FROM experiments.test
         WHERE application_id = $1 GROUP BY 1`,
        [applicationId],
      );
      const count = (id: string) => rows.find((row) => row.id === id)?.runs ?? 0;
      return { due: due.map(count), later: later.map(count) };
    },
  };
}

async function send(writer: Writer, method: string, path: string, json: object): Promise<unknown> {
  const answer = await writer.send(method, path, json);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
