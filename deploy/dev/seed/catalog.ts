import { toValue } from "@ems/kit/json/free-value";
import { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { DocumentService, DocumentStatus } from "@ems/proto/catalog/v1/document_service";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { StyleGuideService } from "@ems/proto/catalog/v1/style_guide_service";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import { TaskService } from "@ems/proto/catalog/v1/task_service";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import * as bank from "./bank.ts";
import type { Plan } from "./plan.ts";

export interface Catalog {
  readonly topicIds: readonly string[];
  readonly tasks: readonly SeedTask[];
  readonly documentIds: readonly string[];
  readonly definitions: readonly SeedDefinition[];
}

export interface SeedTask {
  readonly id: string;
  readonly topicId: string;
  readonly createdAt: Date;
  readonly topic: bank.SeedTopic;
  readonly question: string;
  /** Index of the topic, and index of the task in it. */
  readonly topicNumber: number;
  readonly number: number;
}

export interface SeedDefinition {
  readonly id: string;
  readonly type: bank.SeedDefinitionType;
  readonly name: string;
  /** Topics whose tasks the definition judges; undefined for all topics. */
  readonly topicIds: ReadonlySet<string> | undefined;
  /** Amount by which the definition's scores are below the quality of the answers. */
  readonly difficulty: number;
}

/** Creates topics with their tasks, tags and documents, and the definitions. */
export async function fillCatalog(plan: Plan): Promise<Catalog> {
  const tagIds = await fillTags(plan);
  const made: Made = { topicIds: [], tasks: [], documentIds: [] };
  for (let number = 0; number < plan.size.topics; number++) {
    plan.nextDay();
    await fillTopic(plan, number, tagIds, made);
    plan.step(`${number + 1} of ${plan.size.topics} topics`);
  }
  return { ...made, definitions: await fillDefinitions(plan, made.topicIds) };
}

interface Made {
  readonly topicIds: string[];
  readonly tasks: SeedTask[];
  readonly documentIds: string[];
}

async function fillTags({ caller, size }: Plan): Promise<string[]> {
  const tags = caller.client(TagService);
  const ids: string[] = [];
  for (const tag of bank.tags) ids.push((await tags.createTag(tag, caller.options)).data?.id ?? "");
  for (let number = ids.length; number < size.tags; number++) {
    const name = `campaign ${String(number).padStart(5, "0")}`;
    ids.push((await tags.createTag({ name, description: "One of many." }, caller.options)).data?.id ?? "");
  }
  return ids;
}

async function fillTopic(plan: Plan, number: number, tagIds: string[], made: Made) {
  const { caller, random, size } = plan;
  const [topics, tasks] = [caller.client(TopicService), caller.client(TaskService)];
  const [tags, documents] = [caller.client(TagService), caller.client(DocumentService)];
  const topic = bank.topics[number % bank.topics.length] ?? random.pick(bank.topics);
  const round = Math.floor(number / bank.topics.length);
  const title = round === 0 ? topic.title : `${topic.title}, branch ${round}`;
  const { data } = await topics.createTopic({ title, baseline: random.int(70, 95) / 100 }, caller.options);
  const topicId = data?.id ?? "";
  made.topicIds.push(topicId);

  const own: string[] = [];
  for (let at = 0; at < size.tasksPerTopic; at++) {
    plan.nextHour();
    const question = topic.questions[at % topic.questions.length] ?? topic.title;
    const variant = Math.floor(at / topic.questions.length);
    const title = variant === 0 ? question : `${question} (variant ${variant})`;
    const description = `A customer asks: ${question} The answer must agree with “${topic.document.title}”.`;
    const { task } = await tasks.createTask({ title, description, topicId }, caller.options);
    own.push(task?.id ?? "");
    const id = task?.id ?? "";
    made.tasks.push({ id, topicId, createdAt: plan.clock.now(), topic, question, topicNumber: number, number: at });
  }
  const tagged = { taskIds: random.some(own, Math.ceil(own.length / 2)), tagIds: random.some(tagIds.slice(0, 50), 2) };
  await tags.tagTasks(tagged, caller.options);

  for (const language of ["en", "de", "da"] as const) {
    plan.nextHour();
    const words = { title: topic.document.title, content: topic.document[language], language };
    const status = random.boolean(0.7) ? DocumentStatus.APPROVED : DocumentStatus.REVIEW;
    const owner = { topicId, assignee: random.pick(bank.people).id };
    const { document } = await documents.createDocument({ ...words, ...owner, status }, caller.options);
    const id = document?.id ?? "";
    made.documentIds.push(id);
    if (!random.boolean(0.4)) continue;
    plan.nextDay();
    const next = { id, ...words, content: `${words.content}\n\nReviewed and kept.`, status: DocumentStatus.DRAFT };
    await documents.createDocumentVersion(next, caller.options);
  }
}

async function fillDefinitions({ caller, random }: Plan, topicIds: readonly string[]): Promise<SeedDefinition[]> {
  const guides = caller.client(StyleGuideService);
  const definitions = caller.client(DefinitionService);
  const { data: guide } = await guides.createStyleGuide({ content: [...bank.styleGuide] }, caller.options);
  const evalIds: string[] = [];
  for (const { type, name, criterion } of bank.definitions) {
    const styleGuideId = type === "STYLE" ? guide?.id : undefined;
    const request = {
      type: EvalDefinitionType[type],
      name,
      globalConfig: { criterion },
      ...(styleGuideId && { styleGuideId }),
    };
    evalIds.push((await definitions.createDefinition(request, caller.options)).data?.id ?? "");
  }
  await definitions.linkApplication({ evalIds: evalIds.slice(0, 3) }, caller.options);
  const linked = { evalIds: evalIds.slice(3), topicIds: random.some(topicIds, Math.min(100, topicIds.length)) };
  await definitions.linkTopics({ ...linked, config: { expected: toValue("As the document says.") } }, caller.options);
  const linkedTopics = new Set(linked.topicIds);
  return bank.definitions.map(({ type, name }, at) => ({
    id: evalIds[at] ?? "",
    type,
    name,
    topicIds: at < 3 ? undefined : linkedTopics,
    difficulty: at * 0.02,
  }));
}
