import { expect, test } from "vitest";
import { pageOf, pagination } from "./page.ts";

const columns = { createdAt: "t.created_at", title: "t.title", id: "t.id" };

test.each([
  [{}, "t.created_at DESC, t.id DESC", "createdAt", "t.created_at", "DESC"],
  [{ orderDir: "asc" }, "t.created_at ASC, t.id ASC", "createdAt", "t.created_at", "ASC"],
  [{ orderBy: "title" }, "t.title DESC, t.id DESC", "title", "t.title", "DESC"],
  [{ orderBy: "id", orderDir: "asc" }, "t.id ASC", "id", "t.id", "ASC"],
])("%j orders by %s", (request, orderBy, property, column, direction) => {
  expect(pageOf(request, columns)).toEqual({ skip: 0n, limit: 25, orderBy, property, column, direction });
});

test.each([
  [0, 25, 0n],
  [1, 25, 1n],
  [25, 25, 1n],
  [26, 25, 2n],
  [100, 1, 100n],
])("%i rows at %i a page are %i pages", (total, limit, totalPages) => {
  const page = pageOf({ skip: 3n, limit }, columns);
  const totalCount = BigInt(total);
  expect(pagination(page, total)).toEqual({ skip: 3n, limit, total: totalCount, totalPages, totalCount });
});
