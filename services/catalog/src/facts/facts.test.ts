import { fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import {
  type CreateFactRequestSchema,
  FactOrder,
  FactScope,
  FactService,
  FactStatus,
  type UpdateFactRequestSchema,
} from "@ems/proto/catalog/v1/fact_service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const harness = await catalogHarness();
const { topics, documents, tasks, clock } = harness;
const facts = harness.client(FactService);
const { TOPIC, APPLICATION } = FactScope;

type Init<Request> = Omit<Request, "$typeName" | "$unknown">;
type NewFact = Partial<Init<MessageInitShape<typeof CreateFactRequestSchema>>>;
type Changes = Omit<Init<MessageInitShape<typeof UpdateFactRequestSchema>>, "id">;

/** Creates a new tenant, with functions for its operations. */
function newTenant() {
  const call = testCall(testTenant());
  const create = async (fields: NewFact = {}) => {
    clock.advance(1_000);
    const { data } = await facts.createFact({ statement: "An account is free.", scope: TOPIC, ...fields }, call);
    if (data === undefined) throw new Error("no fact");
    return data;
  };
  const topic = async (title: string) => (await topics.createTopic({ title }, call)).data?.id ?? "";
  const found = async (filter: Parameters<typeof facts.listFacts>[0]) =>
    (await facts.listFacts(filter, call)).data.map(({ statement }) => statement);
  const get = async (id: string) => (await facts.getFact({ id }, call)).data;
  return { call, create, topic, found, get };
}

test("a fact stores its statement, its source, and its topics, which are returned with titles", async () => {
  const { call, create, topic, get } = newTenant();
  const { document } = await documents.createDocument({ title: "Fees", content: "Accounts are free." }, call);
  const quickstartId = newId();
  await harness.client(ReferenceService).registerQuickstart({ id: quickstartId }, call);
  const [second, first] = [await topic("Loans"), await topic("Accounts")];
  const fields = {
    sourceQuote: "Accounts are free.",
    sourceDocumentId: document?.id ?? "",
    quickstartId,
    generatedBy: "gpt-5",
    isVerified: true,
  };
  const fact = await create({ ...fields, topicIds: [second, first.toUpperCase(), first] });
  expect(fact).toMatchObject({
    ...fields,
    statement: "An account is free.",
    scope: TOPIC,
    status: FactStatus.DRAFT,
    topicIds: [first, second],
    topics: [{ id: first, title: "Accounts" }, { title: "Loans" }],
  });
  expect(await get(fact.id)).toEqual(fact);
  expect(await create({ scope: APPLICATION })).toMatchObject({
    status: FactStatus.ACTIVE,
    isVerified: false,
    topicIds: [],
  });
});

test("a fact of the application has no topics, and an unknown id creates nothing, also among many facts", async () => {
  const { call, create, topic, found } = newTenant();
  const theirs = newTenant();
  const topicIds = [await topic("Accounts")];
  await expect(create({ scope: APPLICATION, topicIds })).rejects.toMatchObject({ code: Code.InvalidArgument });
  const foreign = await theirs.topic("Theirs");
  const unknown: [NewFact, string][] = [
    [{ topicIds: [...topicIds, newId()] }, "Topic"],
    [{ topicIds: [foreign] }, "Topic"],
    [{ sourceDocumentId: newId() }, "Document"],
    [{ quickstartId: newId() }, "Quickstart"],
  ];
  for (const [fields, name] of unknown) {
    const missing = { code: Code.NotFound, rawMessage: `${name} not found` };
    await expect(create(fields)).rejects.toMatchObject(missing);
    const request = { statement: "a", scope: TOPIC, topicIds };
    await expect(facts.createFacts({ facts: [request, { ...request, ...fields }] }, call)).rejects.toMatchObject(
      missing,
    );
  }
  expect(await found({})).toEqual([]);
});

test("1 to 1000 facts are created at once", async () => {
  const { call, topic, found } = newTenant();
  const topicIds = [await topic("Accounts")];
  const many = (length: number) =>
    Array.from({ length }, (_, index) => ({ statement: `Fact ${index}`, scope: TOPIC, topicIds }));
  expect((await facts.createFacts({ facts: many(1000) }, call)).count).toBe(1000n);
  expect(await found({ topicId: topicIds, limit: 2, orderBy: FactOrder.ID, orderDir: OrderDirection.ASC })).toEqual([
    "Fact 0",
    "Fact 1",
  ]);
  for (const length of [0, 1001])
    await expect(facts.createFacts({ facts: many(length) }, call)).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
});

test("an update keeps omitted fields and clears null or empty ones; scope APPLICATION removes the topics", async () => {
  const { call, create, topic, get } = newTenant();
  const { document } = await documents.createDocument({ title: "Fees", content: "Accounts are free." }, call);
  const [first, second] = [await topic("Accounts"), await topic("Loans")];
  const fact = await create({ sourceQuote: "q", sourceDocumentId: document?.id ?? "", topicIds: [first] });
  const update = (fields: Changes, id = fact.id, by = call) =>
    facts.updateFact({ id, ...fields }, by).then(({ data }) => data);
  expect(await update({})).toEqual(fact);
  clock.advance(1_000);
  const nothing = fromJson(ValueSchema, null);
  const changed = await update({ statement: "b", isVerified: true, status: FactStatus.DRAFT, sourceQuote: nothing });
  expect(changed).toMatchObject({ statement: "b", isVerified: true, status: FactStatus.DRAFT, topicIds: [first] });
  expect([changed?.sourceQuote, changed?.sourceDocumentId]).toEqual([undefined, document?.id]);
  expect(changed?.modifiedAt?.seconds).toBe((fact.modifiedAt?.seconds ?? 0n) + 1n);
  expect((await update({ topicIds: { values: [second] } }))?.topics).toMatchObject([{ id: second, title: "Loans" }]);

  await expect(update({ topicIds: { values: [newId()] } })).rejects.toMatchObject({ rawMessage: "Topic not found" });
  const both = { scope: APPLICATION, topicIds: { values: [first] } };
  await expect(update(both)).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect((await get(fact.id))?.topicIds).toEqual([second]);
  expect(await update({ scope: APPLICATION })).toMatchObject({ scope: APPLICATION, topicIds: [] });
  await expect(update({ topicIds: { values: [first] } })).rejects.toMatchObject({ code: Code.InvalidArgument });
  for (const [id, by] of [
    [newId(), call],
    [fact.id, newTenant().call],
  ] as const)
    await expect(update({ statement: "c" }, id, by)).rejects.toMatchObject({ rawMessage: "Fact not found" });
});

test("lists are filtered and sorted, and include topics' titles on request", async () => {
  const { call, create, topic, found } = newTenant();
  const [first, second] = [await topic("Accounts"), await topic("Loans")];
  await create({ statement: "a", topicIds: [first, second] });
  await create({ statement: "c", topicIds: [second], isVerified: true });
  await create({ statement: "b", scope: APPLICATION, status: FactStatus.DRAFT });
  expect(await found({})).toEqual(["b", "c", "a"]);
  expect(await found({ orderBy: FactOrder.STATEMENT, orderDir: OrderDirection.ASC })).toEqual(["a", "b", "c"]);
  expect(await found({ scope: [TOPIC] })).toEqual(["c", "a"]);
  expect(await found({ status: [FactStatus.DRAFT] })).toEqual(["b"]);
  expect(await found({ topicId: [first] })).toEqual(["a"]);
  expect(await found({ topicId: [first, second.toUpperCase()] })).toEqual(["c", "a"]);
  expect(await found({ isVerified: true })).toEqual(["c"]);
  expect(await found({ isVerified: false, scope: [TOPIC] })).toEqual(["a"]);
  expect(await found({ quickstartId: newId() })).toEqual([]);
  expect(await found({ sourceDocumentId: newId() })).toEqual([]);
  const [, withTopics] = (await facts.listFacts({ includeTopics: true }, call)).data;
  expect(withTopics).toMatchObject({ topicIds: [second], topics: [{ id: second, title: "Loans" }] });
  expect((await facts.listFacts({}, call)).data[1]).toMatchObject({ topicIds: [second], topics: [] });
  expect(await newTenant().found({})).toEqual([]);
});

test("deleting a document or a topic keeps its facts and clears their reference", async () => {
  const { call, create, topic, get } = newTenant();
  const { document } = await documents.createDocument({ title: "Fees", content: "Accounts are free." }, call);
  const [first, second] = [await topic("Accounts"), await topic("Loans")];
  const fact = await create({ sourceDocumentId: document?.id ?? "", topicIds: [first, second] });
  await documents.deleteDocument({ id: document?.id ?? "" }, call);
  const { task } = await tasks.createTask({ title: "t", description: "d", topicId: first }, call);
  const move = { id: task?.id ?? "", topicId: fromJson(ValueSchema, second), deleteEmptySourceTopic: true };
  await tasks.updateTask(move, call);
  const left = await get(fact.id);
  expect([left?.sourceDocumentId, left?.topicIds]).toEqual([undefined, [second]]);
});
