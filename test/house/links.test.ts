// Links between Markdown files lead somewhere, and the files that texts name exist.

import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { files, read } from "./sources.ts";

const pages = files.filter((file) => file.endsWith(".md"));
const withoutCode = (page: string) => read(page).replaceAll(/^ *```[\s\S]*?^ *```/gm, "");

/** Anchors of a page's headings, as GitHub derives them. */
function getAnchors(page: string): Set<string> {
  const headings = [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  const plain = headings.map((heading) => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase());
  return new Set(
    plain.map((text) =>
      text
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}

const folders = new Set(files.flatMap((file) => file.split("/").map((_, at, parts) => parts.slice(0, at).join("/"))));

function findFault(page: string, link: string): string | undefined {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path)).replace(/\/$/, "");
  if (!files.includes(target) && !folders.has(target)) return `${page}: ${link} does not exist`;
  const isMissing = anchor !== undefined && target.endsWith(".md") && !getAnchors(target).has(anchor);
  return isMissing ? `${page}: ${link} has no such heading` : undefined;
}

test("every relative link leads to a file, and to a heading of it", () => {
  const links = pages.flatMap((page) =>
    [...withoutCode(page).matchAll(/\]\((?!https?:|mailto:|\/)([^)\s]+)\)/g)].map(
      ([, link = ""]) => [page, link] as const,
    ),
  );
  expect(links.length).toBeGreaterThan(500);
  expect(links.flatMap(([page, link]) => findFault(page, link) ?? [])).toEqual([]);
});

/** Files that readers or commands make. */
const made = /^(callers\.yaml|NOTES\.md|comments\.ts)$/;

test("every source file that a page names exists", () => {
  const named = pages
    .filter((page) => page !== "CHANGELOG.md")
    .flatMap((page) =>
      [...withoutCode(page).matchAll(/`([\w./@-]+\.(?:tsx?|mjs|md|sql|ya?ml|proto))`/g)].map(
        ([, name = ""]) => [page, name.replace(/^(\.\.?\/)+/, "")] as const,
      ),
    );
  expect(named.length).toBeGreaterThan(300);
  const isThere = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
  expect(
    named.filter(([, name]) => !made.test(name) && !isThere(name)).map(([page, name]) => `${page}: ${name}`),
  ).toEqual([]);
});
