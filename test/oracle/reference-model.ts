// A random small application: its rows to insert, and its rows as reports list them.

import type { Tenant } from "@ems/kit/tenant";
import { getScale } from "@ems/proto/scales";
import type { Interval } from "./interval.ts";
import type { Random } from "./random.ts";
import { decimal, type Rational, whole } from "./rational.ts";
import { randomId, randomTraces } from "./reference-traces.ts";
import { findLastTest, isErrored, measureTask } from "./task-measures.ts";
import { getMoments, ZoneView } from "./zones.ts";

/** Text, boolean, exact number, time in milliseconds, or null. */
/** Only results contain intervals. */
export type Cell = string | boolean | Rational | Interval | number | null;
export type Row = Readonly<Record<string, Cell>>;
export type Datasource = "task" | "test" | "eval" | "trace" | "step" | "session" | "human_annotation" | "topic" | "tag";

export interface ReferenceModel {
  readonly rows: Readonly<Record<Datasource, readonly Row[]>>;
  /** Returns the tasks with measures of the tests in runs of the selected types. */
  readonly selectTests: (isSelected: (runType: string) => boolean) => readonly Row[];
  /** Names of the resources that columns refer to, by id. */
  readonly names: ReadonlyMap<string, string>;
  /** Rows to insert, by table. */
  readonly tables: Readonly<Record<string, readonly object[]>>;
}

/** Rows are created around clock changes of these zones. */
const eventfulZones = [
  ...["Europe/Copenhagen", "America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Gaza"],
  ...["America/Sao_Paulo", "Africa/Casablanca", "Asia/Tehran", "Pacific/Chatham", "America/Havana", "Antarctica/Troll"],
];
const texts = ["Åben konto", "a", "A", "z", "Zürich", "", "💛 kort", "\uff5e", "100%", "it's", 'say "hi"', "ø\\n"];
const statuses = ["PENDING", "IN_PROGRESS", "COMPLETED", "COMPLETED", "FAILED"];

export interface Size {
  readonly years: readonly [number, number];
  readonly topics: number;
  readonly tasks: number;
  readonly tags: number;
  readonly tests: number;
  readonly evaluations: number;
  readonly traces: number;
  readonly steps: number;
}

export function randomModel({ orgId, applicationId }: Tenant, random: Random, size: Size): ReferenceModel {
  const moments = eventfulZones.flatMap((name) => getMoments(new ZoneView(name), random, size.years, 4));
  const moment = () => random.pick(moments);
  const id = () => randomId(random);
  const list = <Item>(count: number, make: (index: number) => Item) =>
    Array.from({ length: count }, (_, at) => make(at));
  const own = () => ({ applicationId, orgId, id: id() });
  const dated = () => ({ createdAt: moment(), modifiedAt: moment() });
  const text = () => random.pick(texts);
  const flag = () => random.is(0.5);
  const maybe = <T>(value: T) => (random.is(0.25) ? null : value);
  const score = (low: number, high: number) =>
    maybe(random.is(0.2) ? random.int(2 * low, 2 * high) * 500_000 : random.int(low * 1e6, high * 1e6));

  const topics = list(size.topics, () => ({
    ...own(),
    title: text(),
    status: random.pick(["DRAFT", "ACTIVE", "ACTIVE", "ARCHIVED"]),
    baseline: maybe(random.pick([0.1, 0.2, 0.3, 1e-7, 123_456.789, -0.5, 1e21])),
    isInScope: flag(),
    isTasksVerified: flag(),
    isDocumentsVerified: flag(),
    isKnowledgeBaseVerified: flag(),
    isPoliciesVerified: flag(),
    assignedTo: maybe(random.pick(["ada", "Bo", "user-1"])),
    ...dated(),
  }));
  const documents = list(size.topics, (at) => ({
    ...own(),
    topicId: maybe(random.pick(topics).id),
    activeVersion: 1,
    ...dated(),
    title: `Document ${at}`,
  }));
  const tasks = list(size.tasks, () => ({
    ...own(),
    title: text(),
    description: text(),
    type: random.pick(["NORMAL", "STATIC"]),
    status: random.pick(["DEDUCED", "DRAFT", "ACTIVE", "ACTIVE", "ARCHIVED"]),
    topicId: maybe(random.pick(topics).id),
    isVerified: flag(),
    ...dated(),
  }));
  const tags = list(size.tags, (at) => ({
    ...own(),
    name: `${text()} ${at}`,
    color: random.pick(["#3B82F6", "#000000", "#FFFFFF"]),
    status: random.pick(["ACTIVE", "ACTIVE", "ARCHIVED"]),
    description: text(),
    ...dated(),
  }));
  const tagged = tags.flatMap((tag) =>
    random.sample(tasks, random.int(0, 5)).map((task) => ({ applicationId, taskId: task.id, tagId: tag.id })),
  );
  const definitions = list(5, (at) => ({
    ...own(),
    type: random.pick(["NATURALNESS", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"]),
    name: `Definition ${at}`,
    ...dated(),
  }));
  const runs = list(4, () => ({ id: id(), runType: random.pick(["MANUAL", "SCHEDULED", "EXPERIMENT", "MONITORING"]) }));
  // Some tasks have no tests.
  const tested = random.sample(tasks, Math.ceil((size.tasks * 3) / 4));
  const outcome = (type?: string) => {
    const { low, high } = getScale(type);
    return { status: random.pick(statuses), scoreMicro: score(low, high), passed: maybe(flag()) };
  };
  const tests = list(size.tests, () => {
    const [task, run] = [random.pick(tested), random.pick(runs)];
    const runFacts = { runId: run.id, runType: run.runType };
    const facts = { taskId: task.id, topicId: task.topicId, durationMs: maybe(random.int(0, 5_000)) };
    const result = outcome();
    const isErrored = result.status === "FAILED" || (result.status === "COMPLETED" && random.is(0.2));
    const errorCause = isErrored ? random.pick(["APPLICATION", "CONFIGURATION", "JUDGE"]) : null;
    const times = { createdAt: moment(), modifiedAt: maybe(moment()) };
    const tokens = () => maybe(random.int(0, 2_000_000));
    const usage = {
      traceInputTokens: tokens(),
      traceCachedTokens: tokens(),
      traceCacheWriteTokens: tokens(),
      traceOutputTokens: tokens(),
      traceReasoningTokens: tokens(),
      traceUnpricedSteps: maybe(random.int(0, 9)),
    };
    const definitionIds = random.sample(definitions, random.int(0, 3)).map((definition) => definition.id);
    return { ...own(), ...facts, ...runFacts, ...result, ...usage, errorCause, ...times, definitionIds };
  });
  const evaluations = list(size.evaluations, () => {
    const [test, definition] = [random.pick(tests), random.pick(definitions)];
    const { taskId, topicId, runId, createdAt } = test;
    const modifiedAt = maybe(moment());
    const judged = { definitionId: definition.id, definitionType: definition.type };
    const consumed = {
      inputTokens: maybe(random.int(0, 2_000_000_000)),
      outputTokens: maybe(random.int(0, 5_000)),
      costMicro: maybe(random.int(0, 50_000)),
      durationMs: maybe(random.int(0, 5_000)),
      judgeVersion: maybe(random.pick(["custom/1", "custom/2"])),
      model: maybe(random.pick(["large", "small"])),
      uncertainCostMicro: maybe(random.int(0, 50_000)),
      estimatedTokens: maybe(random.int(0, 900)),
    };
    return {
      ...own(),
      testId: test.id,
      taskId,
      topicId,
      runId,
      ...judged,
      ...outcome(definition.type),
      ...consumed,
      createdAt,
      modifiedAt,
    };
  });
  // Reports exclude results that a rerun replaced.
  const replaced = random
    .sample(evaluations, 40)
    .map((each) => ({ ...each, ...outcome(each.definitionType), id: id(), replacedBy: each.id }));

  const annotations = list(size.evaluations, () => {
    const test = maybe(random.pick(tests));
    const about = { testId: test?.id ?? null, taskId: test?.taskId ?? null, topicId: test?.topicId ?? null };
    const person = { annotatorId: random.pick(["ada", "Bo", "user-1"]), critique: maybe(text()) };
    const source = random.pick(["REVIEW_QUEUE", "TRACE_PAGE", "TEST_PAGE"]);
    const definition = maybe(random.pick(definitions));
    const { low, high } = getScale(definition?.type);
    const judged = {
      definitionId: definition?.id ?? null,
      scoreMicro: definition === null ? null : score(low, high),
    };
    return { ...own(), traceId: id(), ...about, ...person, ...judged, source, verdict: flag(), ...dated() };
  });

  const { traces, steps, sessions, traceRows, stepRows, sessionRows } = randomTraces(
    { orgId, applicationId },
    random,
    size,
    moment,
  );

  const active = tasks.filter(({ status }) => status !== "ARCHIVED");
  const number = (value: number | null, scale = 1n) => (value === null ? null : { top: BigInt(value), bottom: scale });
  const archivedTasks = new Set(tasks.filter(({ status }) => status === "ARCHIVED").map((task) => task.id));
  const archivedTopics = new Set(topics.filter(({ status }) => status === "ARCHIVED").map((topic) => topic.id));
  const hasEnded = ({ status }: { status: string }) => !["PENDING", "IN_PROGRESS"].includes(status);
  const result = <Result extends Omit<(typeof tests)[number], "definitionIds"> | (typeof evaluations)[number]>(
    made: Result,
  ) => ({
    ...made,
    passed: isErrored(made) ? null : made.passed,
    errored: hasEnded(made) ? isErrored(made) : null,
    score: isErrored(made) ? null : number(made.scoreMicro, 1_000_000n),
    modifiedAt: made.modifiedAt ?? made.createdAt,
    isArchived: archivedTasks.has(made.taskId) || archivedTopics.has(made.topicId ?? ""),
  });
  const getOutcome = (test: Omit<(typeof tests)[number], "definitionIds">) => {
    if (!hasEnded(test)) return null;
    if (isErrored(test)) return "ERRORED";
    return test.passed === null ? "NONE" : test.passed ? "PASSED" : "FAILED";
  };
  const isArchived = ({ status }: { status: string }) => status === "ARCHIVED";
  const tagIds = (taskId: string) => tagged.flatMap((each) => (each.taskId === taskId ? each.tagId : [])).join(" ");
  return {
    selectTests: (isSelected) =>
      tasks.map((task) => {
        const own = tests.filter(({ taskId, runType }) => taskId === task.id && isSelected(runType));
        return { ...task, ...measureTask(own), lastTest: findLastTest(own), isArchived: isArchived(task) };
      }),
    names: new Map([
      ...[...topics, ...tasks].map((each): [string, string] => [each.id, each.title]),
      ...definitions.map((each): [string, string] => [each.id, each.name]),
    ]),
    rows: {
      topic: topics.map((topic) => ({
        ...topic,
        baseline: topic.baseline === null ? null : decimal(topic.baseline),
        taskCount: whole(tasks.filter((task) => task.topicId === topic.id && task.status === "ACTIVE").length),
        documentCount: whole(documents.filter(({ topicId }) => topicId === topic.id).length),
        isArchived: isArchived(topic),
      })),
      task: tasks.map((task) => {
        const own = tests.filter(({ taskId }) => taskId === task.id);
        const ofUse = own.filter(({ runType }) => runType !== "EXPERIMENT");
        return { ...task, ...measureTask(ofUse), lastTest: findLastTest(own), isArchived: isArchived(task) };
      }),
      tag: tags.map((tag) => ({
        ...tag,
        taskCount: whole(
          tagged.filter(({ tagId, taskId }) => tagId === tag.id && active.some((task) => task.id === taskId)).length,
        ),
        isArchived: isArchived(tag),
      })),
      test: tests.map(({ definitionIds, ...test }) => ({
        ...result(test),
        definitionId: definitionIds.join(" "),
        tagId: tagIds(test.taskId),
        // Their costs are unknown.
        cost: null,
        unpricedSteps: number(test.traceUnpricedSteps),
        inputTokens: number(test.traceInputTokens),
        cachedInputTokens: number(test.traceCachedTokens),
        cacheWriteTokens: number(test.traceCacheWriteTokens),
        outputTokens: number(test.traceOutputTokens),
        reasoningTokens: number(test.traceReasoningTokens),
        outcome: getOutcome(test),
        durationMs: number(test.durationMs),
      })),
      eval: evaluations.map((made) => ({
        ...result(made),
        tagId: tagIds(made.taskId),
        runType: runs.find(({ id }) => id === made.runId)?.runType ?? null,
        inputTokens: number(made.inputTokens),
        outputTokens: number(made.outputTokens),
        cost: number(made.costMicro, 1_000_000n),
        uncertainCost: number(made.uncertainCostMicro, 1_000_000n),
        estimatedTokens: number(made.estimatedTokens),
        durationMs: number(made.durationMs),
      })),
      trace: traceRows,
      step: stepRows,
      session: sessionRows,
      human_annotation: annotations.map((made) => ({
        ...made,
        score: number(made.scoreMicro, 1_000_000n),
        isArchived: archivedTasks.has(made.taskId ?? "") || archivedTopics.has(made.topicId ?? ""),
      })),
    },
    tables: {
      "catalog.topic": topics,
      "catalog.document": documents.map(({ title: _, ...document }) => document),
      "catalog.task": tasks.map((task) => ({ ...task, prompts: task.type === "STATIC" ? ["?"] : [] })),
      "catalog.tag": tags,
      "catalog.task_tag": tagged,
      "catalog.eval_definition": definitions,
      "experiments.run": runs.map(({ id, runType: type }) => ({ ...own(), id, type, status: "COMPLETED", ...dated() })),
      "experiments.test": tests,
      "experiments.evaluation": [...evaluations.map((each) => ({ ...each, replacedBy: null })), ...replaced],
      "experiments.human_annotation": annotations,
      "traces.trace": traces,
      "traces.trace_step": steps,
      "traces.session": sessions,
    },
  };
}
