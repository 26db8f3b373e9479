import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { documents, tags, tenant } = await catalogHarness();
const call = () => testCall(tenant);
const newTag = async (name: string, by = tenant) => (await tags.createTag({ name }, testCall(by))).data?.id ?? "";
const newDocument = async () =>
  (await documents.createDocument({ title: "Fees", content: "None." }, call())).document?.id ?? "";

test("a document's tags are replaced, listed by name, and returned with it", async () => {
  const id = await newDocument();
  const [b, a, c] = [await newTag("b"), await newTag("a"), await newTag("c")];
  expect((await documents.listDocumentTags({ id }, call())).data).toEqual([]);
  for (const [tagIds, names] of [
    [
      [b, a.toUpperCase(), a],
      ["a", "b"],
    ],
    [
      [c, a],
      ["a", "c"],
    ],
    [[], []],
    [[c], ["c"]],
  ] as const) {
    const { data } = await documents.setDocumentTags({ id, tagIds: [...tagIds] }, call());
    expect(data.map(({ name }) => name)).toEqual(names);
    expect((await documents.listDocumentTags({ id }, call())).data).toEqual(data);
    const { document } = await documents.getDocument({ id }, call());
    expect(document?.tags.map(({ name }) => name)).toEqual(names);
  }
  await tags.archiveTag({ id: c }, call());
  expect((await documents.listDocumentTags({ id }, call())).data).toHaveLength(1);
  await documents.deleteDocument({ id }, call());
});

test("a tag of another application is refused, and nothing is changed", async () => {
  const id = await newDocument();
  const own = await newTag("own");
  await documents.setDocumentTags({ id, tagIds: [own] }, call());
  for (const unknown of [newId(), await newTag("theirs", testTenant())]) {
    await expect(documents.setDocumentTags({ id, tagIds: [unknown] }, call())).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Tag not found",
    });
  }
  expect((await documents.listDocumentTags({ id }, call())).data).toMatchObject([{ id: own }]);
});
