import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { calibrate } from "./calibrate.ts";
import { chooseNext, type HumanCounts } from "./choose-next.ts";

const quality = (bothPass: number, onlyJudgePasses: number, onlyHumanPasses: number, bothFail: number) =>
  calibrate({
    confusion: { bothPass, onlyJudgePasses, onlyHumanPasses, bothFail },
    evaluations: 1_000,
    passed: 500,
  });
const buildTraces = (taskId: string, count: number) =>
  Array.from({ length: count }, () => ({ traceId: newId(), taskId }));
const ofTasks = new Map<string, HumanCounts>([
  ["passing", { passed: 30, failed: 0 }],
  ["failing", { passed: 0, failed: 30 }],
]);
const candidates = [...buildTraces("passing", 50), ...buildTraces("failing", 50)];
const countChosen = (taskId: string, chosen: readonly { taskId: string }[]) =>
  chosen.filter((candidate) => candidate.taskId === taskId).length;

test.each([
  ["too few that people failed", quality(60, 5, 5, 5), "failing"],
  ["too few that people passed", quality(5, 5, 5, 60), "passing"],
  ["an uncertain specificity at a low rate", quality(190, 12, 10, 12), "failing"],
  ["an uncertain sensitivity at a high rate", quality(20, 1, 10, 300), "passing"],
])("for a judge with %s, the most informative traces come first", (_, judge, task) => {
  const chosen = chooseNext(candidates, judge, ofTasks, 10);
  expect(chosen[0]?.taskId).toBe(task);
  expect(countChosen(task, chosen)).toBeGreaterThan(5);
});

test("traces are spread over tasks with equally few annotations", () => {
  const tasks = Array.from({ length: 10 }, () => newId());
  const unknown = tasks.flatMap((taskId) => buildTraces(taskId, 20));
  const chosen = chooseNext(unknown, quality(0, 0, 0, 0), new Map(), 20);
  expect(tasks.map((taskId) => countChosen(taskId, chosen))).toEqual(tasks.map(() => 2));
});

test("no trace is chosen twice, and the choice is deterministic", () => {
  const all = chooseNext(candidates, quality(60, 5, 5, 5), ofTasks, 1_000);
  expect(new Set(all).size).toBe(candidates.length);
  expect(chooseNext(candidates.toReversed(), quality(60, 5, 5, 5), ofTasks, 10)).toEqual(all.slice(0, 10));
  expect(chooseNext([], quality(0, 0, 0, 0), ofTasks, 10)).toEqual([]);
  expect(chooseNext(candidates, quality(0, 0, 0, 0), ofTasks, 0)).toEqual([]);
});
