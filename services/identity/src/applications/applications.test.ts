import { Code } from "@ems/kit/errors";
import { ApplicationEnvironment, ApplicationOrder, ApplicationType } from "@ems/proto/identity/v1/application_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeAll, describe, expect, test } from "vitest";
import { identityHarness } from "../../test/harness.ts";

const { applications, tenant, addTenant, clock, database } = await identityHarness();
const { CHATBOT, AGENT } = ApplicationType;
const { DEV, PROD } = ApplicationEnvironment;
const titles = (list: { data: { title: string }[] }) => list.data.map(({ title }) => title);
const slugTaken = { code: Code.AlreadyExists, rawMessage: "The slug is taken" };

describe("a new application", () => {
  test("is a chatbot in development, and its slug is made from the title", async () => {
    const caller = await addTenant();
    const { data } = await applications.createApplication({ title: "Cartões & Konten" }, testCall(caller));
    expect(data).toMatchObject({
      orgId: caller.orgId,
      title: "Cartões & Konten",
      slug: "cartoes-konten",
      description: "",
      context: "",
      type: CHATBOT,
      environment: DEV,
      humanAnnotationEnabled: false,
    });
    expect(data?.language).toBe("en");
    const read = await applications.getApplication({ id: data?.id ?? "" }, testCall(caller));
    expect(read.data).toEqual(data);
  });

  test("has all fields of the request", async () => {
    const caller = await addTenant();
    const request = {
      title: "Clerk",
      slug: "the-clerk",
      description: "Fills forms",
      context: "A town hall",
      language: "pt",
      type: AGENT,
      environment: PROD,
      humanAnnotationEnabled: true,
    };
    const { data } = await applications.createApplication(request, testCall(caller));
    expect(data).toMatchObject(request);
  });

  test("whose title has no slug has its id as slug", async () => {
    const { data } = await applications.createApplication({ title: "日本語" }, testCall(await addTenant()));
    expect(data?.slug).toBe(data?.id);
  });

  test("with a slug that is taken, requested or derived, is a conflict and stores nothing", async () => {
    const caller = await addTenant();
    await applications.createApplication({ title: "Twice" }, testCall(caller));
    for (const request of [{ title: "Twice" }, { title: "Other", slug: "twice" }]) {
      await expect(applications.createApplication(request, testCall(caller))).rejects.toMatchObject(slugTaken);
    }
    const { pagination } = await applications.listApplications({}, testCall(caller));
    expect(pagination?.total).toBe(2n);
  });

  test("may have the same slug as one of another organization", async () => {
    for (const caller of [await addTenant(), await addTenant()]) {
      await expect(applications.createApplication({ title: "Same" }, testCall(caller))).resolves.toBeDefined();
    }
  });

  test("with the slug of a concurrent one is a conflict: one of the two is created", async () => {
    const caller = await addTenant();
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => applications.createApplication({ title: "Race" }, testCall(caller))),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("the list", () => {
  beforeAll(async () => {
    for (const [title, type, environment] of [
      ["b", AGENT, DEV],
      ["c", CHATBOT, DEV],
      ["a", AGENT, PROD],
    ] as const) {
      clock.advance(1_000);
      await applications.createApplication({ title, type, environment }, testCall(tenant));
    }
    // Makes "Support" the oldest application; the harness created it at the machine's time.
    await database.sql("UPDATE identity.application SET created_at = '2026-01-01' WHERE id = $1", [
      tenant.applicationId,
    ]);
  });

  test("has the organization's applications, newest first, 25 per page", async () => {
    const list = await applications.listApplications({}, testCall(tenant));
    expect(titles(list)).toEqual(["a", "c", "b", "Support"]);
    expect(list.pagination).toMatchObject({ skip: 0n, limit: 25, total: 4n, totalPages: 1n, totalCount: 4n });
  });

  test("is filtered by slug, type and environment together", async () => {
    for (const [filter, found] of [
      [{ slug: "a" }, ["a"]],
      [{ slug: "A" }, []],
      [{ slug: "%" }, []],
      [{ type: [AGENT] }, ["a", "b"]],
      [{ type: [AGENT, CHATBOT] }, ["a", "c", "b", "Support"]],
      [{ environment: [PROD] }, ["a", "Support"]],
      [{ humanAnnotationEnabled: true }, ["Support"]],
      [{ humanAnnotationEnabled: false }, ["a", "c", "b"]],
      [{ type: [AGENT], environment: [DEV] }, ["b"]],
      [{ slug: "a", environment: [DEV] }, []],
    ] as const) {
      const request = {
        ...("slug" in filter && { slug: filter.slug }),
        ...("humanAnnotationEnabled" in filter && filter),
        type: "type" in filter ? [...filter.type] : [],
        environment: "environment" in filter ? [...filter.environment] : [],
      };
      expect(titles(await applications.listApplications(request, testCall(tenant)))).toEqual(found);
    }
  });

  test("every order ends in id, so that pages neither overlap nor skip", async () => {
    for (const orderBy of [
      ApplicationOrder.CREATED_AT,
      ApplicationOrder.MODIFIED_AT,
      ApplicationOrder.TITLE,
      ApplicationOrder.SLUG,
      ApplicationOrder.TYPE,
      ApplicationOrder.ENVIRONMENT,
      ApplicationOrder.ID,
    ]) {
      for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
        const all = await applications.listApplications({ orderBy, orderDir }, testCall(tenant));
        const pages = await Promise.all(
          [0n, 1n, 2n, 3n, 4n].map((skip) =>
            applications.listApplications({ orderBy, orderDir, skip, limit: 1 }, testCall(tenant)),
          ),
        );
        expect(pages.flatMap(titles)).toEqual(titles(all));
      }
    }
  });

  test("is separate for each organization", async () => {
    expect(titles(await applications.listApplications({}, testCall(testTenant())))).toEqual([]);
    expect(titles(await applications.listApplications({}, testCall(await addTenant())))).toEqual(["Support"]);
  });
});

describe("an application is found by its slug", () => {
  test("in the caller's organization", async () => {
    const { data } = await applications.getApplicationBySlug({ slug: "a" }, testCall(tenant));
    expect(data).toMatchObject({ title: "a", orgId: tenant.orgId, type: AGENT });
  });

  test("and not in another one, with the same error as if it did not exist", async () => {
    const other = await addTenant();
    for (const slug of ["a", "never-was", "A", "%"]) {
      await expect(applications.getApplicationBySlug({ slug }, testCall(other))).rejects.toMatchObject({
        code: Code.NotFound,
        rawMessage: "Application not found",
      });
    }
  });
});
