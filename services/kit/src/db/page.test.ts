import { OrderDirection } from "@ems/proto/type/v1/order";
import { Order } from "@ems/test-support/thing-fixture";
import { expect, test } from "vitest";
import { enumValue } from "../enum.ts";
import { pagination, parsePage } from "./page.ts";

const columns = { createdAt: "t.created_at", title: "t.title", id: "t.id" };
const orders = { columns, values: Order };
const { UNSPECIFIED, ASC } = OrderDirection;
const by = (name: string) => enumValue(Order, name);

test.each([
  [{}, "t.created_at DESC, t.id DESC", "createdAt", "t.created_at", "DESC"],
  [{ orderBy: 0, orderDir: UNSPECIFIED }, "t.created_at DESC, t.id DESC", "createdAt", "t.created_at", "DESC"],
  [{ orderDir: ASC }, "t.created_at ASC, t.id ASC", "createdAt", "t.created_at", "ASC"],
  [{ orderBy: by("title") }, "t.title DESC, t.id DESC", "title", "t.title", "DESC"],
  [{ orderBy: by("id"), orderDir: ASC }, "t.id ASC", "id", "t.id", "ASC"],
])("%j orders by %s", (request, orderBy, property, column, direction) => {
  const page = { skip: 0n, limit: 25, orderBy, property, column, direction };
  expect(parsePage(request, orders)).toMatchObject(page);
});

test("a list without a choice of order has a fixed order", () => {
  expect(parsePage({}, { columns: { id: "t.id" } }).orderBy).toBe("t.id DESC");
});

test.each([
  [0, 25, 0n],
  [1, 25, 1n],
  [25, 25, 1n],
  [26, 25, 2n],
  [100, 1, 100n],
])("%i rows at %i per page are %i pages", (total, limit, totalPages) => {
  const page = parsePage({ skip: 3n, limit }, orders);
  const totalCount = BigInt(total);
  expect(pagination(page, total)).toEqual({ skip: 3n, limit, total: totalCount, totalPages, totalCount });
});
